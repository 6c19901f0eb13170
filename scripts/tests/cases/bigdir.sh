#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: long Calls and long Replies: 20,000 names of 200 bytes, a symlink of 4,000 bytes, ACLs and an xattr of 64 KiB
# lanes: uml umldbg stock
# provider: rxe siw
# versions: 1 2
# guests: 1
# mods: ours
# timeout: 150
# in-check: yes
# lanes[v2]: uml umldbg
# every[v2]: uml/rxe umldbg/rxe
# Proves at version 2 V2-MSG-07, V2-MSG-08.
# Proves V1-INL-09, V1-PZ-04, V1-PZ-05, V1-RPL-01, V1-RPL-03, V1-RPL-05, V1-RPL-09,
# ULB-RSZ-01, ULB-RSZ-03, ULB-RSZ-08, ULB-V4R-02, ULB-V4R-03, ULB-ACL-01, ULB-ACL-02,
# ULB-ACL-04, ULB-ACL-06, UQ-07.

. "${GUEST_LIB:?}"

amount ENTRIES 20000 4000
LINK_BYTES=4000
XATTR_BYTES=65536
POSIX_USERS=300			# the kernel's NFSv3 ACL calls end at one page, over TCP too
NFS4_USERS=2500			# makes an ACL of about 60 KB on the wire

prepare() {
	mkdir "$EXPORT/big"
	"$GUEST_DIR/big-dir" make "$EXPORT/big" "$ENTRIES"
	NAMES=$("$GUEST_DIR/big-dir" sum "$EXPORT/big")
	ATTRIBUTES=$("$GUEST_DIR/big-dir" sum-attributes "$EXPORT/big")
	[ "${NAMES%% *}" -eq "$ENTRIES" ] || fail "$NAMES is not $ENTRIES"
	TARGET=$(printf 't%.0s' $(seq $LINK_BYTES))
}

big_directory() {
	[ "$("$GUEST_DIR/big-dir" sum "$MNT/big")" = "$NAMES" ] ||
		fail "vers=$1: READDIR gives other names"
}

# Before anything is cached: the client asks for names and attributes together.
big_directory_with_attributes() {
	[ "$("$GUEST_DIR/big-dir" sum-attributes "$MNT/big")" = "$ATTRIBUTES" ] ||
		fail "vers=$1: READDIR gives other attributes"
}

# Head, pages and tail of a READDIR are one memory region, which our server
# invalidates. Without joining them there are three regions for each READDIR, and the
# client would have to invalidate two. siw's regions have 256 pages, which is not
# enough for the longest replies.
few_regions() {
	local replies rest

	[ "$MODS" = ours ] || return 0
	replies=$(rdma_counter "$MNT" reply_chunks)
	rest=$(rdma_counter "$MNT" local_invalidations)
	say "vers=$1: $rest local invalidations for $replies Reply chunks"
	[ "$replies" -gt 4 ] || fail "vers=$1: only $replies long replies"
	if [ "$PROVIDER" = siw ]; then
		[ "$rest" -lt "$replies" ]
	else
		[ "$rest" -eq 0 ]
	fi || fail "vers=$1: $rest regions were left to the client"
}

# The client puts "." and ".." itself in front of what the first READDIR brings. If
# the names behind them were lost, it would ask for them once more.
one_readdir() {
	local before

	mkdir "$MNT/small"
	"$GUEST_DIR/big-dir" make "$MNT/small" 60
	before=$(op_count "$MNT" READDIR)
	"$GUEST_DIR/big-dir" sum "$MNT/small" > /dev/null
	[ $(($(op_count "$MNT" READDIR) - before)) -eq 1 ] ||
		fail "vers=$1: 60 names took more than one READDIR"
	rm -r "$MNT/small"
}

long_names() {
	local name

	name=$(printf 'x%.0s' $(seq 250))
	mkdir "$MNT/$name"
	: > "$MNT/$name/$name"
	mv "$MNT/$name/$name" "$MNT/$name/${name%x}y"
	[ -e "$EXPORT/$name/${name%x}y" ] || fail "vers=$1: a long name is lost"
	rm -r "${MNT:?}/$name"
}

long_symlink() {
	ln -s "$TARGET" "$MNT/link"
	[ "$(readlink "$EXPORT/link")" = "$TARGET" ] || fail "vers=$1: the server has another target"
	drop_caches
	[ "$(readlink "$MNT/link")" = "$TARGET" ] || fail "vers=$1: the client reads another target"
	rm "$EXPORT/link"
}

big_acl() {
	: > "$MNT/acl"
	case $1 in
	3)	big_posix_acl ;;
	*)	big_nfs4_acl ;;
	esac
	rm "$EXPORT/acl"
}

big_posix_acl() {
	"$GUEST_DIR/big-attr" set-posix "$MNT/acl" $POSIX_USERS
	"$GUEST_DIR/big-attr" check-posix "$EXPORT/acl" $POSIX_USERS
	drop_caches
	"$GUEST_DIR/big-attr" check-posix "$MNT/acl" $POSIX_USERS
}

big_nfs4_acl() {
	"$GUEST_DIR/big-attr" set-nfs4 "$MNT/acl" $NFS4_USERS
	"$GUEST_DIR/big-attr" check-posix "$EXPORT/acl" $NFS4_USERS
	drop_caches
	"$GUEST_DIR/big-attr" check-nfs4 "$MNT/acl" $NFS4_USERS
}

big_xattr() {
	: > "$MNT/xattr"
	"$GUEST_DIR/big-attr" set-user "$MNT/xattr" $XATTR_BYTES
	"$GUEST_DIR/big-attr" check-user "$EXPORT/xattr" $XATTR_BYTES
	drop_caches
	"$GUEST_DIR/big-attr" check-user "$MNT/xattr" $XATTR_BYTES
	rm "$EXPORT/xattr"
}

link_up
modules_load
server_start
prepare
for version in $VERSIONS; do
	nfs_mount "$version"
	case $version in
	3|4.2)	big_directory_with_attributes "$version" ;;
	*)	big_directory "$version" ;;
	esac
	few_regions "$version"
	[ "$version" = 3 ] || one_readdir "$version"
	long_names "$version"
	long_symlink "$version"
	big_acl "$version"
	if [ "$version" = 4.2 ] && export_has_xattrs; then
		big_xattr
	fi
	[ "$(rdma_counter "$MNT" reply_chunks)" -gt 0 ] || fail "no long reply was asked for"
	[ "$version" = 3 ] || [ "$(rdma_counter "$MNT" nomsg_calls)" -gt 0 ] ||
		fail "vers=$version: no long Call"
	say "vers=$version: ok, $(rdma_counter "$MNT" nomsg_calls) long Calls," \
		"$(rdma_counter "$MNT" reply_chunks) Reply chunks"
	nfs_umount
done
finish
