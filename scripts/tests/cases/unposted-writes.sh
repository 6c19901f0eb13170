#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a batch of RDMA Writes of a Reply cannot be posted: nothing is posted after it, above all not the Reply, which would tell of data that is not there
# lanes: umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: umldbg/rxe
# timeout: 60
# in-check: yes

# Only this lane's kernel has fault injection. The peer is a program, so the post that fails
# is the server's.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

FAIL=/sys/kernel/debug/rpcrdma_fail/post_send
COUNTS=/sys/kernel/debug/test_verbs/counts
# Draining a queue pair posts one RDMA Write: one for the connection of the scenario, one for
# that of the check after it
DRAINS=2

link_up
# Short queues, so that the Reply takes several batches
modules_prerequisites
insmod "$TESTMOD_DIR/test_smallq.ko"
insmod "$TESTMOD_DIR/test_verbs.ko"
modules_load
server_start
peer_ready
# Its call trace would look like a report of the kernel
echo 0 > $FAIL/verbose
echo > $COUNTS
peer_requester unposted-writes
echo 0 > $FAIL/probability
[ "$(cat $FAIL/times)" -eq 0 ] || fail "no post has failed"
writes=$(awk '$1 == "rdma_write" { print $2 }' $COUNTS)
say "$writes RDMA Writes"
[ "$writes" -le $DRAINS ] || fail "the rest of the Reply was posted"
finish
