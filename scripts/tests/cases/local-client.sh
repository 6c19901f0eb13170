#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: nfsd learns which Calls come from its own machine: all of a mount that the server has of itself, none of another client, although the same threads serve both
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours
# every: uml/siw
# timeout: 120
# in-check: yes

# Without that an nfsd thread waits until dirty pages are clean that only it can write.

. "${GUEST_LIB:?}"

EVENT=/sys/kernel/tracing/events/sunrpc/svc_send
TRACE=/sys/kernel/tracing/trace
ROUNDS=20

# On the server

server_own_mount() {
	mkdir -p /mnt/own
	nfs_mount 4.2 /mnt/own noac
	echo 1 > $EVENT/enable
}

server_own_round() {
	echo "$1" > "/mnt/own/own$1" && sync
}

# server_calls ADDRESS: how many Calls of a client had the flag, and how many had not
server_calls() {
	awk -v client="client=$1:" '
		index($0, client) { if (/flags=.*LOCAL/) yes++; else no++ }
		END { print yes + 0, no + 0 }' $TRACE
}

server_end() {
	echo 0 > $EVENT/enable
	nfs_umount /mnt/own
}

client() {
	local i own other

	link_up
	modules_load
	client_start
	pair_wait_server
	nfs_mount 4.2 "$MNT" noac
	on_server server_own_mount || fail "the server cannot mount its own export"
	for ((i = 0; i < ROUNDS; i++)); do
		on_server server_own_round "$i" || fail "no write by the server itself"
		echo "$i" > "$MNT/other$i"
	done
	own=$(on_server server_calls "$SERVER_ADDR")
	other=$(on_server server_calls "$OWN_ADDR")
	say "Calls that are local, and not: of the server itself $own, of the client $other"
	[[ $own =~ ^[1-9][0-9]*\ 0$ ]] || fail "Calls of the server itself do not count as local"
	[[ $other =~ ^0\ [1-9][0-9]*$ ]] || fail "Calls of another machine count as local"
	nfs_umount
	on_server server_end || fail "the server cannot unmount"
	pair_stop
	finish
}

server() {
	link_up
	modules_load
	server_start
	pair_serve
	finish
}

"$ROLE"
