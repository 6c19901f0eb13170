# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The network device of one side is set down during I/O, and up again. Needs wire.sh and
# steady-io.sh.
#
#   portdown_rounds SIDE    with NFSv3 and NFSv4.1 in turn

PORTDOWN_SECONDS=20

portdown_rounds() {
	PORTDOWN_SIDE=$1
	in_turns portdown_round 3 4.1
	recovery_report
}

portdown_round() {
	local version=$1 begin

	nfs_mount "$version"
	steady_start 15
	wire_cut "$PORTDOWN_SIDE"
	say "vers=$version: the $PORTDOWN_SIDE's device is down"
	sleep 2
	steady_count
	sleep $((PORTDOWN_SECONDS - 2))
	! steady_moved 2 || fail "data moved over a device that is down"
	begin=$(now_ms)
	wire_join "$PORTDOWN_SIDE"
	steady_recovers "port-down-$PORTDOWN_SIDE" "$begin" 60
	say "vers=$version: the I/O goes on, connects: $(rdma_counter "$MNT" connects)"
	steady_finish 90
	rm "$EXPORT"/steady*
	nfs_umount
}
