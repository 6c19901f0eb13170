#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a Reply of NFSv4 that can only be refused as a Call: the client gives its connection up after some minutes, and the Call is sent again on another one
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# boot: time-travel
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
peer_backend
peer_ready
log_mark
peer_responder reply-as-call
log_has 'connection lost: no answer in time' || fail "the log does not say why the connection was closed"
finish
