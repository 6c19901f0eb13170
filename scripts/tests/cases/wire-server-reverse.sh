#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: nfsd's callbacks reach the raw peer as RFC 8167 specifies, several at once within its credits, and answers of every kind are accepted or dropped
# lanes: uml umldbg stock smpdbg kcsan
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg smpdbg/siw kcsan/rxe
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
# A recalled delegation is returned only at the end of a scenario.
NFSD_LEASE=90
server_start
peer_ready
peer_requester reverse-recall reverse-credits reverse-same-xid \
	reverse-strangers reverse-unasked reverse-separate reverse-error \
	reverse-lost
refused_for unexpected_error unknown_xid
finish
