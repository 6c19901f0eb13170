#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the link drops all packets for 10 seconds during I/O: the I/O continues by itself, correct data
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml/rxe
# timeout: 120
# in-check: yes

# As linkdown, but in one guest, which takes less time.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"
. "$GUEST_DIR/steady-io.sh"

DOWN_SECONDS=10
SECONDS_TO_RESUME=30

silent_during_io() {
	local version=$1 begin

	nfs_mount "$version"
	steady_start 4
	wire_mute
	sleep 2
	steady_count
	sleep $((DOWN_SECONDS - 2))
	! steady_moved 1 || fail "data moved over a link that is down"
	begin=$(now_ms)
	wire_heard
	steady_recovers link-down "$begin" $SECONDS_TO_RESUME
	steady_finish 60
	rm "$EXPORT"/steady*
	nfs_umount
}

wire_up
wire_heard
modules_load
server_start
in_turns silent_during_io 3 4.1
recovery_report
finish
