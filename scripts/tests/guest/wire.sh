# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A link inside one guest, for cases that cut it: client and server have an RDMA device
# each, on the two devices of a veth pair, and packets between them really use the pair,
# although both addresses are local.
#
#   wire_up              instead of link_up
#   wire_cut, wire_join [SIDE]  the netdev of the server (or client) down and up again
#   wire_known           neither side has to resolve the other's address
#   wire_mute, wire_heard the wire loses all packets; loses none, with the delay of
#                         link_delay, which siw needs when it connects
#   wire_slow             all packets take a while
#   wire_device SIDE     name of the RDMA device of the client or the server
#   wire_add SIDE        add it (again)

CLIENT_ADDR=192.168.77.2

wire_up() {
	provider_module
	# shellcheck disable=SC2034  # for link_down
	NET_DEV=net0
	ip link add net0 type veth peer name net1
	wire_end net0 "$CLIENT_ADDR"
	wire_end net1 "$SERVER_ADDR"
	wire_routing
	wire_add client
	wire_add server
	link_baseline
}

wire_device() {
	case $1 in
	client)	echo "${PROVIDER}0" ;;
	server)	echo "${PROVIDER}1" ;;
	esac
}

wire_add() {
	case $1 in
	client)	OWN_ADDR=$CLIENT_ADDR rdma_link_add "$(wire_device client)" net0 ;;
	server)	OWN_ADDR=$SERVER_ADDR rdma_link_add "$(wire_device server)" net1 ;;
	esac
}

wire_end() {
	sysctl -qw "net.ipv4.conf.$1.accept_local=1" "net.ipv4.conf.$1.rp_filter=0"
	ip addr add "$2/32" dev "$1"
	ip link set "$1" mtu 9000 up
}

# Here the routing table of local addresses is last; everywhere else it is first.
wire_routing() {
	sysctl -qw net.ipv4.conf.all.rp_filter=0
	ip rule add pref 10 iif lo to "$SERVER_ADDR" lookup 10
	ip rule add pref 11 iif lo to "$CLIENT_ADDR" lookup 11
	# The RDMA CM looks up routes by device and not as a local sender.
	ip rule add pref 12 oif net0 to "$SERVER_ADDR" lookup 10
	ip rule add pref 13 oif net1 to "$CLIENT_ADDR" lookup 11
	ip rule add pref 100 lookup local
	ip rule del pref 0
	wire_routes
}

# Without a netdev there is no route, not even inside this kernel.
wire_routes() {
	ip route replace unreachable "$SERVER_ADDR" metric 1000 table 10
	ip route replace unreachable "$CLIENT_ADDR" metric 1000 table 11
	ip route replace "$SERVER_ADDR" dev net0 src "$CLIENT_ADDR" table 10
	ip route replace "$CLIENT_ADDR" dev net1 src "$SERVER_ADDR" table 11
}

wire_netdev() {
	case ${1:-server} in
	client)	echo net0 ;;
	server)	echo net1 ;;
	esac
}

wire_cut() {
	ip link set "$(wire_netdev "$@")" down
}

# Permanent neighbour entries on both sides.
wire_known() {
	ip neigh replace "$SERVER_ADDR" dev net0 nud permanent \
		lladdr "$(cat /sys/class/net/net1/address)"
	ip neigh replace "$CLIENT_ADDR" dev net1 nud permanent \
		lladdr "$(cat /sys/class/net/net0/address)"
}

# Drop all packets.
wire_mute() {
	wire_known
	tc qdisc replace dev net0 root netem loss 100%
	tc qdisc replace dev net1 root netem loss 100%
}

wire_slow() {
	tc qdisc replace dev net0 root netem delay 10ms limit 10000
	tc qdisc replace dev net1 root netem delay 10ms limit 10000
}

wire_heard() {
	link_delay net0
	link_delay net1
}

# Routes are removed with the netdev.
wire_join() {
	ip link set "$(wire_netdev "$@")" up
	wire_routes
}
