#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: RDMA_ERROR from the raw peer ends its RPC and nothing else; grants of all kinds are kept to
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# timeout: 180
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
peer_backend
peer_ready
peer_responder 'err-*' 'grant-*'
finish
