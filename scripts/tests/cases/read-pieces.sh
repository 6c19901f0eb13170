#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: RDMA Reads that never complete have all MRs of a connection: its other Calls wait without a thread of nfsd, another client is answered at once; a Call whose RDMA Reads complete a few bytes at a time does not keep its connection (V1-SEC-15)
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml/siw
# timeout: 90
# in-check: yes

# Only on iWARP do RDMA Reads need MRs. With test_stall no RDMA Read of the server completes, or each
# one late.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

DEADLINE=5		# seconds without progress
LATE_MS=1000		# for each of the 19 rounds of RDMA Reads of a Call
MOST_MS=$(scaled 1000)
LOG=/tmp/pulls-in-pieces.log

calls_are_sent() {
	grep -q 'Calls are sent' $LOG
}

# The time of the slowest of some GETATTRs, in ms
slowest_stat() {
	python3 - "$MNT/file" <<- 'END'
		import os, sys, time
		slowest = 0
		for _ in range(20):
		    begin = time.monotonic()
		    os.stat(sys.argv[1])
		    slowest = max(slowest, time.monotonic() - begin)
		    time.sleep(0.05)
		print(int(slowest * 1000))
	END
}

# One Call holds the memory for its data: for three times the deadline, if each round counted.
dribbles() {
	scaled "$LATE_MS" > /sys/module/test_stall/parameters/late_ms
	"$PEER" requester "$SERVER_ADDR" "$PORT" dribbles > $LOG 2>&1 ||
		fail "the raw peer found something wrong: $(cat $LOG)"
	echo 0 > /sys/module/test_stall/parameters/late_ms
	log_has 'RDMA Reads or Writes make no progress' || fail "the connection was not closed for it"
}

link_up
insmod "$TESTMOD_DIR/test_stall.ko"
modules_load
server_start
peer_ready
scaled $DEADLINE > /sys/module/svcrdma/parameters/transfer_timeout
echo data > "$EXPORT/file"
nfs_mount 3 "$MNT" noac
echo 1 > /sys/module/test_stall/parameters/stall
"$PEER" requester "$SERVER_ADDR" "$PORT" pulls-in-pieces > $LOG 2>&1 &
PEER_PID=$!
within "$(scaled 20)" calls_are_sent || fail "the peer does not begin: $(cat $LOG)"
took=$(slowest_stat)
say "the slowest stat of another client: $took ms"
[ "$took" -le "$MOST_MS" ] || fail "another client waited for $took ms"
wait $PEER_PID || fail "the raw peer found something wrong: $(cat $LOG)"
echo 0 > /sys/module/test_stall/parameters/stall
log_mark
dribbles
# RDMA Reads work again.
dd if=/dev/urandom of="$MNT/file" bs=1M count=4 oflag=direct status=none
umount_all
clients_gone
server_stop
modules_unload
rmmod test_stall
finish
