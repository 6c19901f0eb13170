#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: each fault point of the modules (post send, post receive, registration, allocation, connect, completion) fires during verified I/O: the I/O continues in time with correct data, nothing is left
# lanes: umldbg smpdbg kcsan
# provider: rxe siw
# lengths: short full
# guests: 1
# mods: ours
# every: umldbg smpdbg/rxe kcsan/siw
# timeout: 300
# in-check: yes
# strict-run: rxe/hns siw/irdma_iwarp
# lanes[strict]: umldbg
# lanes[full]: umldbg
# timeout[full]: 1500
# in-check[full]: no
# env[full]: FAULTS=50

# FAULTS=number sets the rounds; "env[full]" does so for the full run. The kernels of
# the other lanes have no fault injection.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/recall.sh"
. "$GUEST_DIR/recall-load.sh"

FAULTS=${FAULTS:-${RUNS:-3}}
FAIL=/sys/kernel/debug/rpcrdma_fail
POINTS="post_send post_recv register alloc connect completion"

# arm POINT INTERVAL: fail once, after some that succeed
arm() {
	echo "$2" > "$FAIL/$1/interval"
	echo 1 > "$FAIL/$1/times"
	echo 100 > "$FAIL/$1/probability"
}

disarm() {
	echo 0 > "$FAIL/$1/probability"
}

has_struck() {
	[ "$(cat "$FAIL/$1/times")" -eq 0 ]
}

# Connects and most allocations need a connection that is lost.
lose_connection() {
	arm post_send $((RANDOM % 50 + 1))
	within "$(scaled 10)" has_struck post_send || fail "post_send does not strike"
	disarm post_send
}

moved_since() {
	[ "$(load_count)" -gt $(($1 + 5)) ]
}

strike() {
	local point=$1 interval count begin

	case $point in
	connect)	interval=$((RANDOM % 2 + 1)) ;;
	alloc)		interval=$((RANDOM % 150 + 1)) ;;
	*)		interval=$((RANDOM % 200 + 1)) ;;
	esac
	arm "$point" $interval
	case $point in
	connect|alloc)	lose_connection ;;
	esac
	while ! within "$(scaled 5)" has_struck "$point"; do
		case $point in
		connect|alloc)	lose_connection ;;
		*)	fail "$point does not strike" ;;
		esac
		load_running || load_failed
	done
	disarm "$point"
	begin=$(now_ms)
	count=$(load_count)
	promptly "$(scaled 20)" moved_since "$count" ||
		load_stuck "the I/O does not go on after $point, interval $interval"
	recovery "fault-${point//_/-}" "$begin"
	load_running || load_failed
}

link_up
modules_load
[ -d $FAIL ] || fail "the modules have no fault points on this kernel"
for point in $POINTS; do
	echo 0 > "$FAIL/$point/verbose"
done
server_start
recall_ports 1
recall_mount 0
load_start 1
for ((round = 1; round <= FAULTS; round++)); do
	for point in $POINTS; do
		strike "$point"
	done
done
recovery_report
load_finish
finish
