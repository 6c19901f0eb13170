#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a task in a memory cgroup of 16 MiB writes dirty pages back while the connection is cut repeatedly: progress, correct data
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"

LIMIT=$((16 << 20))
FILE_BYTES=$((96 << 20))
PASSES=8
CUTS=${CUTS:-6}
GROUP=/run/cgroup/small

make_group() {
	mkdir -p /run/cgroup
	mount -t cgroup2 cgroup2 /run/cgroup
	echo +memory > /run/cgroup/cgroup.subtree_control
	mkdir $GROUP
	# More would not throttle the writer while a connection is away, but kill it.
	echo $LIMIT > $GROUP/memory.high
	echo $((8 * LIMIT)) > $GROUP/memory.max
}

# The source is outside of the group; the pages of the NFS file are charged to it.
write_in_group() {
	bash -c "echo \$\$ > $GROUP/cgroup.procs; for ((pass = 0; pass < $PASSES; pass++)); do dd if=/tmp/source of='$MNT/file' bs=64k conv=fsync status=none || exit 1; done"
}

# A connection that is not there yet again cannot be cut, and one has two ends to cut it at.
cut_while_writing() {
	local writer=$1 number

	cuts=0
	for ((number = 1; number <= CUTS; number++)); do
		sleep 0.2
		kill -0 "$writer" 2> /dev/null || break
		! echo $RANDOM 2> /dev/null > /sys/module/test_cut/parameters/cut || cuts=$((cuts + 1))
	done
	say "$cuts cuts while writing"
	[ $cuts -ge 2 ] || fail "the connection was cut $cuts times only"
}

# Counted since the group was made
limit_hits() {
	sed -n 's/^high //p' $GROUP/memory.events
}

link_up
insmod "$TESTMOD_DIR/test_cut.ko"
modules_load
server_start
make_group
random_file /tmp/source $FILE_BYTES
cat /tmp/source > /dev/null
for version in 3 4.2; do
	nfs_mount $version
	connects=$(rdma_counter "$MNT" connects)
	hits=$(limit_hits)
	write_in_group &
	writer=$!
	cut_while_writing $writer
	within "$(scaled 60)" eval '! kill -0 $writer 2> /dev/null' || fail "vers=$version: writeback does not end"
	wait $writer || fail "vers=$version: writeback failed"
	same_file /tmp/source "$EXPORT/file"
	hits=$(($(limit_hits) - hits))
	[ $hits -gt 0 ] || fail "vers=$version: the limit was never hit"
	grep -q '^oom_kill 0$' $GROUP/memory.events || fail "a task was killed for memory"
	say "vers=$version: $((PASSES * FILE_BYTES >> 20)) MiB through $((LIMIT >> 20)) MiB, limit hit $hits times"
	rm "$MNT/file"
	connects=$(($(rdma_counter "$MNT" connects) - connects))
	[ $((2 * connects)) -ge $cuts ] || fail "vers=$version: $cuts cuts, and $connects new connections"
	nfs_umount
done
within 10 no_connected_qp || fail "a connection stays"
rmmod test_cut
finish
