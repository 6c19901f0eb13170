#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the raw peer uses memory of the client after the RPC, and invalidates what it should not
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
peer_backend
peer_ready
peer_responder 'dead-*' reply-after-signal credits-given-up plain-send \
	unknown-invalidation foreign-invalidation
finish
