#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a local invalidation fails: the connection is closed before the RPC ends, and the Call is sent again
# lanes: uml umldbg
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# strict: test_invalidate names a handle that does not exist, which the layer reports
# needs: peer
# timeout: 60
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
insmod "$TESTMOD_DIR/test_invalidate.ko"
modules_load
peer_backend
peer_ready
peer_responder invalidation-fails
server_stop
modules_unload
rmmod test_invalidate
finish
