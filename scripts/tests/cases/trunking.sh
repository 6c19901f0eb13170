#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: two addresses of one server become two connections of one NFSv4.1 client (max_connect): both carry I/O, and it goes on when either is cut
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

OTHER_ADDR=192.168.77.2
OTHER=/mnt/other
amount RECORDS 128 48

# The second mount finds the same server: its address becomes a transport of the first client.
mount_both() {
	nfs_mount "$1" "$MNT" max_connect=2
	nfs_mount_from $OTHER_ADDR rdma "$1" $OTHER max_connect=2
	[ "$(transports "$MNT")" -eq 2 ] || fail "vers=$1: $(transports "$MNT") transports"
	[ "$(server_clients address | wc -l)" -eq 1 ] ||
		fail "vers=$1: the server sees $(server_clients address | wc -l) clients"
}

# sends_of_each: one number for each transport of the mount
sends_of_each() {
	mountstats "$MNT" | awk -v c="$(rdma_column sends)" '$1 == "xprt:" && $2 == "rdma" { print $c }'
}

write_and_read() {
	local sum

	sum=$("$GUEST_DIR/many-writers" direct "$MNT/file" 8 "$RECORDS")
	[ "$(file_sum "$EXPORT/file")" = "$sum  -" ] || fail "vers=$1: wrong data"
	drop_caches
	[ "$(file_sum "$OTHER/file")" = "$sum  -" ] || fail "vers=$1: wrong data read"
}

both_are_used() {
	local few

	few=$(sends_of_each | awk '$1 < 20' | wc -l)
	[ "$few" -eq 0 ] || fail "vers=$1: a transport is not used: $(sends_of_each | paste -sd' ')"
}

# The server cuts each connection in turn while there is I/O.
cut_each() {
	local dir number

	for number in 1 2; do
		write_and_read "$1" &
		dir=$(find "$CONNECTIONS" -maxdepth 1 -name 'server-*' | sort | sed -n "${number}p")
		[ -n "$dir" ] || fail "there is no connection $number"
		echo 1 > "$dir/disconnect"
		wait $! || fail "vers=$1: I/O ended with connection $number"
	done
	[ "$(rdma_counter "$MNT" connects)" -ge 4 ] ||
		fail "vers=$1: $(rdma_counter "$MNT" connects) connections were made"
}

link_up
modules_load
address_add $OTHER_ADDR
server_start
for version in 4.1 4.2; do
	mount_both $version
	write_and_read $version
	both_are_used $version
	cut_each $version
	nfs_umount $OTHER
	nfs_umount
	within 10 no_connected_qp || fail "vers=$version: a connection stays"
	say "vers=$version: ok"
done
ip addr del $OTHER_ADDR/24 dev "$NET_DEV"
finish
