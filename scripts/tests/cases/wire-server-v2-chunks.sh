#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: version 2: chunks of every kind, thresholds and remote invalidation against the server
# lanes: uml umldbg stock
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg
# timeout: 180
# env: PARAMETERS=svcrdma.versions=both
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
server_start
peer_ready
peer_requester2 v2-invalidate v2-invalidate-read v2-invalidate-none \
	v2-invalidate-foreign v2-invalidate-error v2-invalidate-private \
	v2-read-sizes v2-read-segments v2-read-lengths v2-read-positions \
	v2-read-huge v2-read-many-segments v2-read-bad-memory v2-long-small \
	v2-long-write v2-long-and-chunk v2-long-trailing v2-long-words \
	v2-write-sizes v2-write-segments v2-write-small v2-write-unused \
	v2-compound-pairs v2-reply-long v2-reply-edges v2-reply-small \
	v2-reply-to-long-call v2-inline-calls v2-inline-too-long
refused_for proc too_many_segs position_align position_range chunk_length seg_wrap \
	payload_short xid reply_too_big write_too_small msg_type item_length
finish
