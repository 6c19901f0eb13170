#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: one nfsd thread serves RDMA and TCP in turn: after a Call over RDMA it has all pages that a Call over TCP needs
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg
# timeout: 90
# in-check: yes

# Kernels differ in which pages of a thread they allocate again: all that are missing, or
# those that the transport has counted. Data over TCP comes in these pages.

. "${GUEST_LIB:?}"

NFSD_THREADS=1
ROUNDS=6
TCP=/mnt/tcp

# write_file MOUNT NAME BYTES: one WRITE
write_file() {
	limited 30 dd if="/tmp/$3" of="$1/$2" bs="$3" count=1 oflag=direct \
		conv=notrunc status=none
}

# Written over one transport and read over the other
there_and_back() {
	local bytes

	for bytes in 1048576 4096 70000 300; do
		write_file "$MNT" by-rdma $bytes
		write_file $TCP by-tcp $bytes
		write_file "$MNT" by-rdma $bytes
		drop_caches
		cmp -n $bytes /tmp/$bytes "$MNT/by-tcp" || fail "$bytes bytes over TCP"
		cmp -n $bytes /tmp/$bytes $TCP/by-rdma || fail "$bytes bytes over RDMA"
	done
}

link_up
modules_load
server_start
for bytes in 1048576 70000 4096 300; do
	random_file /tmp/$bytes $bytes
done
nfs_mount 3
mkdir -p $TCP
PORT=2049 nfs_mount_program "$SERVER_ADDR" tcp 3 $TCP ""
for ((round = 0; round < ROUNDS; round++)); do
	there_and_back
done
say "$ROUNDS rounds of four sizes are as written"
nfs_umount $TCP
nfs_umount
finish
