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

hangs() {
	local version=${1%-*} timeo=${1#*-} connects begin

	mount_both "$version" "$timeo"
	: > "$MNT/healthy"
	connects=$(rdma_counter "$MNT" connects)
	writers_hang on_server
	reader_start
	sleep "$HANG"
	connects=$(($(rdma_counter "$MNT" connects) - connects))
	say "vers=$version timeo=$timeo: worst answer $(reader_worst) ms, $connects new connections in $HANG s"
	begin=$(now_ms)
	on_server fsfreeze -u "$EXPORT/hung"
	writers_end on_server
	say "vers=$version: the WRITEs are answered $(($(now_ms) - begin)) ms after the export goes on"
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

hang_allow
link_up
modules_load
"$ROLE"
