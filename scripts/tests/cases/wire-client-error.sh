#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: RDMA_ERROR from the raw peer fails its RPC and no other; the client keeps to grants of all kinds
# lanes: uml umldbg
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# timeout: 180
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
insmod "$TESTMOD_DIR/test_verbs.ko"
modules_load
peer_backend
peer_ready
peer_responder 'err-*' 'grant-*'
refused_for err_body unexpected_error no_reverse
server_stop
modules_unload
rmmod test_verbs
finish
