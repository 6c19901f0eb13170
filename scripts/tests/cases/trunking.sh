#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: two addresses of one server become two connections of one NFSv4.1 client (max_connect): both carry I/O, and it goes on when either is cut, or both; only with both the keepalive is faster
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
KEEPALIVE=/sys/module/rpcrdma/parameters/keepalive_seconds
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

# cut_at_work VERSION DIR...: the server cuts these connections while there are WRITEs
cut_at_work() {
	local version=$1 before writer
	shift

	before=$(op_count "$MNT" WRITE)
	write_and_read "$version" &
	writer=$!
	until [ "$(op_count "$MNT" WRITE)" -gt "$before" ]; do
		kill -0 $writer || fail "vers=$version: no WRITE before the cut"
	done
	echo 1 | tee "${@/%//disconnect}" > /dev/null
	wait $writer || fail "vers=$version: I/O ended with $*"
}

# Each connection in turn. A new one has a higher number, so both are noted first.
cut_each() {
	local dirs dir

	dirs=("$CONNECTIONS"/server-*)
	[ ${#dirs[@]} -eq 2 ] || fail "vers=$1: not two connections: ${dirs[*]}"
	for dir in "${dirs[@]}"; do
		cut_at_work "$1" "$dir"
	done
	[ "$(rdma_counter "$MNT" connects)" -ge 4 ] ||
		fail "vers=$1: $(rdma_counter "$MNT" connects) connections were made"
}

# A transport without RPCs does not connect.
both_connected() {
	stat -f "$MNT" "$OTHER" "$MNT" "$OTHER" > /dev/null
	[ "$(cat "$CONNECTIONS"/server-*/state | sort | uniq -c)" = "$(printf '%7d established' 2)" ]
}

# The server cuts both at once, so a transport that connects finds no path that works.
cut_both() {
	within 10 both_connected || fail "vers=$1: a transport does not connect again"
	cut_at_work "$1" "$CONNECTIONS"/server-*
	[ "$(rdma_counter "$MNT" connects)" -ge 6 ] ||
		fail "vers=$1: $(rdma_counter "$MNT" connects) connections were made"
}

keepalives() {
	cat "$CONNECTIONS"/client-*/counters | awk '$1 == "keepalives" { n += $2 } END { print n + 0 }'
}

some_keepalives() {
	[ "$(keepalives)" -gt 0 ]
}

# RPCs, a second apart, show a transport whether there is another one. Then it is idle.
idle_afterwards() {
	local dir

	for _ in 1 2 3; do
		for dir in "$@"; do
			stat -f "$dir" "$dir" > /dev/null
		done
		sleep 1.2
	done
	sleep 3
}

# failover_ms applies while there is another path, and not on iWARP; otherwise keepalive_seconds does.
faster_with_two_paths() {
	local seconds

	seconds=$(cat $KEEPALIVE)
	echo 3600 > $KEEPALIVE
	nfs_mount 4.1
	idle_afterwards "$MNT"
	compare 'keepalives with one path' "$(keepalives)" -eq 0
	nfs_umount
	mount_both 4.1
	idle_afterwards "$MNT" "$OTHER"
	if [ "$PROVIDER" = rxe ]; then
		within "$(scaled 20)" some_keepalives || fail "no keepalive with two paths"
	else
		say "left out: a faster keepalive with two paths, which iWARP does not have"
	fi
	nfs_umount "$OTHER"
	nfs_umount
	within 10 no_connected_qp || fail "a connection stays"
	echo "$seconds" > $KEEPALIVE
}

link_up
modules_load
address_add $OTHER_ADDR
server_start
faster_with_two_paths
for version in 4.1 4.2; do
	mount_both $version
	write_and_read $version
	both_are_used $version
	cut_each $version
	cut_both $version
	nfs_umount $OTHER
	nfs_umount
	within 10 no_connected_qp || fail "vers=$version: a connection stays"
	say "vers=$version: ok"
done
ip addr del $OTHER_ADDR/24 dev "$NET_DEV"
finish
