# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What passed a slow check once, and has not changed by one byte since, passes
# again. Sourced by the checks. What is remembered lies in the cache of the lab.

remembered_dir() {
	echo "${RPCRDMA_CACHE:-/var/cache/rpcrdma-lab}/passed/$1"
}

# key_of TEXT FILE...: names the contents and names of the files, and a text that
# says with which tools they are checked. A file that cannot be read makes a key
# that nothing has.
key_of() {
	local text=$1

	shift
	{
		echo "$text"
		sha256sum "$@" || echo "unreadable $$ $RANDOM $RANDOM"
	} 2>&1 | sha256sum | cut -c1-40
}

# passed CHECK KEY: did it?
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
