#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the NFS server is stopped for 20 and for 4 seconds during I/O: the I/O continues by itself, correct data
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 180
# in-check: yes
# Proves V1-RTX-02, V1-RTX-08, BI-RTX-05, BI-BUF-08, ULB-KA-08, ULB-KA-10.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/steady-io.sh"

# sunrpc delays a task for three seconds when its server has refused it
SECONDS_TO_RESUME=5

# restart_during_io VERSION OUTAGE: OUTAGE in seconds
restart_during_io() {
	local version=$1 outage=$2 connects begin

	nfs_mount "$version"
	connects=$(rdma_counter "$MNT" connects)
	# fio catches up after the outage, and must still have I/O left then
	steady_start $((outage + 8))
	server_restart "$outage"
	begin=$(now_ms)
	steady_count
	say "vers=$version: the server is back"
	steady_running || fail "the I/O ended before the restart was over"
	steady_recovers "restart-${outage}s" "$begin" $SECONDS_TO_RESUME
	say "vers=$version: the I/O goes on"
	steady_finish 60
	[ "$(rdma_counter "$MNT" connects)" -gt "$connects" ] ||
		fail "the client did not connect again, so the restart did not disturb it"
	rm "$EXPORT"/steady*
	nfs_umount
}

link_up
modules_load
server_start
every_round restart_during_io 3 20
every_round restart_during_io 4.1 4
recovery_report
finish
