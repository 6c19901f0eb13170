#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the server dies silently during I/O and returns without any connection: the I/O continues by itself, correct data
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"
. "$GUEST_DIR/steady-io.sh"

# A dead connection is detected while it is in use, at the latest by the keepalive; then
# two attempts to connect, and 3 s that sunrpc delays a task
SECONDS_TO_RESUME=30

# Nothing that the server sends reaches the client.
reboots_during_io() {
	local version=$1 begin

	nfs_mount "$version"
	steady_start 8
	wire_mute
	sleep 0.5
	server_stop
	sleep 2
	steady_count
	server_threads "$NFSD_THREADS"
	server_listen
	begin=$(now_ms)
	wire_heard
	steady_recovers peer-reboot "$begin" $SECONDS_TO_RESUME
	steady_finish 60
	[ "$(rdma_counter "$MNT" connects)" -gt 1 ] || fail "it is still the old connection"
	rm "$EXPORT"/steady*
	nfs_umount
}

wire_up
wire_heard
modules_load
server_start
in_turns reboots_during_io 3 4.1
recovery_report
finish
