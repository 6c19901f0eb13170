#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a mount reconnects with small memory regions: payloads of 1 MiB use more segments; a connection that cannot carry them is refused, a second one of the mount too
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# every: uml umldbg
# timeout: 120
# in-check: yes
# strict-run: rxe/mlx4 siw/erdma
# lanes[strict]: uml umldbg

. "${GUEST_LIB:?}"

# The parameter stands in for another device: it applies to the next connection.
MR_PAGES=/sys/module/xprtrdma/parameters/mr_pages
FILE_BYTES=$((8 << 20))
OTHER_ADDR=192.168.77.2
OTHER=/mnt/other

reconnect() {
	echo "$1" > $MR_PAGES
	server_restart 1
}

# copy FROM TO FLAG
copy() {
	limited 60 dd if="$1" of="$2" bs=1M "$3" conv=notrunc status=none
}

both_ways() {
	copy /tmp/source "$MNT/file" oflag=direct
	same_file /tmp/source "$EXPORT/file"
	copy "$MNT/file" /tmp/back iflag=direct
	same_file /tmp/source /tmp/back
}

# A payload of 1 MiB has 33 segments then: NFS was told the size when regions were larger.
more_segments() {
	local registrations

	reconnect 8
	registrations=$(rdma_counter "$MNT" local_invalidations)
	both_ways
	registrations=$(($(rdma_counter "$MNT" local_invalidations) - registrations))
	[ $registrations -gt $((16 * 16)) ] ||
		fail "vers=$1: only $registrations regions for 16 payloads of 1 MiB"
	say "vers=$1: data verified, $registrations regions"
}

refused_device() {
	local writer

	log_mark
	reconnect 2
	copy /tmp/source "$MNT/file" oflag=direct &
	writer=$!
	within 20 log_has 'is not used: its memory regions of 2 pages'
	sleep 5
	kill -0 $writer || fail "vers=$1: the write did not wait for a better connection"
	echo 0 > $MR_PAGES
	wait $writer || fail "vers=$1: the write failed"
	both_ways
	say "vers=$1: refused, and the I/O continues on a better connection"
}

# mount_size rsize|wsize
mount_size() {
	grep " $MNT " /proc/mounts | grep -oE "[, ]$1=[0-9]+" | cut -d= -f2
}

# Regions that the mount has used and given back: invalidated by the client, or by the server
regions() {
	local remote

	remote=$(connections client count_remote_invalidations)
	echo $(($(rdma_counter "$MNT" local_invalidations) + ${remote:-0}))
}

# Proves ULB-CLX-04. A mount that begins with small regions has sizes of at most sixteen
# segments, two of which are for what stands around the data.
sizes_follow() {
	local name used payloads

	echo 8 > $MR_PAGES
	nfs_mount "$1"
	for name in rsize wsize; do
		compare "vers=$1: $name" "$(mount_size $name)" -le $((14 * 8 * 4096))
	done
	used=$(regions)
	payloads=$(op_count "$MNT" "READ WRITE")
	both_ways
	used=$(($(regions) - used))
	payloads=$(($(op_count "$MNT" "READ WRITE") - payloads))
	compare "vers=$1: regions for all data" $used -ge $((2 * FILE_BYTES / (8 * 4096)))
	compare "vers=$1: regions for $payloads payloads" $used -le $((16 * payloads))
	say "vers=$1: mounted on small regions rsize is $(mount_size rsize), wsize" \
		"$(mount_size wsize), $used regions for $payloads payloads"
	nfs_umount
	echo 0 > $MR_PAGES
}

# NFS asks the first transport of a client for its sizes, and no other: a second one over a device that
# cannot carry them must not be added (trunking).
second_device() {
	nfs_mount 4.1 "$MNT" max_connect=2
	log_mark
	echo 2 > $MR_PAGES
	nfs_mount_from $OTHER_ADDR rdma 4.1 $OTHER max_connect=2
	within 20 log_has 'is not used: its memory regions of 2 pages' || fail "the second device is not refused"
	both_ways
	[ "$(transports "$MNT")" -eq 1 ] || fail "the mount has $(transports "$MNT") transports"
	nfs_umount $OTHER
	nfs_umount
	echo 0 > $MR_PAGES
	say "a second device that cannot carry the sizes of the mount is not used"
}

link_up
modules_load
address_add $OTHER_ADDR
server_start
random_file /tmp/source $FILE_BYTES
: > "$EXPORT/file"
for version in 3 4.1; do
	nfs_mount $version
	both_ways
	more_segments $version
	refused_device $version
	nfs_umount
	sizes_follow $version
done
second_device
ip addr del $OTHER_ADDR/24 dev "$NET_DEV"
finish
