# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Two exports of one server over one connection, and one of them hangs with WRITEs in nfsd.
# For cases that source this file.

WRITERS=2
HUNG=/mnt/hung
FILE_BYTES=$((1 << 18))

# The threads of nfsd hang for HANG seconds on purpose.
hang_allow() {
	echo $((HANG + 60)) > /proc/sys/kernel/hung_task_timeout_secs
}

# One guest that is client and server; its connection can be cut.
guest_up() {
	hang_allow
	link_up
	insmod "$TESTMOD_DIR/test_cut.ko"
	modules_load
	random_file /tmp/source $FILE_BYTES
	server_file_systems
	disk_up
	server_start
	disk_export
}

# In place of finish
guest_finish() {
	umount_all
	clients_gone
	server_stop
	umount "$EXPORT/hung"
	within 10 no_connected_qp || fail "a connection stays"
	rmmod test_cut
	finish
}

# Server: the export that will hang, and its entry when nfsd runs
disk_up() {
	disk_mount "$EXPORT/hung" 64M
}

disk_export() {
	exportfs -o rw,no_root_squash,insecure,fsid=7,no_subtree_check "*:$EXPORT/hung"
}

# Server: nfsd works on all the WRITEs.
threads_blocked() {
	[ "$(ps -eo stat,comm | grep -c '^D.* nfsd')" -ge $WRITERS ]
}

# mount_both VERSION TIMEO
mount_both() {
	local options="timeo=$2,retrans=2"

	nfs_mount "$1" "$MNT" "$options,noac"
	mkdir -p $HUNG
	case $1 in
	3)	EXPORT=$EXPORT/hung nfs_mount 3 $HUNG "$options" ;;
	*)	limited 60 mount -t nfs -o "$(nfs_options "$1" rdma),$options" \
			"$SERVER_ADDR:/hung" $HUNG ;;
	esac
}

# Ends with the longest time between question and answer, in ms, in the file worst. The
# last one counts although there may be no answer yet.
reader_start() {
	python3 - "$MNT/healthy" /tmp/worst <<'END' &
import os, sys, time
worst = 0
while True:
    begin = time.monotonic()
    with open(sys.argv[2] + ".new", "w") as file:
        file.write("%d %d\n" % (worst, begin * 1000))
    os.rename(sys.argv[2] + ".new", sys.argv[2])
    os.stat(sys.argv[1])
    worst = max(worst, (time.monotonic() - begin) * 1000)
    time.sleep(0.05)
END
	READER=$!
	disown
}

reader_worst() {
	awk -v now="$(python3 -c 'import time; print(int(time.monotonic() * 1000))')" \
		'{ print (now - $2 > $1 ? now - $2 : $1) }' /tmp/worst
}

cut_once() {
	local before

	before=$(rdma_counter "$MNT" connects)
	echo 0 > /sys/module/test_cut/parameters/cut
	within 20 reconnected "$before" || fail "no new connection"
}

reconnected() {
	[ "$(rdma_counter "$MNT" connects)" -gt "$1" ]
}

# writers_hang [COMMAND...]: the export hangs with their WRITEs. WRITING has their process IDs. What
# follows COMMAND runs on the server: on_server in a pair.
writers_hang() {
	local number

	for ((number = 0; number < WRITERS; number++)); do
		: > "$HUNG/file$number"
	done
	"$@" fsfreeze -f "$EXPORT/hung"
	writers_start
	within 10 "$@" threads_blocked || fail "no thread of nfsd works on the WRITEs"
}

writers_start() {
	local number

	WRITING=()
	for ((number = 0; number < WRITERS; number++)); do
		dd if=/tmp/source of="$HUNG/file$number" bs=$FILE_BYTES oflag=direct \
			conv=notrunc status=none &
		WRITING+=($!)
	done
}

# sum_of FILE
sum_of() {
	sha256sum < "$1"
}

# writers_end [COMMAND...]: they end, and what they have written is on the server.
writers_end() {
	local number

	for ((number = 0; number < WRITERS; number++)); do
		wait "${WRITING[number]}" || fail "the write of file$number failed"
		[ "$("$@" sum_of "$EXPORT/hung/file$number")" = "$(sum_of /tmp/source)" ] ||
			fail "file$number on the server is not what was written"
	done
}
