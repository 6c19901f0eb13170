#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: rpcrdmactl doctor finds each injected fault and prints a command; the commands that the case runs repair the fault; nothing is found on a healthy machine
# lanes: uml stock
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml
# on-demand: stock without KVM each start of the program takes ten seconds
# timeout: 420
# in-check: yes
# lengths: short full
# lanes[full]: uml
# timeout[full]: 1800
# in-check[full]: no
# env[full]: ALERTS=yes
#
# The full run has a Prometheus, and checks that each finding makes its alert fire.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/rpcrdmactl.sh"
[ -z "${ALERTS:-}" ] || . "$GUEST_DIR/prometheus.sh"

# Not on umldbg: this loads and unloads the kernel's own modules, and KASAN on UML still
# guards their global variables when the memory has another owner.

UPDATES=/lib/modules/$(uname -r)/updates
faults=0	# counted by ill

healthy_again() {
	healthy "after $1" "$SERVER_ADDR"
}

install_for_another_kernel() {
	mkdir -p /lib/modules/1.2.3-other
	mv "$UPDATES" /lib/modules/1.2.3-other/updates
	depmod
	depmod 1.2.3-other 2> /dev/null
}

install_for_this_kernel() {
	mv /lib/modules/1.2.3-other/updates "$UPDATES"
	rm -r /lib/modules/1.2.3-other
	depmod
}

modules_missing() {
	server_stop
	modules_unload
	mv "$UPDATES" /tmp/updates
	depmod
	ill module-missing 'not installed for kernel'
	mv /tmp/updates "$UPDATES"
	depmod
	healthy "with the modules installed and not loaded"
}

stale_package() {
	install_for_another_kernel
	ill package-stale 'for kernel 1\.2\.3-other, not for'
	install_for_this_kernel
	healthy "after the modules were installed for this kernel"
}

# There is no systemd here.
systemctl() {
	case "$*" in
	"stop nfs-server")	server_stop ;;
	"start nfs-server")	server_start ;;
	*)			false ;;
	esac
}

# The file is newer than the loaded module, as after an update of the package.
updated_package() {
	modprobe rpcrdma
	server_start
	nfs_mount 4.2
	nfs_mount 3 /tmp/mnt-3
	sed -i 's/srcversion=\(.\{8\}\)/srcversion=00000000/' "$UPDATES/xprtrdma.ko"
	ill package-stale 'another version of xprtrdma is loaded'
	repair
	over_rdma "$MNT"
	over_rdma /tmp/mnt-3
	# The module that has another srcversion is what runs now.
	healthy "after the change to another version"
	umount_all
	server_stop
	ctl_install
	modules_unload
	modprobe rpcrdma
}

intree_loaded() {
	modules_unload
	insmod "$(intree_file)"
	ill module-intree "kernel's own rpcrdma is loaded, although ours is installed"
	repair
	healthy "after the change from the in-tree module"
}

intree_file() {
	if [ -n "${INTREE_KO:-}" ]; then
		echo "$INTREE_KO"
	else
		find "/lib/modules/$(uname -r)/kernel/net/sunrpc/xprtrdma" -name 'rpcrdma.ko*'
	fi
}

no_device() {
	local dev

	for dev in $RDMA_DEVS; do
		rdma_link_remove "$dev"
	done
	ill device-missing 'no RDMA device'
	logged 'no RDMA device leads to' ''
	# doctor proposes rxe; here it is what the lane has.
	doctor_says '.findings[0].repair[0].command' |
		grep -q "^rdma link add rxe0 type rxe netdev $NET_DEV" || fail "not a command for $NET_DEV"
	rdma_link_add "${PROVIDER}0" "$NET_DEV"
	[ "$PROVIDER" != siw ] || rdma_link_add siwlo lo
	healthy "with the device back"
}

link_is_down() {
	ip link set "$NET_DEV" down
	ill link-down "is DOWN, not ACTIVE: $NET_DEV is down"
	repair
	within 10 rdma_link_active "${PROVIDER}0" || fail "the link stays down"
	within 10 no_finding || fail "doctor still finds something"
	healthy "with the link up"
}

healthy_link() {
	ip link set "$NET_DEV" up
	within 10 rdma_link_active rxe0 || fail "the link stays down"
	healthy "with the link up again"
}

no_finding() {
	"$CTL" doctor > /dev/null
}

# rxe puts the queue pair of the connection manager into error when a packet cannot be
# sent, and leaves it there when the link is up again. That of 6.1 does not show it, so that
# doctor must try to connect. Our modules and doctor send nothing then; another program may.
stuck_device() {
	ip link set "$NET_DEV" down
	logged 'no RDMA device leads to|no connection: ' ''
	ill link-down 'is DOWN' "$SERVER_ADDR"
	healthy_link
	ip link set "$NET_DEV" down
	PYTHONPATH=$SRC/scripts/tool python3 -c '
import sys
from rpcrdma_ctl import cm
print(cm.attempt(sys.argv[1], 20049, 2))' "$SERVER_ADDR"
	ip link set "$NET_DEV" up
	within 10 rdma_link_active rxe0 || fail "the link stays down"
	if [[ $(uname -r) != 6.1.* ]]; then
		ill device-stuck 'RDMA port rxe0/1 can neither connect nor be connected to'
	fi
	ill device-stuck 'RDMA port rxe0/1 can neither connect nor be connected to' "$SERVER_ADDR"
	repair
	within 10 rdma_link_active rxe0 || fail "the new device does not come up"
	within 10 rdma_has_gid rxe0 "$SERVER_ADDR" || fail "the new device has no GID"
	ill listener-absent 'the server answers' "$SERVER_ADDR"
	healthy "with the device removed and added again"
}

