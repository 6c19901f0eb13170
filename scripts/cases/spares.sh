#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: what a connection has needed under load and does not need any more is freed while it stays: memory regions, Sends and requests at both ends
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 120
# in-check: yes

# With time-travel the guest's clock jumps whenever everybody sleeps. An NFSv4.2 mount
# has a session whose callbacks keep the connection.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"
. "$GUEST_DIR/memory.sh"

# The work items look every 30 s for what has been idle for 30 s
SECONDS_TO_TRIM=65
# Buffers of Sends and Calls of either end, at the very least
LEAST=8

load() {
	fio --output=/dev/null --thread --directory="$MNT" --size=2m --direct=1 \
		--rw=randrw --bs=64k --ioengine=libaio --iodepth=16 --numjobs=4 \
		--name=load
}

# Objects of the size of a Send buffer: both ends have some.
buffers() {
	memory_quiet
	awk '$1 == "kmalloc-8k" { print $2 }' /proc/slabinfo
}

look() {
	regions=$(shown client mrs)
	buffers=$(buffers)
	say "$1: $regions memory regions, $buffers buffers of 8 KiB"
}

# One processor may do one RPC after the other all the same.
load_grows() {
	load
	look "after load"
	[ "$regions" -gt "$at_first" ]
}

grow_and_shrink() {
	local regions buffers many

	within 30 load_grows || fail "no load needs more than the $at_first regions of the beginning"
	many=$buffers
	sleep $SECONDS_TO_TRIM
	look "idle"
	[ "$regions" -eq "$at_first" ] || fail "$regions regions are kept, the connection began with $at_first"
	[ $((many - buffers)) -ge $LEAST ] || fail "$((many - buffers)) buffers were given back, not $LEAST"
}

link_up
modules_load
server_start
nfs_mount 4.2
random_file /tmp/file 3000000
at_first=$(shown client mrs)
connects=$(rdma_counter "$MNT" connects)
for round in 1 2; do
	say "round $round"
	grow_and_shrink
	cp /tmp/file "$MNT/file"
	drop_caches
	same_file /tmp/file "$MNT/file"
done
[ "$(rdma_counter "$MNT" connects)" -eq "$connects" ] || fail "the connection was lost meanwhile"
finish
