#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Find out by small compilations which shape the kernel's interfaces have, and write
# it down for the headers of this directory. Kbuild runs it before anything else.
#
# usage: include/compat/probe.sh HEADER RELEASE COMPILER-AND-FLAGS...
#
# probes/subjects lists the interfaces. probes/SUBJECT.SHAPE.c compiles on kernels of
# that shape, which gives "#define RPCRDMA_SUBJECT_SHAPE 1". A kernel for which no
# shape of a subject compiles is refused, with all its subjects in one sentence.
# What the compiler said is in HEADER.log then.

set -euo pipefail

header=$1
release=$2
shift 2
compiler=("$@")
probes=$(cd "$(dirname "$0")" && pwd)/probes

compiles() {
	"${compiler[@]}" -Werror=implicit-function-declaration \
		-Werror=incompatible-pointer-types -fsyntax-only -x c "$1" \
		> "$2" 2>&1 < /dev/null
}

# All at once: each takes a second, which is mostly spent in the kernel's headers.
run_all() {
	local file name

	for file in "$probes"/*.c; do
		name=$(basename "$file" .c)
		{ compiles "$file" "$work/$name.log" && : > "$work/$name.yes"; } &
	done
	wait
}

shapes() {
	local file

	for file in "$work/$1".*.yes; do
		[ -e "$file" ] || return 0
		file=${file%.yes}
		echo "${file##*.}"
	done
}

define() {
	echo "#define RPCRDMA_${1^^}_${2^^} 1"
}

write_header() {
	local subject what shape found

	echo "/* Made by include/compat/probe.sh for kernel $release */"
	while read -r subject what; do
		found=$(shapes "$subject")
		[ -n "$found" ] || unknown+="${unknown:+, }$what"
		for shape in $found; do
			define "$subject" "$shape"
		done
	done < <(grep -v '^#' "$probes/subjects")
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unknown=
run_all
write_header > "$work/header"
if [ -n "$unknown" ]; then
	cat "$work"/*.log > "$header.log"
	echo "rpcrdma: error: kernel $release cannot be served: it has another shape of $unknown than the kernels that these modules know" >&2
	exit 1
fi
rm -f "$header.log"
mv "$work/header" "$header"
