#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a client that sends more than there are Receives loses its connection; with a server that posts no Receive nothing completes, and a killed task ends in time
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# boot: time-travel
# timeout: 180
# in-check: yes

# Keepalives are off, so the client's own limit of 30 s applies to the second one. siw
# completes a Send when TCP has accepted it, so there a task ends at once.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

overrun() {
	peer_requester credit-overrun
	log_has 'refused: more Calls than granted' ||
		fail "the connection was not closed for too many Calls"
	# EPROTO
	log_has 'connection lost: peer broke the protocol \(-71\)' ||
		fail "the log does not say that the client broke the protocol"
}

no_receives() {
	peer_responder no-receives
}

link_up
modules_load
[ "$MODS" != ours ] || echo 0 > /sys/module/rpcrdma/parameters/keepalive_seconds
server_start
peer_ready
every_round overrun
server_stop
peer_backend
every_round no_receives
finish
