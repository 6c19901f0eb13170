#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: version 2: every error as the answer to a Call of the client: which Calls are sent again, and which RPCs fail
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
modules_load
peer_backend
peer_ready
peer_responder2 v2-permanent v2-not-repairable v2-read-chunks-repair \
	v2-write-chunks-repair v2-reply-resource-repair v2-two-errors \
	v2-error-session v2-error-credits v2-error-bad v2-dead-after-error
refused_for err_body unexpected_error
finish
