#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the server's network device goes down for 20 seconds in the middle of I/O: the I/O goes on by itself, data verified
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# every: uml/siw umldbg/siw
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"
. "$GUEST_DIR/steady-io.sh"

DOWN_SECONDS=20

down_during_io() {
	local version=$1

	nfs_mount "$version"
	steady_start 8
	wire_cut
	say "vers=$version: net1 down"
	sleep 2
	steady_count
	sleep $((DOWN_SECONDS - 2))
	! steady_moved 2 || fail "data moved over a device that is down"
	wire_join
	say "vers=$version: net1 up"
	steady_running || fail "the I/O did not outlast the dead device"
	steady_goes_on 60
	say "vers=$version: the I/O goes on, connects: $(rdma_counter "$MNT" connects)"
	steady_finish 90
	rm "$EXPORT"/steady*
	nfs_umount
}

wire_up
modules_load
server_start
for version in 3 4.1; do
	down_during_io $version
done
finish
