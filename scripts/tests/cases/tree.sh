#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a source tree and a 64 MiB file are copied in both directions with every NFS version, checksums are equal after dropping caches
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"

amount FILE_MIB 64 16
FILE_SIZE=$((FILE_MIB << 20))

prepare() {
	mkdir /tmp/up
	copy_real_tree /tmp/up/tree
	random_file /tmp/up/file $FILE_SIZE
	SUMS=$(tree_sums /tmp/up)
	say "$(wc -l <<< "$SUMS") files"
}

to_server() {
	cp -a /tmp/up "$MNT/up"
	has_sums "$EXPORT/up" "$SUMS"
}

from_server() {
	drop_caches
	cp -a "$MNT/up" /tmp/down
	has_sums /tmp/down "$SUMS"
	rm -r /tmp/down "$EXPORT/up"
}

moved() {
	local bytes

	bytes=$(($(rdma_counter "$MNT" request_bytes) + $(rdma_counter "$MNT" reply_bytes)))
	[ "$bytes" -gt $((2 * FILE_SIZE)) ] || fail "RDMA moved only $bytes bytes"
	say "vers=$1: $(rdma_counter "$MNT" sends) calls, $bytes bytes in chunks"
}

link_up
modules_load
server_start
prepare
for version in $VERSIONS; do
	nfs_mount "$version"
	to_server
	from_server
	moved "$version"
	nfs_umount
done
finish
