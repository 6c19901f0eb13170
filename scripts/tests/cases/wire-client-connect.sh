#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: CM private data of all kinds; connections rejected, dropped, broken; a server that does not answer
# lanes: uml umldbg smpdbg kcsan
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 240
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
peer_backend
peer_ready
peer_responder 'private-*' rejected-for-good dropped broken fresh-handles handles \
	reply-lost never-answers umount-force
finish
