#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: version 2: invalidation, lost connections and the reverse direction of the client
# lanes: uml umldbg
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# timeout: 240
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
peer_backend
peer_ready
peer_responder2 v2-other-handle v2-error-invalidates v2-dead-write-chunk \
	v2-dead-reply-chunk v2-dead-others v2-plain-send v2-unknown-invalidation \
	v2-foreign-invalidation v2-dropped v2-fresh-handles v2-reply-lost \
	v2-reverse-recall v2-reverse-null v2-reverse-chunks \
	v2-reverse-same-xid v2-reverse-several v2-reverse-size v2-reverse-absent \
	v2-reverse-flags
refused_for bad_invalidation reverse_chunks no_reverse msg_type
finish
