#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the server and thresholds, invalidation, and peers that leave, are silent, or offer memory that they do not own
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg
# timeout: 180
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
server_start
peer_ready
peer_requester inline-calls inline-too-long private-data private-data-wrong \
	invalidate invalidate-dead invalidate-read invalidate-nothing invalidate-refused \
	leave-reading leave-writing leave-calling write-bad-memory \
	silent-peers no-receive crowd errors-repeated
finish
