#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the raw peer accesses the client's memory after the RPC, where it was not offered, or in the wrong direction, uses a Receive without a Send, and invalidates handles that it must not invalidate
# lanes: uml umldbg
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# timeout: 150
# in-check: yes
# strict-run: rxe/mlx5 siw/qedr_iwarp
# lanes[strict]: uml umldbg

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
peer_backend
peer_ready
peer_responder 'dead-*' reply-after-signal credits-given-up write-immediate \
	plain-send unknown-invalidation foreign-invalidation stray-invalidation chunk-rights
refused_for unknown_xid bad_invalidation not_send
finish
