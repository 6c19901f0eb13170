#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the raw peer sends Calls with Write chunks and Reply chunks of every valid and invalid shape to the server
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
server_start
peer_ready
peer_requester write-sizes write-segments write-empty-segments write-small \
	write-unused write-readlink write-not-eligible write-many write-no-room \
	compound-pairs compound-nothing compound-both compound-create read-plus \
	reply-long reply-edges reply-sizes reply-small reply-empty-segments \
	reply-and-write reply-forced reply-to-long-call
finish
