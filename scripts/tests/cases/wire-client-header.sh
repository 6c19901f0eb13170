#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the raw peer replies with bad headers and chunk lists: each is counted and logged; a header is dropped for the good Reply that follows, a list ends its RPC, and one that lacks no data is taken
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
peer_responder logged fixed-words withdrawn wrong-forms cut-headers list-words \
	stray-replies short-payload write-lists write-emptied inexact-lists reply-chunks several-segments \
	unreduced other-reduced write-pad followed reply-chunk-unused
refused_for short vers proc "done" bad_bool list_cut xid unknown_xid reply_read_list \
	reply_chunks reply_overrun reply_form msg_type unreduced
finish
