# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The lanes: kernels, and how guests boot them. Sourced by scripts/tests/lab/common.sh.
#
# LIKE    the plain lane with the same kind of guest and another kernel: what runs there
#         runs on this lane too; headers of cases name plain lanes
# GUEST   uml or qemu: how it is booted
# KERNEL  built: from linux-source, with these CONFIGs; debian: a package
# SERIES  of that source or package
# CPUS    of a guest
# LONGER  factor for all time limits, compared with the plain lanes
#
# Two guests can have two kernels: CLIENT+SERVER is a lane if both are like the same lane.
# Its columns but KERNEL, SERIES and CONFIG are the same for both guests.

#    LANE     LIKE    GUEST  KERNEL  SERIES  CPUS  LONGER  CONFIG...
lane_table='
     uml      -       uml    built   6.12    1     1       test uml
     umldbg   -       uml    built   6.12    1     4       test uml debug umldbg
     stock    -       qemu   debian  6.12    2     1
     smpdbg   -       qemu   built   6.12    4     4       test qemu debug smpdbg
     kcsan    -       qemu   built   6.12    4     2       test qemu kcsan
     uml61    uml     uml    built   6.1     1     1       test uml series6.1
     uml73    uml     uml    built   7.3     1     1       test uml series7
     umldbg61 umldbg  uml    built   6.1     1     4       test uml debug umldbg series6.1 umldbg6.1
     umldbg73 umldbg  uml    built   7.3     1     4       test uml debug umldbg series7 pageowner
     umlsmp73 uml     uml    built   7.3     4     2       test uml series7 umlsmp
     stock61  stock   qemu   debian  6.1     2     1
     stock73  stock   qemu   debian  7.3     2     1
'

# Modules for these are built with W=1, and must have no warning (scripts/checks/compiler).
clean_lanes() {
	echo "uml stock stock61 stock73"
}

is_lane() {
	local client server

	client=$(client_lane "$1")
	server=$(server_lane "$1")
	[[ $1 == "$client" || $1 == "$client+$server" && $client != "$server" ]] &&
		[[ -n $(lane_like "$client") && $(lane_like "$client") == $(lane_like "$server") ]]
}

client_lane() {
	echo "${1%%+*}"
}

server_lane() {
	echo "${1##*+}"
}

# By "LANE/COLUMN", from 1 on
declare -A lane_field=()
# The names of all lanes, and of the plain ones
LANES=
PLAIN_LANES=

read_lane_table() {
	local words i

	while read -r -a words; do
		[ ${#words[@]} -gt 0 ] || continue
		LANES+=${LANES:+ }${words[0]}
		[ "${words[1]}" != - ] || PLAIN_LANES+=${PLAIN_LANES:+ }${words[0]}
		for i in "${!words[@]}"; do
			lane_field[${words[0]}/$((i + 1))]=${words[i]}
		done
	done <<< "$lane_table"
}
read_lane_table

# lane_get LANE COLUMN: sets REPLY
lane_get() {
	REPLY=${lane_field[${1%%+*}/$2]:-}
}

lane_column() {
	lane_get "$@"
	printf '%s\n' "$REPLY"
}

# get_lane_like LANE: sets REPLY to the plain lane, or to the lane itself if it is one
get_lane_like() {
	lane_get "$1" 2
	[ "$REPLY" != - ] || REPLY=${1%%+*}
}

lane_like() {
	get_lane_like "$1"
	printf '%s\n' "$REPLY"
}

lane_guest() {
	lane_column "$1" 3
}

lane_kernel() {
	lane_column "$1" 4
}

lane_series() {
	lane_column "$1" 5
}

lane_cpus() {
	lane_column "$1" 6
}

lane_configs() {
	awk -v lane="$1" '$1 == lane { for (i = 8; i <= NF; i++) print $i }' <<< "$lane_table"
}
