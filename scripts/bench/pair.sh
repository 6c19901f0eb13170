#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# One turn of the benchmark in two guests, client and server, each with its own
# modules: counts of both ends together. Started by scripts/bench/run.
#
# From there: VERSION, PHASES (words NAME:OPERATIONS)

. "${GUEST_LIB:?}"
. "$GUEST_DIR/pair.sh"

# A mount of its own, because only this load must ask the server for attributes each time.
STAT_MNT=/mnt/stat

server() {
	server_start
	pair_serve
	server_stop
}

# work asks the server for its counts as well.
client() {
	local word mnt

	client_start
	pair_wait_server
	nfs_mount "$VERSION" "$MNT"
	nfs_mount "$VERSION" "$STAT_MNT" nosharecache,actimeo=0
	export COUNTS_TOO="$GUEST_DIR/pair-message ask $SERVER_ADDR $PAIR_PORT"
	for word in $PHASES; do
		mnt=$MNT
		[ "${word%:*}" != stat ] || mnt=$STAT_MNT
		"$SRC/scripts/bench/work" "${word%:*}" "$mnt" "${word#*:}"
	done
	umount_all
	pair_stop
}

link_up
modules_prerequisites
insmod "$TESTMOD_DIR/test_verbs.ko"
modules_load
"$ROLE"
modules_unload
rmmod test_verbs
link_down
success
