#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: sixteen connections of one client wait for the only nfsd thread, and one of another client behind them: it is served after at most three Calls of the first; a client that waits alone skips no turn
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml/rxe
# timeout: 90
# in-check: yes

# A file system that hangs keeps the thread until all wait. The tracepoints tell in which order it
# takes their Calls. The other client is the raw peer; it connects over IPv6, so it has another
# address.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"
. "$GUEST_DIR/crowd.sh"
. "$GUEST_DIR/connections.sh"

CONNECTIONS_EACH=16
WRITERS=48
# Without fair turns: as many as there are connections
MOST_BEFORE=3
TRACING=/sys/kernel/tracing

other_start() {
	crowd_start other --connections 1 "$SERVER_ADDR6"
	crowd_expect other up 30
}

# One Call after the other, for a second; crowd_expect waits for their end
other_calls() {
	crowd_command other 'calls 1'
}

# Numbers of the connections whose Calls nfsd got since trace_begin, in this order
handled() {
	sed -n 's/.* svcrdma_handle: conn=\([0-9]*\) .*/\1/p' $TRACING/trace
}

trace_begin() {
	echo > $TRACING/trace
	echo 1 > $TRACING/events/svcrdma/svcrdma_handle/enable
}

trace_end() {
	echo 0 > $TRACING/events/svcrdma/svcrdma_handle/enable
}

find_other() {
	trace_begin
	other_calls
	crowd_expect other calls 30
	trace_end
	# On siw a keepalive of the first client is a Call, too
	OTHER_CONN=$(handled | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
	[ -n "$OTHER_CONN" ] || fail "no Call of the other client has come to nfsd"
}

# In the background: opens the file, and when there is a file /tmp/go, writes all at once
writers_start() {
	rm -f /tmp/open /tmp/go
	python3 - "$MNT/file" $WRITERS <<'END' &
import mmap, os, sys, threading, time
fd = os.open(sys.argv[1], os.O_WRONLY | os.O_DIRECT)
page = mmap.mmap(-1, 4096)
open("/tmp/open", "w").close()
while not os.path.exists("/tmp/go"):
    time.sleep(0.05)
done = []
writers = [threading.Thread(target=lambda n=n: done.append(os.pwrite(fd, page, n * 4096)))
           for n in range(int(sys.argv[2]))]
for each in writers:
    each.start()
for each in writers:
    each.join()
sys.exit(done != [4096] * len(writers))
END
	WRITERS_PID=$!
	within "$(scaled 20)" test -e /tmp/open || fail "the writers do not begin"
}

writers_end() {
	wait $WRITERS_PID || fail "a WRITE failed"
}

# The newest connection, which is that of the other client, has a Call
other_waits() {
	[ "$(shown server requests_in_flight)" -ge 1 ]
}

# unanswered COUNT: Calls on all connections
unanswered() {
	[ "$(cat "$CONNECTIONS"/server-*/requests_in_flight | awk '{ n += $1 } END { print n }')" -ge "$1" ]
}

turns_skipped() {
	cat "$CONNECTIONS"/server-*/counters | awk '$1 == "turns_skipped" { n += $2 } END { print n + 0 }'
}

# queue_up: all connections of the first client wait, while the only thread hangs
queue_up() {
	writers_start
	fsfreeze -f "$EXPORT"
	: > /tmp/go
	within "$(scaled 20)" unanswered $WRITERS || fail "not all WRITEs have come to the server"
}

alone() {
	local before

	before=$(turns_skipped)
	queue_up
	fsfreeze -u "$EXPORT"
	writers_end
	compare 'turns skipped by a client that waits alone' \
		$(($(turns_skipped) - before)) -eq 0
}

together() {
	local first

	queue_up
	trace_begin
	other_calls
	within "$(scaled 20)" other_waits || fail "the other client's Call has not come"
	fsfreeze -u "$EXPORT"
	crowd_expect other calls 30
	writers_end
	trace_end
	first=$(handled | awk -v other="$OTHER_CONN" '$1 == other && !found++ { print NR - 1 }')
	say "Calls of the first client before that of the other one: ${first:-all}; turns skipped: $(turns_skipped)"
	compare 'Calls of the first client before that of the other one' "${first:-999}" -le $MOST_BEFORE
	compare 'turns skipped' "$(turns_skipped)" -ge $((CONNECTIONS_EACH / 2))
}

link_up
modules_load
server_export_on_disk
NFSD_THREADS=1 server_start
nfs_mount 3 "$MNT" nconnect=$CONNECTIONS_EACH
dd if=/dev/zero of="$MNT/file" bs=4k count=$WRITERS oflag=direct status=none
peer_ready
other_start
find_other
alone
together
crowd_stop other
nfs_umount
finish
