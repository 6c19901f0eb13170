#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: reverse-direction Calls from the raw peer: good ones, several at once, with chunks, with the XID of a forward Call, too many
# lanes: uml umldbg smpdbg kcsan
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
peer_backend
peer_ready
peer_responder 'reverse-*'
refused_for reverse_chunks no_reverse reverse_credits chunk_length
finish
