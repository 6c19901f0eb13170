#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: sunrpc's fault point (fail_sunrpc) closes the connection of verified I/O at the client and at the server, and under a recall: the I/O goes on with correct data, and the recall is answered over the next connection
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

# Nothing but the callback sends a Call when it strikes. Later the client does, and so
# connects again.
recall_is_answered() {
	local before recall

	echo content > "$EXPORT/held"
	exec 5< "$MNT/held"
	grep -qs 'type: deleg' "$NFSD"/clients/*/states || fail "no delegation"
	before=$(connects)
	arm client 1 1
	"$GUEST_DIR/break-leases" 80 "$EXPORT/held" &
	recall=$!
	within 10 has_struck || fail "the recall sends no Call"
	while kill -0 $recall 2> /dev/null; do
		sleep 1
		stat "$MNT/file" > /dev/null
	done
	wait $recall || fail "the recall is not answered"
	exec 5<&-
	[ "$(connects)" -gt "$before" ] || fail "the connection of the callback was not closed"
	say "a recall: ok"
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
