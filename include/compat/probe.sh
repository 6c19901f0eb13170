#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Compile small files to find out which form some kernel interfaces have, and write a
# header for the other headers of this directory. Kbuild runs this first.
#
# usage: include/compat/probe.sh [-t] HEADER RELEASE COMPILER-AND-FLAGS...
#
# probes/subjects lists the interfaces. probes/SUBJECT.FORM.c compiles on kernels whose
# interface has that form, which gives "#define RPCRDMA_SUBJECT_FORM 1". If no form of a
# subject compiles, the kernel is refused, with one line that names all such subjects.
# HEADER.log has the output of the compiler then. Otherwise one line for each subject says
# what was found.
#
# Without -t the subjects kunit_*, which only unit tests need, are left out: a kernel
# without KUnit is not refused for them.

set -euo pipefail

left_out='#|kunit_'
if [ "$1" = -t ]; then
	left_out='#'
	shift
fi
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

subjects() {
	sed -E "/^($left_out)/d" "$probes/subjects"
}

# All at once: each takes a second, which is mostly spent in the kernel's headers.
run_all() {
	local subject file name

	while read -r subject _; do
		for file in "$probes/$subject".*.c; do
			name=$(basename "$file" .c)
			{ compiles "$file" "$work/$name.log" && : > "$work/$name.yes"; } &
		done
	done < <(subjects)
	wait
}

forms() {
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
	local subject what form found

	echo "/* Made by include/compat/probe.sh for kernel $release */"
	while read -r subject what; do
		found=$(forms "$subject")
		[ -n "$found" ] || unknown+="${unknown:+, }$what"
		for form in $found; do
			define "$subject" "$form"
		done
		echo "rpcrdma: $what: ${found//$'\n'/, }" >> "$work/found"
	done < <(subjects)
}

# What fails here says nothing of the kernel's interfaces.
check_compiler() {
	: > "$work/empty.c"
	compiles "$work/empty.c" "$work/empty.log" && return 0
	cp "$work/empty.log" "$header.log"
	echo "rpcrdma: error: $(basename "${compiler[0]}") does not work with the flags of kernel $release: $(head -1 "$work/empty.log")" >&2
	exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unknown=
: > "$work/found"
check_compiler
run_all
write_header > "$work/header"
if [ -n "$unknown" ]; then
	cat "$work"/*.log > "$header.log"
	echo "rpcrdma: error: kernel $release has an unknown form of $unknown: the modules cannot be built for it" >&2
	exit 1
fi
rm -f "$header.log"
cat "$work/found"
mv "$work/header" "$header"
