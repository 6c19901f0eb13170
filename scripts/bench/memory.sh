#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What connections take of the memory, both ends together: one guest, mounts with more
# and more connections, each idle and after a load on all of them. Started by
# scripts/bench/run.
#
# Prints "BENCH end N {"idle": KiB, "loaded": KiB}": by how much less is free than
# before the mount.
#
# From there: VERSION

. "${GUEST_LIB:?}"
. "$GUEST_DIR/memory.sh"

available() {
	memory_quiet
	awk '$1 == "MemFree:" { print $2 }' /proc/meminfo
}

# Small RPCs go to the connections in turn.
touch_all() {
	local n

	for ((n = 0; n < 4 * $1; n++)); do
		stat -f "$MNT" > /dev/null
	done
}

load() {
	fio --output=/dev/null --thread --directory="$MNT" --size=4m --direct=1 \
		--rw=randrw --bs=64k --ioengine=libaio --iodepth=16 --numjobs=4 \
		--name=load
	rm -f "$MNT"/load*
}

measure() {
	local before idle

	before=$(available)
	nfs_mount "$VERSION" "$MNT" "nconnect=$1"
	touch_all "$1"
	idle=$((before - $(available)))
	load
	touch_all "$1"
	echo "BENCH end $1 {\"idle\": $idle, \"loaded\": $((before - $(available)))}"
	nfs_umount
	sleep 2
}

link_up
modules_load
server_start
# The first mount and load fill caches that stay.
measure 2 | sed 's/^BENCH end/warm-up/'
for connections in 1 4 16; do
	measure $connections
done
server_stop
modules_unload
link_down
success
