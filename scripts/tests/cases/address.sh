#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the client's address changes during I/O: the I/O continues from the new address with correct data, and both sides close the old connection
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/steady-io.sh"

# rpcrdma.keepalive_seconds, and 3 s to connect
SECONDS_TO_RESUME=13
ADDRESSES=(192.168.77.2 192.168.77.3)

# No packet to the old address is answered, and none can be sent from it.
move_address() {
	ip addr del "${ADDRESSES[0]}/24" dev "$NET_DEV"
	ADDRESSES=("${ADDRESSES[1]}" "${ADDRESSES[0]}")
	address_add "${ADDRESSES[0]}"
}

connected_queue_pairs() {
	echo $(($(rdma_count qp) - QPS_BEFORE))
}

server_has_one() {
	[ "$(on_server connected_queue_pairs)" -eq 1 ]
}

move_during_io() {
	local begin

	nfs_mount "$1"
	steady_start 8
	move_address
	steady_count
	begin=$(now_ms)
	steady_recovers address "$begin" $SECONDS_TO_RESUME
	steady_goes_on 10
	[ "$(rdma_counter "$MNT" connects)" -gt 1 ] || fail "it is still the old connection"
	steady_finish 90
	# On iWARP only TCP finds out, after a quarter of an hour (Documentation/faults.rst).
	if [ "$PROVIDER" = siw ]; then
		say "left out: the server's end of the old connection; TCP finds out too late"
	else
		within 20 server_has_one || fail "the server keeps a connection to the old address"
	fi
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
	every_round move_during_io 4.1
	recovery_report
	pair_stop
	finish
}

link_up
modules_load
"$ROLE"
