# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Network and RDMA links.
#
# One guest: the provider uses one device of a veth pair. rxe has a shortcut between two
# queue pairs on one device. siw has none: its TCP connection to a local address uses lo,
# where a second siw device answers.
# Two guests: the provider uses the virtual link between them.
#
# After link_up: RDMA_DEVS, NET_DEV, SERVER_ADDR and SERVER_ADDR6 are set.

RDMA_DEVS=
NET_DEV=
SERVER_ADDR=192.168.77.1
SERVER_ADDR6=fd77::1

link_up() {
	provider_module
	case $ROLE in
	server|client)	link_pair ;;
	*)		link_veth ;;
	esac
	rdma_link_add "${PROVIDER}0" "$NET_DEV"
	[ "$NET_DEV-$PROVIDER" != net0-siw ] || rdma_link_add siwlo lo
	link_baseline
}

# The number of RDMA objects before the links are used.
link_baseline() {
	# shellcheck disable=SC2034  # for no_leftover
	RESOURCES_BEFORE=$(link_resources)
	QPS_BEFORE=$(rdma_count qp)
}

# How many of each kind every device has; a device that was removed and added again
# has another number.
link_resources() {
	rdma resource show | sed 's/^[0-9]*: //' | sort
}

# rdma_link_remove DEV: as an administrator does, or a driver that is removed
rdma_link_remove() {
	limited 60 rdma link delete "$1" || fail "RDMA link $1 cannot be removed"
	RDMA_DEVS=${RDMA_DEVS//$1 /}
}

link_veth() {
	NET_DEV=net0
	ip link add "$NET_DEV" type veth peer name net1
	ip link set net1 mtu 9000 up
	address_up "$SERVER_ADDR" "$SERVER_ADDR6"
}

link_pair() {
	local number=1

	[ "$ROLE" = client ] && number=2
	NET_DEV=${LINK_DEV:?no network device joins the two guests}
	address_up "192.168.77.$number" "fd77::$number"
	link_delay "$NET_DEV"
}

# link_delay DEV: packets arrive a little later, as on a real link. Without that siw often
# leaves a first Call unread (Documentation/kernel-bugs.rst).
link_delay() {
	tc qdisc replace dev "$1" root netem delay 300us limit 10000
}

# Drop everything that this guest sends, until link_join.
link_cut() {
	tc qdisc replace dev "$NET_DEV" root netem loss 100%
}

link_join() {
	tc qdisc del dev "$NET_DEV" root
	link_delay "$NET_DEV"
}

address_up() {
	ip addr add "$1/24" dev "$NET_DEV"
	ip addr add "$2/64" dev "$NET_DEV" nodad
	ip link set "$NET_DEV" mtu "${LINK_MTU:-9000}" up
	OWN_ADDR=$1
}

# On UML it is built in: there is nothing to load, and adding the link shows if it works.
provider_module() {
	case $PROVIDER in
	rxe)	modprobe -q rdma_rxe || true ;;
	siw)	modprobe -q siw || true ;;
	esac
}

rdma_link_add() {
	rdma link add "$1" type "$PROVIDER" netdev "$2"
	RDMA_DEVS+="$1 "
	within 10 rdma_link_active "$1" || fail "RDMA link $1 does not come up"
	# Addresses reach the device's GID table through a work queue.
	[ "$PROVIDER" = siw ] || within 10 rdma_has_gid "$1" "$OWN_ADDR" ||
		fail "$1 has no GID for $OWN_ADDR"
}

# address_add ADDRESS: another one of NET_DEV, of which the RDMA device knows
address_add() {
	ip addr add "$1/24" dev "$NET_DEV"
	[ "$PROVIDER" = siw ] || within 10 rdma_has_gid "${RDMA_DEVS%% *}" "$1" ||
		fail "${RDMA_DEVS%% *} has no GID for $1"
}

rdma_link_active() {
	rdma link show "$1/1" | grep 'state ACTIVE' > /dev/null
}

# rdma_has_gid DEV ADDRESS: the IPv4-mapped GID is there
rdma_has_gid() {
	local a b c d hex

	IFS=. read -r a b c d <<< "$2"
	hex=$(printf 'ffff:%02x%02x:%02x%02x' "$a" "$b" "$c" "$d")
	grep -qs "$hex" "/sys/class/infiniband/$1/ports/1/gids/"*
}

# Every RDMA object that exists, one on each line, for people.
rdma_resources() {
	local kind

	for kind in qp cq pd mr cm_id; do
		rdma resource show "$kind" 2> /dev/null | sed "s/^/$kind: /"
	done
}

# rdma_count KIND: how many of them all devices have
rdma_count() {
	rdma resource show | awk -v kind="$1" '
		{ for (i = 1; i < NF; i++) if ($i == kind) n += $(i + 1) }
		END { print n + 0 }'
}

# No queue pair is left, of client or server.
no_connected_qp() {
	[ "$(rdma_count qp)" -eq "$QPS_BEFORE" ]
}

link_down() {
	local dev

	for dev in $RDMA_DEVS; do
		rdma link delete "$dev"
	done
	RDMA_DEVS=
	[ "$NET_DEV" != net0 ] || ip link delete net0
}
