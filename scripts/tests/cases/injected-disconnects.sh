#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: sunrpc's fault point (fail_sunrpc) closes the connection of verified I/O at the client and at the server, and under a recall: the I/O goes on with correct data, and the delegation is returned over the next connection
# lanes: umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# every: umldbg
# config: CONFIG_FAIL_SUNRPC
# boot: time-travel
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/recall.sh"

FAIL=/sys/kernel/debug/fail_sunrpc
FILE_BYTES=$((3 << 20))
DISCONNECTS=4
ATTEMPTS=3

# arm SIDE TIMES INTERVAL: disconnect at the side "client" or "server" only. A callback has its client
# on the server.
arm() {
	echo Y > $FAIL/ignore-client-disconnect
	echo Y > $FAIL/ignore-server-disconnect
	echo N > "$FAIL/ignore-$1-disconnect"
	echo "$3" > $FAIL/interval
	echo "$2" > $FAIL/times
	echo 100 > $FAIL/probability
}

has_struck() {
	[ "$(cat $FAIL/times)" -eq 0 ]
}

connects() {
	rdma_counter "$MNT" connects
}

# io_goes_on SIDE
io_goes_on() {
	local before

	before=$(connects)
	arm "$1" $DISCONNECTS 23
	until has_struck; do
		cp /tmp/source "$MNT/file"
		drop_caches
		same_file /tmp/source "$MNT/file"
	done
	echo 0 > $FAIL/probability
	[ "$(connects)" -gt "$before" ] || fail "the $1 has lost no connection"
	say "$1: $(($(connects) - before)) more connections, data as written"
}

# The client notices that its channel for callbacks is down when it sends a Call.
channel_up() {
	stat "$MNT/file" > /dev/null && recall_channels_up 1
}

# Connections that the server has closed
server_closed() {
	awk '/^closed by this end/ { n = $NF } END { print n + 0 }' /sys/kernel/rpcrdma/server_closes
}

# recall_under_disconnect FILE: nothing but the callback sends a Call when it strikes. Later the client
# does, and so connects again. False if another Call was struck, or if the callback was lost with its
# connection, which nfsd may give up.
recall_under_disconnect() {
	local file=$1 before closed recall status=0

	echo content > "$EXPORT/$file"
	within 30 channel_up || fail "no channel for callbacks"
	exec 5< "$MNT/$file"
	grep -qs 'type: deleg' "$NFSD"/clients/*/states || fail "no delegation"
	before=$(connects)
	closed=$(server_closed)
	arm client 1 1
	"$GUEST_DIR/break-leases" 80 "$EXPORT/$file" &
	recall=$!
	within 10 has_struck || fail "the recall sends no Call"
	while kill -0 $recall 2> /dev/null; do
		sleep 1
		stat "$MNT/file" > /dev/null
	done
	wait $recall || status=$?
	exec 5<&-
	[ $status = 0 ] && [ "$(connects)" -gt "$before" ] && [ "$(server_closed)" -gt "$closed" ]
}

recall_is_answered() {
	local attempt

	for ((attempt = 1; attempt <= ATTEMPTS; attempt++)); do
		! recall_under_disconnect "held$attempt" || { say "a recall: ok"; return; }
	done
	fail "no recall is answered whose connection is closed"
}

link_up
modules_load
echo 0 > $FAIL/verbose
echo Y > $FAIL/ignore-cache-wait
recall_server_start
random_file /tmp/source $FILE_BYTES
nfs_mount 4.1 "$MNT" noac
io_goes_on client
io_goes_on server
recall_is_answered
nfs_umount
finish
