#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the link between two guests is cut at random moments for up to 5 seconds under 16 verified streams: the I/O continues each time, no task hangs, correct data
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# lengths: short full
# guests: 2
# peers: ours-ours
# every: uml/siw umldbg/siw smpdbg/siw kcsan/rxe
# timeout: 240
# in-check: yes
# strict-run: rxe/bnxt_re siw/cxgb4
# lanes[strict]: uml
# lanes[full]: uml umldbg
# timeout[full]: 9000
# in-check[full]: no
# env[full]: CUTS=500

# CUTS=number or RUNS=number sets how many; "env[full]" above does so for the full run.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/recall.sh"
. "$GUEST_DIR/recall-load.sh"

CUTS=${CUTS:-${RUNS:-6}}
# Two attempts to connect, each with 5 s to resolve the address, 3 s between them, and
# 3 s that sunrpc delays a task
SECONDS_TO_RESUME=30

moved_since() {
	[ "$(load_count)" -gt "$1" ]
}

cut_for_a_while() {
	local count begin

	sleep "$((RANDOM % 3)).$((RANDOM % 900 + 100))"
	link_cut
	sleep "$((RANDOM % 5)).$((RANDOM % 900 + 100))"
	count=$(load_count)
	begin=$(now_ms)
	link_join
	promptly "$(scaled $SECONDS_TO_RESUME)" moved_since "$count" ||
		load_stuck "the I/O does not go on for $SECONDS_TO_RESUME s after the link is back"
	recovery link-cut "$begin"
	load_running || load_failed
}

server() {
	server_start
	pair_serve
	finish
}

client() {
	local number

	client_start
	pair_wait_server
	echo 60 > /proc/sys/kernel/hung_task_timeout_secs
	recall_mount 0
	load_start 1
	for ((number = 1; number <= CUTS; number++)); do
		cut_for_a_while
		[ $((number % 20)) -ne 0 ] || say "$number cuts"
	done
	say "$CUTS cuts, connects: $(rdma_counter "$(recall_dir 0)" connects)"
	recovery_report
	load_finish
	pair_stop
	finish
}

link_up
modules_load
"$ROLE"
