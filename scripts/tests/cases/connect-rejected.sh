#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a mount loses its connection, and the server rejects the first attempt to reconnect: the client tries again, and the I/O continues
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 60
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
peer_backend
peer_ready
every_round peer_responder rejected
finish
