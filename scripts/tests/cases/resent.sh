#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the connection is cut while nfsd works on a WRITE: the Call that is sent again on the next connection is answered at once and not after a timeout (V1-RTX-02, ULB-KA-07); correct data
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"

# nfsd drops the second copy of a Call that it still works on (its duplicate reply
# cache), and an NFSv3 client then waits for a minute.
FILE_BYTES=$((1 << 20))
LONG_SECONDS=35
MOST_MS=30000

threads_blocked() {
	ps -eo stat,comm | grep -q '^D.* nfsd'
}

reconnected() {
	[ "$(rdma_counter "$MNT" connects)" -gt "$1" ]
}

# cut_at_work: WRITER sends a WRITE, an nfsd thread works on it, the connection is cut
cut_at_work() {
	local connects

	dd if=/tmp/source of="$MNT/file" bs=1M oflag=direct conv=notrunc status=none &
	WRITER=$!
	within 10 threads_blocked || fail "no thread of nfsd works on the WRITE"
	connects=$(rdma_counter "$MNT" connects)
	echo $RANDOM > /sys/module/test_cut/parameters/cut
	within "$(scaled 20)" reconnected "$connects" || fail "no new connection"
}

# answered BEGIN: at the client, where $WRITER waits; in TOOK ms
answered() {
	wait $WRITER || fail "vers=$version: the write failed"
	TOOK=$(($(now_ms) - $1))
	say "vers=$version: the WRITE is answered after $TOOK ms"
	[ "$MODS" = intree ] || [ $TOOK -lt $MOST_MS ] || fail "that is too late"
	same_file /tmp/source "$EXPORT/file"
}

# The thread finishes soon after the client has reconnected.
short_work() {
	local begin

	fsfreeze -f "$EXPORT"
	cut_at_work
	sleep 1
	fsfreeze -u "$EXPORT"
	begin=$(now_ms)
	answered "$begin"
	recovery_is resent $TOOK
}

# The thread takes long. The second copy is held all that time.
long_work() {
	local connects

	fsfreeze -f "$EXPORT"
	cut_at_work
	log_mark
	connects=$(rdma_counter "$MNT" connects)
	sleep $LONG_SECONDS
	! log_has 'a Call was dropped without an answer' || fail "nfsd got the second copy"
	threads_blocked || fail "the WRITE does not wait any more"
	fsfreeze -u "$EXPORT"
	answered "$(now_ms)"
	[ "$(rdma_counter "$MNT" connects)" -eq "$connects" ] || fail "the client reconnects"
}

# The opening Call of version 2 is not held: the client would take the server for one of
# version 1.
long_work_in_version_2() {
	long_work
	[ "$(connections client version)" = 2 ] || fail "the client has gone back to version 1"
}

mounted() {
	version=$2
	nfs_mount "$version"
	: > "$MNT/file"
	"$1"
	rm "$MNT/file"
	nfs_umount
}

with_short_work() {
	mounted short_work "$1"
}

link_up
insmod "$TESTMOD_DIR/test_cut.ko"
modules_load
server_export_on_disk
random_file /tmp/source $FILE_BYTES
server_start
in_turns with_short_work 3 4.0 4.1
if [ "$MODS" != intree ]; then
	echo both > /sys/module/svcrdma/parameters/versions
	echo both > /sys/module/xprtrdma/parameters/versions
	mounted long_work_in_version_2 3
fi
recovery_report
within 10 no_connected_qp || fail "a connection stays"
rmmod test_cut
finish
