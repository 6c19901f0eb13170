#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the server survives a short fuzz of transport messages from two fixed seeds (scenario fuzz-server; wire-server-fuzz-long is the long one)
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 90
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
server_start
peer_ready
peer_fuzz 42 10
peer_fuzz 43 10
finish
