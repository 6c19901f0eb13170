#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the device fails for good under I/O: both sides drain their connections as drivers of adapters expect it, without a warning; when the device works again the I/O goes on with correct data
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/steady-io.sh"

FATAL=/sys/module/test_fatal/parameters

both_drained() {
	[ "$(cat $FATAL/drains)" -ge 4 ]
}

fails_under_io() {
	local begin

	nfs_mount "$1"
	steady_start 8
	sleep 0.5
	echo 1 > $FATAL/fatal
	within 20 both_drained || fail "client and server have not drained both queues"
	steady_count
	echo 0 > $FATAL/fatal
	begin=$(now_ms)
	steady_recovers device-fatal "$begin" 30
	steady_finish 60
	rm "$EXPORT"/steady*
	nfs_umount
}

link_up
insmod "$TESTMOD_DIR/test_fatal.ko"
modules_load
server_start
log_mark
fails_under_io 4.1
! log_since | grep WARNING || fail "the way of polling is not supported"
finish
