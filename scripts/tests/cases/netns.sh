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

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

# rxe of 6.12 itself lives in the first namespace only. An ipvlan on its netdev
# gives the device an address that belongs to namespace "far", where the RDMA CM
# resolves. rxe looks for a route in the first namespace all the same, by the number
# of the netdev: so address and number are the same in both.
FAR_ADDR=192.168.77.5

make_far() {
	local number other

	number=$(cat "/sys/class/net/$NET_DEV/ifindex")
	ip netns add far
	# A netdev gets the lowest number that is free: fill those below.
	for other in $(seq 2 $((number - 1))); do
		ip -n far link add "pad$other" index "$other" type dummy 2> /dev/null || true
	done
	ip link add far0 link "$NET_DEV" netns far type ipvlan mode l2
	ip -n far -o link show far0 | grep "^$number:" > /dev/null ||
		fail "far0 has another number than $NET_DEV"
	ip -n far addr add $FAR_ADDR/24 dev far0
	ip -n far link set far0 mtu 9000 up
	ip -n far link set lo up
	ip -n far neigh add "$SERVER_ADDR" dev far0 \
		lladdr "$(cat "/sys/class/net/$NET_DEV/address")"
	ip addr add $FAR_ADDR/32 dev "$NET_DEV"
	within 10 rdma_has_gid rxe0 $FAR_ADDR || fail "rxe0 has no GID for $FAR_ADDR"
}

in_far() {
	nsenter --net=/run/netns/far "$@"
}

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

# A namespace dies when nothing refers to it any more, and its veth with it.
link_is_gone() {
	[ ! -e "/sys/class/net/$1" ]
}

far_is_gone() {
	ip link add canary type veth peer name canary1 netns far
	ip netns del far
	within 15 link_is_gone canary || fail "the far namespace lives on"
	ip addr del $FAR_ADDR/32 dev "$NET_DEV"
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
