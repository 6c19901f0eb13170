#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: what a connection of the server needs depends on what its client transfers, not on the largest payload that nfsd takes: queues, and kernel memory idle and after transfers
# lanes: uml
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# timeout: 120
# in-check: yes

# Memory is that of the server and of the raw peer's queues, which are always the same.
# Where nfsd takes 1 MiB at most, only that is measured.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"
. "$GUEST_DIR/memory.sh"
. "$GUEST_DIR/peer.sh"

MIB=1048576
LARGEST=$((4 * MIB))
CONNS=8			# of the scenario largest-kept
# KiB for each connection: noise; what it keeps of a READ and a WRITE for the next ones
NOISE=64
KEPT=128
declare -A idle used depths

# For the peer, which runs it in a shell of its own
memory_look() {
	memory_quiet
	memory_kernel > "/tmp/memory-$1"
	[ -s "/tmp/memory-$1" ] || return 1
	[ "$1" != idle ] ||
		tail -qn 1 "$CONNECTIONS"/server-*/{send,receive,completion}_queue_depth > /tmp/depths
}
export -f memory_look memory_quiet memory_kernel memory_at_hand drop_caches
export CONNECTIONS PEER_LOOK=memory_look

grown() {
	echo $((($(cat "/tmp/memory-$2") - $(cat "/tmp/memory-$1")) / CONNS))
}

serve() {
	server_stop
	NFSD_PAYLOAD=$1
	server_tune
	server_threads "$NFSD_THREADS"
	server_listen
	[ "$(cat $NFSD/max_block_size)" -eq "$1" ]
}

# The first connections fill caches that stay.
measure() {
	local again

	export PEER_PAYLOAD=$1
	peer_requester largest-kept
	within 10 no_connected_qp || fail "connections are left"
	peer_requester largest-kept
	idle[$1]=$(grown none idle)
	used[$1]=$(grown idle used)
	depths[$1]=$(uniq /tmp/depths | paste -sd' ')
	again=$(grown used again)
	say "payload $1: each connection ${idle[$1]} KiB, ${used[$1]} more after transfers, $again more after others; queues ${depths[$1]}"
	[ "${used[$1]}" -le $KEPT ] || fail "a connection keeps ${used[$1]} KiB of its transfers"
	[ "$again" -le $NOISE ] || fail "each transfer makes a connection larger"
}

compare_payloads() {
	[ "${depths[$LARGEST]}" = "${depths[$MIB]}" ] || fail "the queues are larger"
	[ "${idle[$LARGEST]}" -le $((idle[$MIB] + NOISE)) ] || fail "an idle connection is larger"
}

NFSD_PAYLOAD=$LARGEST
link_up
modules_load
server_start
LARGEST=$(largest_payload)
peer_ready
serve $MIB
measure $MIB
if [ "$LARGEST" -gt $MIB ]; then
	serve "$LARGEST"
	measure "$LARGEST"
	compare_payloads
else
	say "left out: a larger payload; nfsd of this kernel takes 1 MiB at most"
fi
finish
