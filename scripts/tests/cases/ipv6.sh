#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: over IPv6, with a global and a link-local address: odd I/O with every way to read and write, a recall, and a connection that comes back after it was cut
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 120
# in-check: yes
# Proves V1-BIND-04, ULB-BND-04.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"
. "$GUEST_DIR/recall.sh"

amount OPERATIONS 60 20

# With IPv4 gone, nothing can go there.
only_ipv6() {
	ip addr del "$SERVER_ADDR/24" dev "$NET_DEV"
	mkdir -p "$MNT"
	refused 'unreachable|no route' limited 30 mount -t nfs \
		-o "$(nfs_options 4.2 rdma),retry=0" "$SERVER_ADDR:/" "$MNT"
}

link_local() {
	ip -6 -o addr show dev "$NET_DEV" scope link |
		sed -nE 's/.* inet6 ([^ ]+)\/.*/\1/p' | head -n 1
}

# odd_io SERVER VERSION
odd_io() {
	local way

	nfs_mount_from "[$1]" rdma6 "$2"
	for way in buffered direct mmap; do
		"$GUEST_DIR/odd-io" $way "$MNT/odd" "$OPERATIONS" 7 || fail "$1, vers=$2: $way"
		same_file /tmp/odd-io.7 "$EXPORT/odd"
	done
	[ "$(rdma_counter "$MNT" write_chunks)" -gt 0 ] || fail "no data went by chunks"
}

# Both ends show where the other one is.
addresses_are() {
	[ "$(shown client peer_address)" = "$1" ] || fail "the peer is $(shown client peer_address), not $1"
	[ "$(shown server source_address)" = "$1" ] ||
		fail "the server is $(shown server source_address), not $1"
}

# recalled FILE: a new one, as nfsd gives no delegation soon after a recall
recalled() {
	local calls

	calls=$(shown client counters/reverse_calls)
	echo content > "$EXPORT/$1"
	exec 5< "$MNT/$1"
	"$GUEST_DIR/break-leases" 10 "$EXPORT/$1" || fail "the recall is not answered"
	exec 5<&-
	[ "$(shown client counters/reverse_calls)" -gt "$calls" ] || fail "$1: there was no recall"
}

comes_back() {
	local connects

	connects=$(rdma_counter "$MNT" connects)
	echo 1 > "$(connection_dir server)/disconnect"
	echo again > "$MNT/again"
	sync
	[ "$(cat "$EXPORT/again")" = again ] || fail "the server has something else"
	[ "$(rdma_counter "$MNT" connects)" -gt "$connects" ] || fail "the connection was not cut"
}

link_up
modules_load
recall_server_start
only_ipv6
for version in $VERSIONS; do
	odd_io "$SERVER_ADDR6" "$version"
	addresses_are "$SERVER_ADDR6"
	[[ $version = 3 || $version = 4.0 ]] || recalled "file$version"
	comes_back
	nfs_umount
	within 10 no_connected_qp || fail "vers=$version: a connection stays"
	say "vers=$version: ok"
done
odd_io "$(link_local)%$NET_DEV" 4.2
addresses_are "$(link_local)"
recalled link-local
comes_back
nfs_umount
finish
