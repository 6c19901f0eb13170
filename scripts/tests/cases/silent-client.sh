#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a client connects and sends nothing: on iWARP, where the server may not send first, the connection closes within the keepalive time, and one of a client that is idle later stays
# lanes: uml umldbg
# provider: siw
# guests: 1
# mods: ours
# needs: peer
# timeout: 90
# in-check: yes

# siw may leave the first Call of a client in its socket. A client that is told of the end sends it again.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

KEEPALIVE_SECONDS=4
WATCHED_SECONDS=12

silent_client() {
	mkfifo /tmp/silent
	"$PEER" flood 1 "$SERVER_ADDR" "$PORT" < /tmp/silent > /tmp/silent.log 2>&1 &
	pid=$!
	exec 7> /tmp/silent
	within 20 grep -qx sent /tmp/silent.log || fail "it does not connect: $(cat /tmp/silent.log)"
}

closed_as_silent() {
	log_has 'peer does not answer'
}

link_up
modules_load
echo $KEEPALIVE_SECONDS > /sys/module/rpcrdma/parameters/keepalive_seconds
server_start
peer_ready
log_mark
silent_client
within $WATCHED_SECONDS closed_as_silent || fail "the connection of a silent client stays"
exec 7>&-
wait "$pid" || fail "the client: $(cat /tmp/silent.log)"
nfs_mount 3
echo word > "$MNT/word"
log_mark
sleep $WATCHED_SECONDS
! closed_as_silent || fail "an idle client was taken for dead"
[ "$(rdma_counter "$MNT" connects)" -eq 1 ] || fail "an idle connection was closed"
finish
