#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: version 2: a mount does I/O with the raw peer, which checks every message, and sends bad Replies and other bad messages
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
insmod "$TESTMOD_DIR/test_verbs.ko"
modules_load
# The tmpfs of 6.1 has no attributes "user.*".
server_export_on_disk
peer_backend
peer_ready
peer_responder2 v2-watch-42 v2-watch-3 v2-watch-40 v2-watch-41 v2-bad-replies \
	v2-odd-flags v2-no-reply-chunk v2-unknown-types v2-second-connprop \
	v2-cut-headers v2-stray-replies v2-write-lists v2-write-emptied v2-inexact-lists v2-several-segments \
	v2-grant-zero v2-grant-changes v2-grant-lowered v2-grant-burst
refused_for short vers proc list_cut payload_short xid unknown_xid reply_read_list \
	reply_chunks reply_overrun reply_form no_reverse msg_type property properties_twice
server_stop
modules_unload
rmmod test_verbs
finish
