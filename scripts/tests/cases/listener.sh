#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: nfsd's rdma listener is created from nfs.conf, from /proc/fs/nfsd/portlist and by generic netlink, and is removed again
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 90
# in-check: yes
# Proves V1-BIND-04, V1-BIND-08, ULB-BND-07, ULB-BND-06.

. "${GUEST_LIB:?}"

mount_works() {
	nfs_mount "$1"
	echo "$2" > "$MNT/word"
	[ "$(cat "$EXPORT/word")" = "$2" ] || fail "$2: the file differs"
	nfs_umount
	say "$2: a mount works"
}

listeners_gone() {
	[ -z "$(cat "$NFSD/portlist")" ] || fail "$1: listeners stay: $(cat "$NFSD/portlist")"
	no_listening_id
}

# The RDMA core has forgotten the port too.
no_listening_id() {
	within 10 no_id || fail "an RDMA listener stays"
}

no_id() {
	[ "$(rdma_count cm_id)" -eq 0 ]
}

from_nfs_conf() {
	printf '[nfsd]\nrdma=y\nrdma-port=20049\nthreads=4\n' > /etc/nfs.conf
	rpc.nfsd
	[ "$(cat "$NFSD/threads")" -eq 4 ] || fail "rpc.nfsd did not read nfs.conf"
	grep -q '^rdma 20049$' "$NFSD/portlist" || fail "nfs.conf gave no rdma listener"
	server_end_grace
	mount_works 4.2 nfs.conf
	rpc.nfsd 0
	rm /etc/nfs.conf
	listeners_gone nfs.conf
}

from_portlist() {
	server_threads 4
	server_listen
	mount_works 3 portlist
	rpc.nfsd 0
	listeners_gone portlist
}

from_netlink() {
	"$GUEST_DIR/nfsd-listener" set rdma 0.0.0.0 20049 rdma :: 20049 tcp 0.0.0.0 2049
	"$GUEST_DIR/nfsd-listener" get > /tmp/listeners
	cat /tmp/listeners
	for line in 'rdma 0.0.0.0 20049' 'rdma :: 20049' 'tcp 0.0.0.0 2049'; do
		grep -qxF "$line" /tmp/listeners || fail "netlink did not keep: $line"
	done
	"$GUEST_DIR/nfsd-listener" threads 4
	server_end_grace
	mount_works 4.1 netlink
	"$GUEST_DIR/nfsd-listener" threads 0
	listeners_gone netlink
}

# One address only: a connect with the other address family fails.
from_netlink_one_address() {
	"$GUEST_DIR/nfsd-listener" set rdma "$SERVER_ADDR" 20049 tcp "$SERVER_ADDR" 2049
	"$GUEST_DIR/nfsd-listener" threads 4
	server_end_grace
	mount_works 4.2 "netlink, one address"
	"$GUEST_DIR/nfsd-listener" threads 0
	listeners_gone "netlink, one address"
}

same_port_twice() {
	server_threads 1
	server_listen
	refused 'address' bash -c "echo 'rdma 20049' > $NFSD/portlist"
	mount_works 4.2 "after a refused listener"
	rpc.nfsd 0
	listeners_gone "refused listener"
}

link_up
modules_load
server_start
server_stop
from_nfs_conf
from_portlist
from_netlink
from_netlink_one_address
same_port_twice
finish
