#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a Call of a soft NFSv4 mount waits for a busy server longer than the time-outs of the mount, and then its connection is cut: it is sent again, and succeeds
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 90
# in-check: yes

. "${GUEST_LIB:?}"

# Such a Call may end only if the connection stays broken: the time for that is the whole
# time of the mount, timeo * (retrans + 1), and begins when the connection is lost.
TIMEO=30		# tenths of a second
RETRANS=1
BUSY_SECONDS=15
FILE_BYTES=$((1 << 18))

threads_blocked() {
	ps -eo stat,comm | grep -q '^D.* nfsd'
}

reconnected() {
	[ "$(rdma_counter "$MNT" connects)" -gt "$1" ]
}

outlives_the_cut() {
	local version=$1 connects writer

	nfs_mount "$version" "$MNT" "soft,timeo=$TIMEO,retrans=$RETRANS"
	: > "$MNT/file"
	connects=$(rdma_counter "$MNT" connects)
	fsfreeze -f "$EXPORT"
	dd if=/tmp/source of="$MNT/file" bs=$FILE_BYTES oflag=direct conv=notrunc status=none &
	writer=$!
	within 10 threads_blocked || fail "no thread of nfsd works on the WRITE"
	sleep $BUSY_SECONDS
	kill -0 $writer || fail "vers=$version: the WRITE does not wait for the server"
	echo 0 > /sys/module/test_cut/parameters/cut
	within 20 reconnected "$connects" || fail "vers=$version: no new connection"
	fsfreeze -u "$EXPORT"
	wait $writer || fail "vers=$version: the WRITE failed"
	same_file /tmp/source "$EXPORT/file"
	rm "$MNT/file"
	nfs_umount
	say "vers=$version: ok"
}

link_up
insmod "$TESTMOD_DIR/test_cut.ko"
modules_load
server_export_on_disk
random_file /tmp/source $FILE_BYTES
server_start
in_turns outlives_the_cut 4.0 4.2
umount_all
clients_gone
server_stop
within 10 no_connected_qp || fail "a connection stays"
rmmod test_cut
finish
