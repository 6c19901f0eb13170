# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
#
# How slow this machine is, so that time limits suit it. Sourced by the scripts in
# scripts/tests/lab that boot guests.
#
# Time limits of cases are for machines that start a process in up to 1.5 ms. Where page faults
# and switches between processes cost more, which is so in some virtual machines, everything in a
# guest takes several times as long, most of all under User-Mode Linux.

PACE_PROCESSES=40
PACE_BATCHES=4
PACE_US=1500
PACE_MOST=4

# Sets REPLY to the microseconds that a process takes
time_processes() {
	local begin=${EPOCHREALTIME/./} n

	for ((n = 0; n < PACE_PROCESSES; n++)); do
		/bin/true
	done
	REPLY=$(((${EPOCHREALTIME/./} - begin) / PACE_PROCESSES))
}

# Sets LAB_PACE, the factor for time limits, to 1 up to PACE_MOST. It is measured once: what this
# script starts inherits it, and a user may set it. The best of several batches counts: a machine that is
# only busy for a moment is not slow.
measure_pace() {
	local best=$((PACE_MOST * PACE_US)) batch

	case ${LAB_PACE:-} in
	'')		;;
	[1-$PACE_MOST])	return ;;
	*)		die "LAB_PACE is '$LAB_PACE', not a number from 1 to $PACE_MOST" ;;
	esac
	for ((batch = 0; batch < PACE_BATCHES; batch++)); do
		time_processes
		[ "$REPLY" -ge "$best" ] || best=$REPLY
	done
	LAB_PACE=$((best / PACE_US + 1))
	[ "$LAB_PACE" -le $PACE_MOST ] || LAB_PACE=$PACE_MOST
	export LAB_PACE
}

# longer LANE: sets REPLY to the factor for time limits on this lane and machine
longer() {
	measure_pace
	lane_get "$1" 7
	REPLY=$((REPLY * LAB_PACE))
}
