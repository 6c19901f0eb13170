# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
#
# How slow this machine is, so that time limits suit it. Sourced by the scripts in
# scripts/tests/lab that boot guests.
#
# Time limits of cases are for machines that start a process in up to 1.5 ms. Where page faults
# and switches between processes cost more, which is so in some virtual machines, everything in a
# guest takes several times as long, most of all under User-Mode Linux.

PACE_PROCESSES=100
PACE_US=1500
PACE_MOST=4

# Sets LAB_PACE, the factor for time limits, to 1 up to PACE_MOST. It is measured once: what this
# script starts inherits it, and a user may set it.
measure_pace() {
	local begin n

	[ -z "${LAB_PACE:-}" ] || return 0
	begin=${EPOCHREALTIME/./}
	for ((n = 0; n < PACE_PROCESSES; n++)); do
		/bin/true
	done
	LAB_PACE=$(((${EPOCHREALTIME/./} - begin) / PACE_PROCESSES / PACE_US + 1))
	[ "$LAB_PACE" -le $PACE_MOST ] || LAB_PACE=$PACE_MOST
	export LAB_PACE
}

# longer LANE: sets REPLY to the factor for time limits on this lane and machine
longer() {
	measure_pace
	lane_get "$1" 7
	REPLY=$((REPLY * LAB_PACE))
}
