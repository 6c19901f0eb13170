# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A file that passed a slow check and has not changed since is not checked again. Sourced
# by the checks. The memory of this is in the lab's cache.

remembered_dir() {
	echo "${RPCRDMA_CACHE:-/var/cache/rpcrdma-lab}/passed/$1"
}

# key_of TEXT FILE...: a hash of names and contents of the files, and of a text that
# names the versions of the tools; in each checkout the same. A file that cannot be read gives a
# unique key.
key_of() {
	local text=$1

	shift
	{
		echo "$text"
		sha256sum "${@#"$PWD/"}" || echo "unreadable $$ $RANDOM $RANDOM"
	} 2>&1 | sha256sum | cut -c1-40
}

# passed CHECK KEY: did that key pass before?
passed() {
	[ -e "$(remembered_dir "$1")/$2" ]
}

# remember CHECK KEY...
remember() {
	local dir key

	dir=$(remembered_dir "$1")
	shift
	mkdir -p "$dir"
	for key in "$@"; do
		: > "$dir/$key"
	done
}
