#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: on two NUMA nodes, each with a pool of nfsd threads, clients on either node read and write; pages of RDMA Reads are recycled; I/O goes on while a node has no processor
# lanes: stock
# provider: rxe siw
# guests: 1
# mods: ours
# numa: 2
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"

NODES=/sys/devices/system/node
CPU=/sys/devices/system/cpu
RECYCLED=/proc/sys/sunrpc/svc_rdma/read_pages_recycled
BYTES=4000000

two_nodes() {
	local node

	for node in 0 1; do
		[ -n "$(cat $NODES/node$node/cpulist)" ] || fail "node $node has no processor"
		awk '/MemTotal/ { exit !($4 > 100000) }' $NODES/node$node/meminfo ||
			fail "node $node has no memory"
	done
	[ "$(cat $NODES/online)" = 0-1 ] || fail "nodes: $(cat $NODES/online)"
}

# a_pool_for_each_node: before nfsd starts
a_pool_for_each_node() {
	modprobe sunrpc
	echo pernode > /sys/module/sunrpc/parameters/pool_mode
}

both_pools_serve() {
	awk '!/^#/ { pools++; idle += $2 == 0 } END { exit !(pools == 2 && idle == 0) }' $NFSD/pool_stats ||
		fail "a pool of threads had nothing to do: $(paste -sd';' $NFSD/pool_stats)"
}

# on_node NODE COMMAND...: with a processor and memory of that node
on_node() {
	local node=$1

	shift
	taskset -c "$(cat $NODES/node"$node"/cpulist)" "$@"
}

# io NAME NODE: WRITEs and READs of programs on a node; the server's file has the same bytes
io() {
	on_node "$2" dd if=/tmp/file of="$MNT/$1" bs=256k oflag=direct status=none
	on_node "$2" dd if="$MNT/$1" of=/tmp/back bs=256k iflag=direct status=none
	same_file /tmp/file "$EXPORT/$1"
	same_file /tmp/file /tmp/back
}

from_both() {
	local before

	before=$(cat $RECYCLED)
	for round in 1 2 3; do
		io "zero" 0
		io "one" 1
	done
	[ "$(cat $RECYCLED)" -gt "$before" ] || fail "no page was recycled"
}

# The last processor of a node goes offline and comes back during I/O.
without_processor() {
	local cpu writer

	cpu=$(cat $NODES/node1/cpulist)
	dd if=/dev/zero of="$MNT/busy" bs=64k count=100000 oflag=direct status=none &
	writer=$!
	echo 0 > "$CPU/cpu$cpu/online"
	[ -z "$(cat $NODES/node1/cpulist)" ] || fail "node 1 still has a processor"
	io offline 0
	echo 1 > "$CPU/cpu$cpu/online"
	io online 1
	kill -0 $writer || fail "the writer has ended"
	kill $writer
	wait $writer || true
}

two_nodes
link_up
modules_load
a_pool_for_each_node
server_start
random_file /tmp/file $BYTES
for version in $VERSIONS; do
	nfs_mount "$version"
	from_both
	nfs_umount
	say "vers=$version: ok"
done
both_pools_serve
nfs_mount 4.2
without_processor
nfs_umount
finish
