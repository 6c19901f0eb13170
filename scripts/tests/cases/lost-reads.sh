#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a connection is lost while one of its Calls hangs in nfsd, and RDMA Reads of others wait for send queue slots: the server frees the memory of those that wait (V1-SEC-15)
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg/rxe
# timeout: 90
# in-check: yes

# With test_stall no RDMA Read that was posted completes, not even after the loss, as on a
# device that is late. So just what was posted stays in use.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"
. "$GUEST_DIR/connections.sh"
. "$GUEST_DIR/lost.sh"

CALLS=24
CALL_KIB=4

posts() {
	shown server counters/post_sends
}

# More Calls need memory than RDMA Reads are posted, and what is posted stays the same
reads_wait() {
	local before

	before=$(posts)
	sleep 1
	used_is $(((CALLS + 1) * CALL_KIB)) && [ "$(posts)" -eq "$before" ]
}

link_up
insmod "$TESTMOD_DIR/test_stall.ko"
insmod "$TESTMOD_DIR/test_smallq.ko"
modules_load
server_export_on_disk
NFSD_THREADS=4
server_start
peer_ready
echo 3600 > /sys/module/svcrdma/parameters/transfer_timeout
# A keepalive is a post too
echo 0 > /sys/module/rpcrdma/parameters/keepalive_seconds
first_hangs lost-reads first
echo 1 > /sys/module/test_stall/parameters/stall
before=$(posts)
step reads
within "$(scaled 20)" reads_wait || fail "$(cat $USED) KiB of data sinks, $(posts) posts"
posted=$(($(posts) - before))
say "RDMA Reads of $posted Calls are posted, those of $((CALLS - posted)) wait"
[ $posted -lt $CALLS ] || fail "the send queue is not full"
step loss
uses $((posted + 1)) "the connection is lost, and one of its Calls hangs"
fsfreeze -u "$EXPORT"
wait $PEER_PID || fail "the raw peer found something wrong: $(cat $LOG)"
uses 0 "the Call has ended"
server_stop
modules_unload
rmmod test_smallq test_stall
finish
