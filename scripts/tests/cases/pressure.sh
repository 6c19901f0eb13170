#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the client machine is short of memory while it writes dirty pages back and its connection is cut repeatedly: progress, correct data, no OOM kill
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours
# memory: 768M
# every: uml/siw
# timeout: 180
# in-check: yes

# On the debug kernel lockdep reports every allocation that may wait for writeback
# (fs_reclaim) under a lock that writeback needs.

. "${GUEST_LIB:?}"

# Most of the file has to be written back before the rest of it finds memory.
LEFT_MIB=40
# The stacks of the debug kernel are 64 KiB in one piece, and the shell and kthreadd must
# find some. Memory that the kernel reserves does not count.
[[ $LANE != umldbg* ]] || {
	LEFT_MIB=64
	echo 16384 > /proc/sys/vm/min_free_kbytes
}
FILE_MIB=96
CUTS=${CUTS:-6}

# Takes memory that cannot be reclaimed, there is no swap, until little is left; and
# more, when something else gives some back. Into a file in memory, which faults in no page.
hog() {
	exec /usr/bin/python3 -c '
import os, time

def left():
    with open("/proc/meminfo") as lines:
        for line in lines:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) // 1024

taken = os.memfd_create("hog")
piece = bytes(2 << 20)
while True:
    while left() > '$LEFT_MIB':
        os.write(taken, piece)
    time.sleep(0.5)
'
}

memory_left() {
	awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo
}

is_short() {
	[ "$(memory_left)" -le $((LEFT_MIB + 4)) ]
}

# Data that can be generated again at any time, so that no copy takes memory.
content() {
	head -c $((FILE_MIB << 20)) /dev/zero |
		openssl enc -aes-128-ctr -K 00112233445566778899aabbccddeeff \
			-iv "$(printf %032d "$1")"
}

write_back() {
	content "${1%.*}" | dd of="$MNT/file" bs=64k iflag=fullblock conv=fsync status=none
}

# A connection that is not there yet again cannot be cut.
cut_while_writing() {
	local writer=$1 number

	cuts=0
	for ((number = 1; number <= CUTS; number++)); do
		sleep 0.5
		kill -0 "$writer" 2> /dev/null || break
		! echo $RANDOM 2> /dev/null > /sys/module/test_cut/parameters/cut || cuts=$((cuts + 1))
	done
	say "$cuts cuts while writing, $(memory_left) MiB left"
	[ $cuts -ge 2 ] || fail "the connection was cut $cuts times only"
}

write_under_pressure() {
	local version=$1 writer connects

	within 10 is_short || fail "memory is not short any more"
	nfs_mount "$version"
	connects=$(rdma_counter "$MNT" connects)
	write_back "$version" &
	writer=$!
	cut_while_writing $writer
	within "$(scaled 90)" eval "! kill -0 $writer 2> /dev/null" ||
		fail "vers=$version: writeback does not end"
	wait $writer || fail "vers=$version: writeback failed"
	[ "$(on_server server_sum)" = "$(content "${version%.*}" | b2sum -l 256)" ] ||
		fail "vers=$version: the server has other bytes"
	say "vers=$version: $FILE_MIB MiB written through less than $LEFT_MIB MiB of memory"
	rm "$MNT/file"
	connects=$(($(rdma_counter "$MNT" connects) - connects))
	# One has two ends to cut it at.
	[ $((2 * connects)) -ge $cuts ] || fail "vers=$version: $cuts cuts, and $connects new connections"
	nfs_umount
}

server_sum() {
	b2sum -l 256 < $EXPORT/file
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
	nfs_mount 3
	nfs_umount
	hog &
	HOG=$!
	within "$(scaled 60)" is_short || fail "memory does not get short"
	for version in 3 4.2; do
		write_under_pressure ${version}
	done
	kill $HOG
	wait $HOG 2> /dev/null || true
	within 10 no_connected_qp || fail "a connection stays"
	rmmod test_cut
	pair_stop
	finish
}

link_up
modules_load
"$ROLE"
