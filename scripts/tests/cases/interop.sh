#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: two guests, every NFS version: a 64 MiB file and a source tree are copied in both directions, checksums are equal on both sides
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours ours-intree intree-ours
# every[ours-intree]: uml/rxe umldbg/rxe
# every[intree-ours]: uml/siw umldbg/siw
# timeout: 180
# in-check: yes

. "${GUEST_LIB:?}"

FILE_SIZE=$((64 << 20))

prepare() {
	mkdir /tmp/up
	copy_real_tree /tmp/up/tree
	random_file /tmp/up/file $FILE_SIZE
	SUMS=$(tree_sums /tmp/up)
	say "$(wc -l <<< "$SUMS") files"
}

# The checksums in the server's own file system.
same_on_server() {
	[ "$(on_server tree_sums "$EXPORT/up")" = "$SUMS" ] ||
		fail "vers=$1: the server has other data"
}

there_and_back() {
	nfs_mount "$1"
	cp -a /tmp/up "$MNT/up"
	sync
	same_on_server "$1"
	drop_caches
	cp -a "$MNT/up" /tmp/down
	has_sums /tmp/down "$SUMS"
	rm -r /tmp/down "$MNT/up"
	moved "$1"
	nfs_umount
}

moved() {
	local bytes

	bytes=$(($(rdma_counter "$MNT" request_bytes) + $(rdma_counter "$MNT" reply_bytes)))
	[ "$bytes" -gt $((2 * FILE_SIZE)) ] || fail "RDMA moved only $bytes bytes"
	say "vers=$1: $(rdma_counter "$MNT" sends) calls, $bytes bytes in chunks"
}

server() {
	server_start
	pair_serve
	finish
}

client() {
	local version

	client_start
	prepare
	pair_wait_server
	for version in $VERSIONS; do
		there_and_back "$version"
	done
	pair_stop
	finish
}

link_up
modules_load
"$ROLE"
