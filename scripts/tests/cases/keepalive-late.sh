#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the answer to a keepalive has come, and a busy completion handler keeps it waiting for longer than the keepalive time: neither end takes the other for dead
# lanes: uml umldbg
# provider: rxe
# guests: 1
# mods: ours
# every: uml
# timeout: 120
# in-check: yes

# With test_stall one poll of a completion queue, that of the idle client or server, takes longer
# than the keepalive time. Not on iWARP, where only the software of the peer can answer.

. "${GUEST_LIB:?}"

KEEPALIVE_SECONDS=4
LATE_SECONDS=8
ROUNDS=${ROUNDS:-3}
POLL=/sys/module/test_stall/parameters/poll_ms

is_late() {
	[ "$(cat $POLL)" -eq 0 ]
}

one_poll_is_late() {
	echo $((LATE_SECONDS * 1000)) > $POLL
	within $((2 * KEEPALIVE_SECONDS)) is_late || fail "nothing is sent over an idle connection"
	sleep $((LATE_SECONDS + 1))
}

link_up
insmod "$TESTMOD_DIR/test_stall.ko"
modules_load
echo $KEEPALIVE_SECONDS > /sys/module/rpcrdma/parameters/keepalive_seconds
# A task that polls does not sleep, as test_stall does
echo 0 > /sys/module/rpcrdma/parameters/busy_poll_us
server_start
nfs_mount 3
echo before > "$MNT/word"
log_mark
for ((round = 1; round <= ROUNDS; round++)); do
	one_poll_is_late
done
! log_has 'peer does not answer' || fail "a living peer was taken for dead"
[ "$(rdma_counter "$MNT" connects)" -eq 1 ] || fail "the connection was closed"
[ "$(limited 60 cat "$MNT/word")" = before ] || fail "the mount does not work afterwards"
nfs_umount
server_stop
modules_unload
rmmod test_stall
finish
