#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a mount from another network namespace works and is visible only there, a mount without an RDMA path fails in time, and no namespace is leaked
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe
# guests: 1
# mods: ours
# every: uml umldbg smpdbg kcsan
# timeout: 90
# in-check: yes

# Not over siw (6.12, 7.3): it opens the socket of a connection in the network namespace of the
# task that connects, a kernel thread, and so never in another one than the first.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"
. "$GUEST_DIR/far.sh"

far_mount() {
	mkdir -p "$MNT"
	limited 30 nsenter --net=/run/netns/far mount -t nfs \
		-o "$(nfs_options "$1" rdma),retry=0" "$SERVER_ADDR:$(nfs_path "$1")" "$MNT"
}

# NFSv3 asks mountd over TCP, for which there is no route.
works_from_far() {
	far_mount "$1"
	over_rdma_in_far
	rdma resource show cm_id | grep "src-addr $FAR_ADDR:" > /dev/null ||
		fail "vers=$1: the connection does not come from $FAR_ADDR"
	seen_where_it_is
	random_file /tmp/file 3000000
	cp /tmp/file "$MNT/file"
	drop_caches
	same_file /tmp/file "$MNT/file"
	same_file /tmp/file "$EXPORT/file"
	nfs_umount
	say "vers=$1: works from the other namespace"
}

# The server's connection is in this namespace, the client's in the other. A sysfs mount
# shows the namespace in which it was mounted.
seen_where_it_is() {
	local here there

	within 10 has_connection server || fail "the server's connection is not shown here"
	here=$(ls $CONNECTIONS)
	there=$(in_far unshare --mount sh -c \
		"mount -t sysfs sysfs /sys; ls $CONNECTIONS; cat $CONNECTIONS/client-*/source_address")
	[[ $there = *client-* && $there != *server-* ]] || fail "seen there: $there"
	[[ $there = *$FAR_ADDR* ]] || fail "the source address is not $FAR_ADDR: $there"
	[[ $here = *server-* && $here != *client-* ]] || fail "seen here: $here"
}

over_rdma_in_far() {
	over_rdma "$MNT"
	[ "$(rdma_counter "$MNT" sends)" -gt 0 ] || fail "nothing was sent over RDMA"
}

# The namespace has an address and a route, but no RDMA device.
fails_without_path() {
	local begin=$SECONDS

	ip netns add nowhere
	ip link add no0 type veth peer name no1 netns nowhere
	ip -n nowhere addr add "192.168.77.9/24" dev no1
	ip -n nowhere link set no1 up
	mkdir -p "$MNT"
	refused mount.nfs limited 60 nsenter --net=/run/netns/nowhere mount -t nfs \
		-o vers=4.2,proto=rdma,port="$PORT",retry=0 "192.168.77.9:/" "$MNT"
	say "refused after $((SECONDS - begin)) s"
	ip netns del nowhere
	within 10 link_is_gone no0 || fail "the namespace without RDMA path lives on"
}

link_up
modules_load
server_start
make_far
for version in 4.0 4.1 4.2; do
	works_from_far $version
done
within 10 no_connected_qp || fail "a connection stays"
fails_without_path
far_is_gone
finish
