#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: version 2: a client sends its properties while the server's send queue is full: the server answers when send queue slots are available
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg smpdbg/rxe kcsan/rxe
# timeout: 90
# env: PARAMETERS=svcrdma.versions=both
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"
. "$GUEST_DIR/peer.sh"

wire_up
wire_slow
insmod "$TESTMOD_DIR/test_smallq.ko"
modules_load
server_start
peer_ready
every_round peer_requester2 v2-connprop-busy
within 10 no_connected_qp || fail "a connection stays"
server_stop
modules_unload
rmmod test_smallq
finish
