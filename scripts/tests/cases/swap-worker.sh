#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a kernel thread that has made a connection under a swap file may not use the memory reserves afterwards
# lanes: uml umldbg stock
# provider: rxe
# guests: 1
# mods: ours
# every: uml stock61
# also: stock61
# timeout: 90
# in-check: yes

# The thread is a worker that all workqueues share. PF_MEMALLOC left on it would let
# unrelated work drain the reserves. Kernels differ in what memalloc_noreclaim_save()
# returns, so this runs on the oldest one too.

. "${GUEST_LIB:?}"

PF_WQ_WORKER=0x20
PF_MEMALLOC=0x800
CUTS=3

# Name and flags of workers with that flag; the name may contain blanks and parentheses.
workers_with_reserves() {
	local stat flags fields

	for stat in /proc/[0-9]*/stat; do
		{ read -r fields < "$stat"; } 2> /dev/null || continue
		flags=$(awk '{ print $7 }' <<< "${fields##*)}")
		((flags & PF_WQ_WORKER && flags & PF_MEMALLOC)) || continue
		echo "${fields%)*}) $flags"
	done
}

no_workers_with_reserves() {
	[ -z "$(workers_with_reserves)" ]
}

cut_and_connect() {
	local connects

	connects=$(rdma_counter "$MNT" connects)
	echo 0 > /sys/module/test_cut/parameters/cut
	limited 20 stat -t "$MNT" > /dev/null
	[ "$(rdma_counter "$MNT" connects)" -gt "$connects" ] || fail "nothing was cut"
}

link_up
insmod "$TESTMOD_DIR/test_cut.ko"
modules_load
server_start
no_workers_with_reserves || fail "before: $(workers_with_reserves)"
nfs_mount 3 "$MNT" noac
dd if=/dev/zero of="$MNT/swap" bs=1M count=4 conv=fsync status=none
chmod 600 "$MNT/swap"
mkswap "$MNT/swap" > /dev/null
swapon "$MNT/swap"
for ((number = 0; number < CUTS; number++)); do
	cut_and_connect
done
within 3 no_workers_with_reserves ||
	fail "workers keep access to the reserves: $(workers_with_reserves)"
swapoff "$MNT/swap"
rm "$MNT/swap"
nfs_umount
within 10 no_connected_qp || fail "a connection stays"
rmmod test_cut
finish
