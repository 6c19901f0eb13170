# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the modules show in /sys/kernel/rpcrdma/connections, for cases that source this.

CONNECTIONS=/sys/kernel/rpcrdma/connections

# connection_dirs SIDE: directories of established connections, the oldest first
connection_dirs() {
	local dir

	for dir in $(ls -d "$CONNECTIONS/$1"-* 2> /dev/null | sort -V); do
		[ "$(cat "$dir/state" 2> /dev/null)" != established ] || echo "$dir"
	done
}

# connection_dir SIDE: the newest of them; there must be one
connection_dir() {
	local dir

	within 10 has_connection "$1" || fail "no $1 is connected"
	dir=$(connection_dirs "$1" | tail -1)
	echo "$dir"
}

has_connection() {
	[ -n "$(connection_dirs "$1")" ]
}

# shown SIDE FILE: what a file of the newest connection says
shown() {
	cat "$(connection_dir "$1")/$2"
}

# histogram SIDE NAME: how many times are in it
histogram() {
	shown "$1" "latency/$2" | tr ' ' '\n' | awk '{ n += $1 } END { print n }'
}
