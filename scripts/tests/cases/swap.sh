#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a swap file on a mount: a task in a small memory cgroup swaps to it while the connection is cut repeatedly, and finds its data; swapoff, and the mount still works
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours
# every: uml/rxe
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"

LIMIT=$((8 << 20))
TASK_MIB=20
SWAP_MIB=40
CUTS=${CUTS:-4}
GROUP=/run/cgroup/small

make_group() {
	mkdir -p /run/cgroup
	mount -t cgroup2 cgroup2 /run/cgroup
	echo +memory > /run/cgroup/cgroup.subtree_control
	mkdir $GROUP
	echo $LIMIT > $GROUP/memory.max
}

# Fills memory with numbers, looks at all of them again and again, and ends with an
# error if one is wrong.
use_memory() {
	bash -c "echo \$\$ > $GROUP/cgroup.procs; exec /usr/bin/python3 -c '
import array, sys, time
words = $TASK_MIB * 131072
memory = array.array(\"Q\", range(words))
end = time.monotonic() + $1
rounds = 0
while rounds < 2 or time.monotonic() < end:
    for at in range(rounds % 512, words, 512):
        if memory[at] != at:
            sys.exit(f\"word {at} is {memory[at]}\")
    rounds += 1
print(rounds, \"rounds\")
'"
}

swapped_bytes() {
	cat $GROUP/memory.swap.current
}

swaps_something() {
	[ "$(swapped_bytes)" -gt $((4 << 20)) ]
}

cut_while_swapping() {
	local number cuts=0

	for ((number = 1; number <= CUTS; number++)); do
		sleep 1
		kill -0 "$TASK" 2> /dev/null || break
		! echo $RANDOM 2> /dev/null > /sys/module/test_cut/parameters/cut ||
			cuts=$((cuts + 1))
	done
	say "$cuts cuts while swapping, $(($(swapped_bytes) >> 20)) MiB are out"
	[ $cuts -ge 2 ] || fail "the connection was cut $cuts times only"
}

swap_over_nfs() {
	local version=$1 connects

	nfs_mount "$version"
	dd if=/dev/zero of="$MNT/swap" bs=1M count=$SWAP_MIB conv=fsync status=none
	chmod 600 "$MNT/swap"
	mkswap "$MNT/swap" > /dev/null
	swapon "$MNT/swap"
	grep -q "^$MNT/swap" /proc/swaps || fail "it is not in use"
	connects=$(rdma_counter "$MNT" connects)
	use_memory 6 &
	TASK=$!
	within "$(scaled 30)" swaps_something || fail "nothing is swapped out"
	cut_while_swapping
	within "$(scaled 60)" eval '! kill -0 $TASK 2> /dev/null' || fail "the task does not end"
	wait $TASK || fail "vers=$version: the memory has other contents"
	[ "$(rdma_counter "$MNT" connects)" -gt "$connects" ] || fail "nothing was cut"
	limited 60 swapoff "$MNT/swap"
	rm "$MNT/swap"
	echo word > "$MNT/word"
	[ "$(on_server cat "$EXPORT/word")" = word ] || fail "the mount does not work afterwards"
	nfs_umount
}

server() {
	server_start
	pair_serve
	finish
}

client() {
	client_start
	pair_wait_server
	insmod "$TESTMOD_DIR/test_cut.ko"
	make_group
	for version in 3 4.1; do
		swap_over_nfs $version
	done
	within 10 no_connected_qp || fail "a connection stays"
	rmmod test_cut
	pair_stop
	finish
}

link_up
modules_load
"$ROLE"
