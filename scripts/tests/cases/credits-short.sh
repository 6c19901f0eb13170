#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the server does not get the memory for all Receives of a connection: it gives back half of what it got, grants the credits for the rest, and answers (V1-CRED-05)
# lanes: umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: umldbg/rxe
# timeout: 90
# in-check: yes

# Only this lane's kernel has fault injection. The peer is a program, so that all buffers
# that fail are the server's: four for Sends, then those for Receives, 64 for the credits of
# the client and some more.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

FAIL=/sys/kernel/debug/rpcrdma_fail/alloc
GOT=45
USED=/proc/sys/sunrpc/svc_rdma/receive_memory_used

has_struck() {
	[ "$(cat $FAIL/times)" -eq 0 ]
}

no_receives() {
	[ "$(cat $USED)" -eq 0 ]
}

granted() {
	dmesg | sed -n 's/.*memory is short, so the client is granted \([0-9]*\) credits.*/\1/p' | tail -n 1
}

link_up
modules_load
server_start
peer_ready
# Its call trace would look like a report of the kernel
echo 0 > $FAIL/verbose
echo $GOT > $FAIL/interval
echo 1 > $FAIL/times
echo 100 > $FAIL/probability
peer_requester inline-calls
echo 0 > $FAIL/probability
has_struck || fail "no buffer has failed"
credits=$(granted)
say "$credits credits, with memory for fewer than $GOT Receives"
[ "${credits:-0}" -ge 4 ] || fail "the connection was not accepted with fewer credits"
# With all Receives that it got it could grant 32.
[ "$credits" -le $((GOT / 2)) ] || fail "it keeps more than half of the Receives"
# No Receive at all: the connection is not accepted, and the budget gets nothing back that it
# has not given
echo 5 > $FAIL/interval
echo 1 > $FAIL/times
echo 100 > $FAIL/probability
! "$PEER" requester "$SERVER_ADDR" "$PORT" inline-calls || fail "a connection without Receives"
echo 0 > $FAIL/probability
has_struck || fail "no buffer has failed"
within 10 no_receives || fail "$(cat $USED) KiB of Receives without a connection"
finish
