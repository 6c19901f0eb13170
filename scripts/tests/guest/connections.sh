# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Reads /sys/kernel/rpcrdma/connections, for cases that source this. The functions are
# called often, so they start few processes.

CONNECTIONS=/sys/kernel/rpcrdma/connections

# has_connection SIDE: one is established; NEWEST is set to the directory of the newest
has_connection() {
	local dir state last=-1

	NEWEST=
	for dir in "$CONNECTIONS/$1"-*; do
		{ read -r state < "$dir/state"; } 2> /dev/null || continue
		[ "$state" = established ] && [ "${dir##*-}" -gt $last ] || continue
		last=${dir##*-}
		NEWEST=$dir
	done
	[ -n "$NEWEST" ]
}

# connection_dir SIDE: the directory of the newest one; there must be one
connection_dir() {
	within 10 has_connection "$1" || fail "no $1 is connected"
	echo "$NEWEST"
}

# shown SIDE FILE: content of a file of the newest connection
# shown SIDE FILE/NAME: what a line of it, such as counters/sends, has behind the name
shown() {
	within 10 has_connection "$1" || fail "no $1 is connected"
	case $2 in
	*/*)	line_of "$NEWEST/$2" ;;
	*)	cat "$NEWEST/$2" ;;
	esac
}

# line_of DIRECTORY/FILE/NAME
line_of() {
	sed -n "s/^${1##*/} //p" "${1%/*}"
}

# histogram SIDE NAME: the number of samples in it
histogram() {
	local numbers number sum=0

	numbers=$(shown "$1" "latency/$2")
	for number in $numbers; do
		sum=$((sum + number))
	done
	echo $sum
}
