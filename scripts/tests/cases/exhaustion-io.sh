#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: memory is exhausted, so that reclaim fails, again and again, on the client, on the server, on both: a mount writes, reads and stats all the time, a lost connection is replaced, all goes on in time when there is memory again, correct data
# lanes: uml umldbg
# provider: rxe siw
# lengths: short full
# guests: 2
# peers: ours-ours
# memory: 512M
# mtu: 1500
# every: uml
# timeout: 120
# in-check: yes
# timeout[full]: 1500
# in-check[full]: no
# harmless: .*page allocation failure
# Drivers and the CM may say that they get no memory.
# env: VICTIM_BYTES=1048576
# env[full]: ROUNDS=30 VICTIM_BYTES=1048576

. "${GUEST_LIB:?}"
. "$GUEST_DIR/exhaust.sh"

# The bound of Documentation/faults.rst, seconds
LIMIT=8
# TCP may have to send a packet again that was dropped for memory: 1, 2 and 4 s
[ "$PROVIDER" = rxe ] || LIMIT=20
ROUNDS=${ROUNDS:-3}

# exhaust_rounds VERSION SIDE...
exhaust_rounds() {
	local version=$1 longest where
	shift

	[ "$*" = client ] || on_server exhaust_serve
	mapfile -t where < <(exhaust_where "$@")
	nfs_mount "$version" "$MNT" noac
	longest=$(exhausted rounds "$(scaled $LIMIT)" "$MNT" "$ROUNDS" "${where[@]}")
	[ "$longest" != none ] || fail "$*, vers=$version: not all goes on within $LIMIT s"
	say "$*, vers=$version: all goes on within $longest ms, $ROUNDS rounds"
	rm "$MNT"/*
	nfs_umount
}

server() {
	server_start
	pair_serve
	rmmod test_exhaust
	finish
}

client() {
	client_start
	pair_wait_server
	insmod "$TESTMOD_DIR/test_cut.ko"
	exhaust_rounds 3 client
	exhaust_rounds 4.1 server
	exhaust_rounds 3 client server
	[ "$ROUNDS" -le 3 ] || {
		exhaust_rounds 4.1 client
		exhaust_rounds 3 server
		exhaust_rounds 4.1 client server
	}
	exhaust_end
}

link_up
exhaust_load
modules_load
"$ROLE"
