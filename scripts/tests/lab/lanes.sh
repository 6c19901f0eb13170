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
     umldbg73 umldbg  uml    built   7.3     1     4       test uml debug umldbg series7
     umlsmp73 uml     uml    built   7.3     4     2       test uml series7 umlsmp
     stock61  stock   qemu   debian  6.1     2     1
     stock73  stock   qemu   debian  7.3     2     1
'

# Modules for these are built with W=1, and must have no warning (scripts/checks/compiler).
clean_lanes() {
	echo "uml stock stock61 stock73"
}

lane_names() {
	awk 'NF { print $1 }' <<< "$lane_table" | paste -sd' '
}

plain_lanes() {
	awk '$2 == "-" { print $1 }' <<< "$lane_table" | paste -sd' '
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
while read -r -a words; do
	for i in "${!words[@]}"; do
		lane_field[${words[0]}/$((i + 1))]=${words[i]}
	done
done <<< "$lane_table"
unset words i

lane_column() {
	printf '%s\n' "${lane_field[${1%%+*}/$2]:-}"
}

# lane_like LANE: the plain lane, or the lane itself if it is one
lane_like() {
	local like

	like=${lane_field[${1%%+*}/2]:-}
	[ "$like" = - ] && client_lane "$1" || echo "$like"
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

lane_longer() {
	lane_column "$1" 7
}

lane_configs() {
	awk -v lane="$1" '$1 == lane { for (i = 8; i <= NF; i++) print $i }' <<< "$lane_table"
}
