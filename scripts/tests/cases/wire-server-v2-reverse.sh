#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: version 2: credits and the reverse direction against the server
# lanes: uml umldbg stock
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg
# timeout: 120
# env: PARAMETERS=svcrdma.versions=both
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
# nfsd gives up a callback after a tenth of it.
NFSD_LEASE=90
server_start
peer_ready
peer_requester2 v2-credit-first v2-credit-requests v2-credit-all \
	v2-credit-overrun v2-credit-one-receive v2-reverse-recall \
	v2-reverse-credits v2-reverse-same-xid v2-reverse-strangers \
	v2-reverse-unasked v2-reverse-separate v2-reverse-errors \
	v2-reverse-sense v2-reverse-levels
refused_for unexpected_error unknown_xid credits msg_type
finish
