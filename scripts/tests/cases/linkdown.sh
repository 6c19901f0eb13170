#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the link between two guests is down for 20 seconds during I/O: the I/O continues by itself, correct data
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours
# timeout: 240
# in-check: yes
# Proves V1-RTX-02, ULB-KA-01, ULB-KA-02.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/steady-io.sh"

DOWN_SECONDS=20

# Both guests lose everything they send, as with a cable pulled in between. The
# server does its part without messages: none can reach it meanwhile.
server_link_pause() {
	(sleep 0.5; link_cut; sleep $DOWN_SECONDS; link_join) &
}

down_during_io() {
	local version=$1 begin

	nfs_mount "$version"
	steady_start 8
	on_server server_link_pause
	sleep 0.5
	link_cut
	say "vers=$version: link down"
	sleep 2
	steady_count
	sleep $((DOWN_SECONDS - 2))
	! steady_moved 2 || fail "data moved over a link that is down"
	begin=$(now_ms)
	link_join
	say "vers=$version: link up"
	steady_running || fail "the I/O did not survive the dead link"
	steady_recovers link-down-pair "$begin" 60
	say "vers=$version: the I/O goes on, connects: $(rdma_counter "$MNT" connects)"
	steady_finish 90
	rm "$MNT"/steady*
	nfs_umount
}

server() {
	server_start
	pair_serve
	finish
}

client() {
	client_start
	pair_wait_server
	down_during_io 4.1
	pair_stop
	finish
}

link_up
modules_load
"$ROLE"
