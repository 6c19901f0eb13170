#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the raw peer sends Calls with Write chunks and Reply chunks of every valid and invalid shape to the server
# lanes: uml umldbg stock
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

# Where the pages of a Reply happen to be must not decide whether a broken one is sent.
broken_replies() {
	local refused=no

	if [[ $(uname -r) = 6.1.* && -e /sys/kernel/debug/kmemleak ]]; then
		say "left out: reply-broken, where KASAN reports what nfsd of 6.1 writes"
		return
	fi
	peer_requester reply-broken
	! log_has "nfsd's reply is not in its pages" || refused=yes
	[[ $refused = yes || $(uname -r) != 6.1.* ]] || fail "broken Replies are not seen"
	! log_has 'reply fits neither' || fail "a broken Reply was about to be sent"
}

# The payload of a Reply is sent from its pages, in several ranges.
not_copied() {
	local pullup=/sys/module/svcrdma/parameters/pullup before

	before=$(cat $pullup)
	echo 0 > $pullup
	peer_requester compound-pairs compound-nothing
	echo "$before" > $pullup
}

link_up
modules_load
server_start
peer_ready
peer_requester write-sizes write-segments write-empty-segments write-small \
	write-unused write-readlink write-not-eligible write-many write-no-room \
	compound-pairs compound-nothing compound-both compound-create read-plus \
	reply-long reply-edges reply-sizes reply-small reply-empty-segments \
	reply-and-write reply-forced reply-to-long-call
refused_for too_many_segs too_many_chunks reply_too_big write_too_small
not_copied
broken_replies
finish
