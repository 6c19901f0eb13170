#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: one export hangs with WRITEs in nfsd, and one end is the in-tree module: says how long the other export takes to answer; when the first one goes on, its Calls are answered
# lanes: uml
# provider: rxe siw
# guests: 2
# peers: ours-intree intree-ours
# timeout: 1200
# in-check: no

# As hung-export, in real time. Only the answers in the end and the data are judged.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/hung-export.sh"

HANG=${HANG:-75}		# seconds
TURNS=${TURNS:-3-30,3-600,4.1-30,4.1-600}	# NFS version, timeo in tenths of a second

sum_of() {
	sha256sum < "$1"
}

writers_end() {
	local number begin

	begin=$(now_ms)
	for ((number = 0; number < WRITERS; number++)); do
		wait "${WRITING[number]}" || fail "vers=$1: a write failed"
		[ "$(on_server sum_of "$EXPORT/hung/file$number")" = "$(sum_of /tmp/source)" ] ||
			fail "vers=$1: the server has other data"
	done
	say "vers=$1: the WRITEs are answered $(($(now_ms) - begin)) ms after the export goes on"
}

hangs() {
	local version=${1%-*} timeo=${1#*-} number connects

	mount_both "$version" "$timeo"
	: > "$MNT/healthy"
	for ((number = 0; number < WRITERS; number++)); do
		: > "$HUNG/file$number"
	done
	connects=$(rdma_counter "$MNT" connects)
	on_server fsfreeze -f "$EXPORT/hung"
	writers_start
	within 10 on_server threads_blocked || fail "no thread of nfsd works on the WRITEs"
	reader_start
	sleep "$HANG"
	connects=$(($(rdma_counter "$MNT" connects) - connects))
	say "vers=$version timeo=$timeo: worst answer $(reader_worst) ms, $connects new connections in $HANG s"
	on_server fsfreeze -u "$EXPORT/hung"
	writers_end "$version"
	kill $READER
	limited 120 rm "$MNT/healthy"
	nfs_umount $HUNG
	nfs_umount
}

server() {
	server_file_systems
	disk_up
	server_start
	disk_export
	pair_serve
	server_stop
	umount "$EXPORT/hung"
	finish
}

client() {
	local turn

	client_start
	pair_wait_server
	random_file /tmp/source $FILE_BYTES
	for turn in ${TURNS//,/ }; do
		hangs "$turn"
	done
	pair_stop
	finish
}

echo $((HANG + 60)) > /proc/sys/kernel/hung_task_timeout_secs
link_up
modules_load
"$ROLE"
