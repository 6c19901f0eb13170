#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: version 2: header types, flags and bad Calls are sent to the server, which must return the right error for each
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
server_start
peer_ready
peer_requester2 v2-null v2-xids v2-types v2-flags v2-sense v2-error-in v2-forms \
	v2-payload-words v2-one-receive v2-read-chunks v2-read-chunks-none \
	v2-write-chunks v2-segments v2-write-resource v2-reply-resource \
	v2-one-answer v2-cut v2-discriminators v2-counts v2-payload-cut \
	v2-errors-repeated
refused_for short proc bad_bool list_cut too_many_segs too_many_chunks position_range \
	nomsg_empty msg_with_p0 payload_short xid unexpected_error unknown_xid reply_too_big \
	write_too_small msg_type too_many_reads properties_twice not_eligible
finish
