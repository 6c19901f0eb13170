#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a connection frees what it needed under load and no longer needs, without reconnecting: memory regions, Send contexts and requests on client and server; the Sends that stay are enough when there is no memory for more
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 120
# in-check: yes

# With time-travel the guest's clock jumps ahead whenever all tasks sleep. An NFSv4.2
# mount has a session, and the callback channel keeps the connection.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"
. "$GUEST_DIR/memory.sh"

# The work items look every 30 s for what has been idle for 30 s
SECONDS_TO_TRIM=65
# At least so many buffers of Sends, on both sides together, and Sends of the server
LEAST=8
FAIL=/sys/kernel/debug/rpcrdma_fail/alloc
KEEPALIVE=/sys/module/rpcrdma/parameters/keepalive_seconds

# Threads, since asynchronous I/O stops a guest of 6.1 with time-travel.
load() {
	fio --output=/dev/null --thread --directory="$MNT" --size=512k --direct=1 \
		--rw=randrw --bs=64k --ioengine=psync --numjobs=48 \
		--name=load
}

# objects KIB: all slab objects of that size
objects() {
	awk -v name="kmalloc-$1k" '$1 == name { print $2 }' /proc/slabinfo
}

look() {
	regions=$(shown client mrs)
	memory_quiet
	buffers=$(objects 8)
	sends=$(objects 1)
	say "$1: $regions memory regions, $buffers objects of 8 KiB, $sends of 1 KiB"
}

# A single processor may still run one RPC after the other. Regions are allocated in
# groups of eight.
load_grows() {
	load || fail "fio fails"
	[ "$(shown client mrs)" -ge $((at_first + 16)) ]
}

grow_and_shrink() {
	local regions buffers sends many_buffers many_sends

	within 30 load_grows || fail "no load needs many more than the $at_first regions of the beginning"
	look "after load"
	many_buffers=$buffers
	many_sends=$sends
	sleep $SECONDS_TO_TRIM
	look "idle"
	[ "$regions" -eq "$at_first" ] || fail "$regions regions are kept, the connection began with $at_first"
	[ $((many_buffers - buffers)) -ge $LEAST ] || fail "buffers of Sends are kept"
	[ $((many_sends - sends)) -ge $LEAST ] || fail "the server's Sends are kept"
}

# The server keeps fewer Sends than may be unsignaled in a row. With no memory for more it
# answers all the same.
answers_without_memory() {
	local round before keepalives=0 stuck=

	if [ ! -d $FAIL ]; then
		say "left out: Calls while no Send can be allocated; this kernel has no fault injection"
		return
	fi
	echo 0 > $FAIL/verbose
	echo -1 > $FAIL/times
	for round in 1 2 3 4; do
		# The first keepalive puts back the unsignaled Sends, which are trimmed later
		sleep $((SECONDS_TO_TRIM + 35))
		# The next one would find complete Sends too
		echo 0 > $KEEPALIVE
		before=$(shown server counters/keepalives)
		echo 100 > $FAIL/probability
		asks_many
		echo 0 > $FAIL/probability
		echo 10 > $KEEPALIVE
		[ -z "$stuck" ] || fail "round $round: no Send for the answer of Call $stuck"
		keepalives=$((keepalives + $(shown server counters/keepalives) - before))
	done
	[ "$(rdma_counter "$MNT" connects)" -eq "$connects" ] || fail "the connection was lost"
	if [ "$PROVIDER" = siw ]; then
		say "left out: whether a keepalive was needed; on siw every Send is signaled"
	else
		[ $keepalives -gt 0 ] || fail "the server has always had a Send"
	fi
}

# Without a connection, which needs memory, the last Call would never end.
asks_many() {
	local n

	for n in {1..21}; do
		limited 40 stat -f "$MNT" > /dev/null || { stuck=$n; return; }
	done
}

link_up
modules_load
# drop_caches has nfsd 7.3 take back slots of the session. It gives a slot again for each
# thread.
NFSD_THREADS=32
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
answers_without_memory
finish