# An address whose network device has no RDMA device
other_network() {
	ip link add other type dummy
	ip addr add 10.77.0.1/24 dev other
	ip link set other up
	ill address-not-rdma "10.77.0.2 is reached from 10.77.0.1 on other, which has no RDMA device" 10.77.0.2
	doctor_says '.findings[0].repair[].command' | grep -q 'netdev other' || fail "no command names it"
	logged 'no RDMA device leads to' '' 10.77.0.2
	ip link delete other
	healthy "without the other network"
}

no_listener() {
	server_start
	healthy_again "starting the server"
	server_stop
	server_threads "$NFSD_THREADS"
	printf '[nfsd]\nrdma=y\nrdma-port=20049\n' > /etc/nfs.conf
	ill listener-absent 'nfsd runs without an rdma listener'
	repair
	healthy_again "making the listener"
	: > /etc/nfs.conf
}

# A client as the package leaves it, and a server that is not started
server_not_started() {
	printf '[nfsd]\nrdma=y\nrdma-port=20049\n' > /etc/nfs.conf
	healthy "on a client whose nfs.conf asks for RDMA"
	echo "$EXPORT *(rw)" > /etc/exports
	ill listener-absent 'there are exports, .*nfsd does not run'
	: > /etc/exports
	: > /etc/nfs.conf
}

# A client whose nfs.conf does not mention RDMA
no_listener_at_the_server() {
	ill listener-absent "$SERVER_ADDR port 20055: the server answers, but no NFS/RDMA service listens" \
		-p 20055 "$SERVER_ADDR"
	logged ':20055: no connection: (rejected by the peer|peer not reachable)' port=20055
}

# Not asked is not the same as nothing found.
without_rdma_ucm() {
	mv /dev/infiniband/rdma_cm /tmp/rdma_cm
	doctor_run 0 "$SERVER_ADDR"
	shown doctor "$SERVER_ADDR"
	doctor_says '.notes[]' | grep -q 'not known .*modprobe rdma_ucm' ||
		fail "doctor does not say that the server was not asked"
	mv /tmp/rdma_cm /dev/infiniband/rdma_cm
	healthy "with rdma_ucm" "$SERVER_ADDR"
}

other_port() {
	server_stop
	server_threads "$NFSD_THREADS"
	echo 'rdma 20050' > "$NFSD/portlist"
	ill listener-port 'at port 20050, clients look for it at 20049'
	repair
	healthy_again "making the listener at the right port"
	server_stop
	server_threads "$NFSD_THREADS"
	server_listen
}

# On iWARP it is the server's TCP port that matters, on RoCE the UDP port of both ends.
blocked_port() {
	local packet='udp dport 4791'

	[ "$PROVIDER" = rxe ] || packet='tcp dport 20049'
	nft add table inet filter
	nft 'add chain inet filter input { type filter hook input priority 0; policy accept; }'
	nft "add rule inet filter input $packet drop"
	ill port-blocked "the firewall drops (UDP port 4791|TCP port 20049)"
	repair
	healthy_again "letting the port through"
	nft delete table inet filter
	[ "$PROVIDER" = rxe ] || return 0
	nft add table inet filter
	nft 'add chain inet filter out { type filter hook output priority 0; policy drop; }'
	nft add rule inet filter out oif lo accept
	ill port-blocked 'UDP port 4791 on net0 \(nft, table inet filter, chain out\)'
	repair
	healthy "with the port open on the way out"
	nft delete table inet filter
}

# A policy of drop, with everything else that a server lets in
default_drop() {
	local port=4791 proto=udp

	[ "$PROVIDER" = rxe ] || { port=20049; proto=tcp; }
	nft add table inet filter
	nft 'add chain inet filter input { type filter hook input priority 0; policy drop; }'
	nft add rule inet filter input iif lo accept
	nft add rule inet filter input tcp dport '{ 22, 2049 }' accept
	nft add rule inet filter input ip protocol icmp accept
	ill port-blocked 'table inet filter, chain input'
	nft add rule inet filter input $proto dport $port accept
	healthy "with a policy of drop and the port open"
	nft delete table inet filter
}

# rxe has 1024 GIDs at most; each address takes one.
full_gid_table() {
	local i

	for i in {0..1029}; do
		echo "address add 10.78.$((i / 250)).$((i % 250 + 1))/32 dev $NET_DEV"
	done > /tmp/addresses
	ip -batch /tmp/addresses
	within 20 gids_are_settled || fail "the GID table is never full"
	ill gid-missing "has no RoCE v2 GID on rxe0/1"
	sed 's/ add / del /' /tmp/addresses > /tmp/addresses-del
	ip -batch /tmp/addresses-del
	within 20 no_finding || fail "doctor still finds something"
	healthy_again "giving the addresses back"
}

gids_are_settled() {
	[ "$(grep -lv '^0000:0000:0000:0000:0000:0000:0000:0000$' \
		/sys/class/infiniband/rxe0/ports/1/gids/* | wc -l)" -ge 1024 ]
}

# only_rxe FUNCTION
only_rxe() {
	if [ "$PROVIDER" = rxe ]; then
		"$1"
	else
		say "left out: $1, which is about RoCE"
	fi
}

link_up
modules_load
ctl_install
[ -e /dev/infiniband/rdma_cm ] || modprobe rdma_ucm
if [ -n "${ALERTS:-}" ]; then
	exporter_start
	prometheus_start
fi
healthy "with the modules loaded and nothing else"
modules_missing
stale_package
updated_package
intree_loaded
no_device
link_is_down
only_rxe stuck_device
other_network
server_not_started
no_listener
no_listener_at_the_server
only_rxe without_rdma_ucm
other_port
blocked_port
default_drop
only_rxe full_gid_table
say "$faults faults found"
[ "$faults" -ge 12 ] || fail "only $faults faults were tried"
finish
