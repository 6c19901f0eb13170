#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the raw peer sends Calls with Read chunks of every valid and invalid shape to the server, which has no more RDMA Reads outstanding than client and device allow
# lanes: uml umldbg stock
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg
# timeout: 120
# in-check: yes
# strict-run: rxe/irdma siw/cxgb4
# lanes[strict]: uml umldbg

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
server_start
peer_ready
peer_requester read-sizes read-segments read-tiny-segments read-empty-segments read-released \
	read-symlink read-chunks read-partly read-lengths read-positions \
	read-overlap read-huge read-many-segments read-many-chunks \
	read-bad-memory read-not-eligible read-acl long-small long-write long-and-chunk \
	long-trailing long-words reads-few reads-none
log_has 'not accepted: the client allows no RDMA Reads' ||
	fail "a connection without RDMA Reads was not refused for that reason"
refused_for too_many_segs position_align position_range chunk_length seg_wrap \
	payload_short xid msg_type too_many_reads not_eligible item_length
insmod "$TESTMOD_DIR/test_smallq.ko" reads=4
peer_requester reads-device
rmmod test_smallq
finish
