#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: version 2: the raw peer answers the client's opening Call and its CONNPROP in every way, or not at all
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
peer_responder2 v2-probe v2-sizes v2-properties v2-bad-answers v2-fall-back \
	v2-probe-refused v2-no-properties v2-late-answer v2-probe-lost v2-probe-unanswered \
	v2-only-by-then v2-no-common-version v2-never-below v2-odd-answers v2-strays-first
refused_for vers unknown_xid property
finish
