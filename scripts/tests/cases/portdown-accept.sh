#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the server's network device is down for a moment, in which nfsd takes a connect request that has waited for a thread: nothing is sent through the port, so that the client connects when it is up again; a request whose client has given up is not accepted
# lanes: uml umldbg
# provider: rxe
# guests: 1
# mods: ours
# needs: peer
# boot: time-travel
# timeout: 120
# in-check: yes

# Not with several CPUs: see portdown-server.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"
. "$GUEST_DIR/connections.sh"
. "$GUEST_DIR/peer.sh"
. "$GUEST_DIR/setups.sh"

FILE_BYTES=$((1 << 20))

threads_blocked() {
	ps -eo stat,comm | grep -q '^D.* nfsd'
}

request_waits() {
	grep -qsx resolved "$CONNECTIONS"/server-*/state
}

no_request_waits() {
	! request_waits
}

# The only thread of nfsd works on a WRITE
occupy_thread() {
	fsfreeze -f "$EXPORT"
	dd if=/tmp/source of="$MNT/file" bs=1M oflag=direct conv=notrunc status=none &
	within 10 threads_blocked || fail "no thread of nfsd works on the WRITE"
}

# The thread is occupied, and the client connects again.
request_pending() {
	occupy_thread
	within 10 has_connection client || fail "no client is connected"
	echo 1 > "$NEWEST/disconnect"
	within 20 request_waits || fail "no connect request waits for a thread"
}

# Shorter than the time after which the client's CM repeats its request
taken_while_down() {
	wire_cut server
	fsfreeze -u "$EXPORT"
	sleep 1
	! request_waits || fail "the connect request still waits"
	wire_join server
}

# The client that gives up is the raw peer.
taken_too_late() {
	local write peer

	occupy_thread
	write=$!
	# That it ends without an answer is no failure
	(trap - ERR; join early) &
	peer=$!
	within 20 request_waits || fail "no connect request waits for a thread"
	! wait $peer || fail "the peer has an answer, without a thread"
	within 10 no_request_waits || fail "the server does not know that the peer has given up"
	log_mark
	fsfreeze -u "$EXPORT"
	within 10 log_has 'not accepted: the client has closed it already \(-107\)' ||
		fail "the server does not say that the client has closed the connection"
	wait $write || fail "the WRITE failed"
}

wire_up
modules_load
random_file /tmp/source $FILE_BYTES
server_export_on_disk
server_start
server_threads 1
peer_ready
nfs_mount 3
cp /tmp/source "$MNT/file"
request_pending
taken_while_down
limited 60 tail --pid=$! -f /dev/null || fail "the WRITE is not answered: the port is stuck"
wait $! || fail "the WRITE failed"
same_file /tmp/source "$EXPORT/file"
taken_too_late
rm "$MNT/file"
finish
