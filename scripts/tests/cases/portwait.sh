#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a closed connection whose network device is down is destroyed when the device is up again; device removal and module unloading do not wait for that
# lanes: uml umldbg
# provider: rxe
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 120
# in-check: yes

# NFSv3, because its umount needs no server.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"

ids() {
	rdma resource show cm_id | grep -c "link ${1:-$PROVIDER}.*state CONNECT" || true
}

ids_are() {
	[ "$(ids "${@:2}")" -eq "$1" ]
}

no_client_qp() {
	! rdma resource show qp | grep -q "link $(wire_device client)/.*comm \[rdma_cm\]"
}

client_qp() {
	! no_client_qp
}

# Of both sides, in any state but listening
nothing_left() {
	! rdma resource show cm_id | grep "link $PROVIDER" | grep -v 'state LISTEN'
}

# A side whose device is down has closed its connection, except for the cm_id.
client_left() {
	nfs_mount 3
	random_file "$MNT/file" 100000
	client_qp || fail "there is no connection to begin with"
	wire_cut client
	nfs_umount
	within 5 no_client_qp || fail "the client's queue pair is still there"
	sleep 4
	ids_are 1 "$(wire_device client)" || fail "the client's cm_id has not waited: $(rdma resource show cm_id)"
}

back_again() {
	local begin

	client_left
	begin=$(now_ms)
	wire_join client
	promptly 10 ids_are 0 || fail "still there: $(rdma resource show cm_id)"
	say "device up again: both ends gone after $(($(now_ms) - begin)) ms"
}

# The queue pair of the CM must still work, however long the device was down.
back_late() {
	client_left
	sleep 180
	wire_join client
	promptly 10 ids_are 0 || fail "still there: $(rdma resource show cm_id)"
	nfs_mount 3
	cp "$MNT/file" /tmp/file
	nfs_umount
	say "device up again after three minutes: a new connection works"
}

removed() {
	client_left
	rdma_link_remove "$(wire_device client)"
	wire_join client
	wire_add client
	within 30 ids_are 0 || fail "the server has not detected that its client is dead"
	say "RDMA device removed: gone with it"
}

# The client's device is up, but has no carrier.
not_begun() {
	wire_known
	wire_cut server
	log_mark
	refused 'down' limited 30 mount -t nfs -o "$(nfs_options 4.1 rdma),retry=0" \
		"$SERVER_ADDR:$(nfs_path 4.1)" "$MNT"
	nothing_left || fail "something is left"
	log_has 'no connection: our port is down \(-100\)' ||
		fail 'the log does not say why'
	wire_join server
	nfs_mount 4.1
	nfs_umount
	say "no connection is begun without a carrier"
}

# Its connections wait in the core, and the listener's module is unloaded.
server_unloaded() {
	nfs_mount 3
	random_file "$MNT/file" 100000
	wire_cut server
	server_stop
	within 5 try_rmmod svcrdma || fail "svcrdma stays in use"
	ids_are 1 "$(wire_device server)" || fail "the server's cm_id has not waited: $(rdma resource show cm_id)"
	wire_join server
	promptly 10 ids_are 0 || fail "still there: $(rdma resource show cm_id)"
	umount -l -f "$MNT"
	within 30 no_client_qp || fail "the client's queue pair is still there"
	modules_unload
	modules_load
	server_start
	say "svcrdma unloaded before its connections have gone"
}

all_unloaded() {
	local begin

	client_left
	server_stop
	begin=$(now_ms)
	modules_unload
	say "modules unloaded after $(($(now_ms) - begin)) ms"
	wire_join client
}

wire_up
modules_load
server_start
back_again
back_late
removed
not_begun
server_unloaded
all_unloaded
finish
