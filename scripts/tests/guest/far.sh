# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A second network namespace, "far", with an address that the RDMA device of the first one
# serves, for cases with a client or a server in it. Source it in addition to lib.sh.
#
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
