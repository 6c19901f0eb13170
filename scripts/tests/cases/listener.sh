#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: nfsd's rdma listener is created from nfs.conf and from /proc/fs/nfsd/portlist, at the port that they name and no other, and is removed again; rpcbind knows nfsd's TCP port and no RDMA
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 120
# in-check: yes
# Proves V1-BIND-04, V1-BIND-08, V1-BIND-09, ULB-BND-01, ULB-BND-06, ULB-BND-07.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/listener.sh"

OTHER_PORT=20050

from_nfs_conf() {
	printf '[nfsd]\nrdma=y\nrdma-port=20049\nthreads=4\n' > /etc/nfs.conf
	rpc.nfsd
	[ "$(cat "$NFSD/threads")" -eq 4 ] || fail "rpc.nfsd did not read nfs.conf"
	grep -q '^rdma 20049$' "$NFSD/portlist" || fail "nfs.conf gave no rdma listener"
	server_end_grace
	published nfs.conf
	mount_works 4.2 nfs.conf
	rpc.nfsd 0
	rm /etc/nfs.conf
	listeners_gone nfs.conf
}

from_portlist() {
	server_threads 4
	server_listen
	published portlist
	mount_works 3 portlist
	rpc.nfsd 0
	listeners_gone portlist
}

# published NAME: clients know the RDMA port. rpcbind has no address of it; NFS is there with
# its number, and with TCP port 2049.
published() {
	rpcinfo > /tmp/transports
	! grep -iE 'rdma|\.78\.(81|82) ' /tmp/transports ||
		fail "$1: rpcbind knows of RDMA, or of its port"
	rpcinfo -p > /tmp/programs
	grep -qE '^ *100003 +4 +tcp +2049( |$)' /tmp/programs ||
		fail "$1: rpcbind has no NFSv4 at TCP port 2049"
}

no_mount() {
	mkdir -p "$MNT"
	limited 30 mount -t nfs -o "$(nfs_options "$1" rdma),retry=0" \
		"$SERVER_ADDR:$(nfs_path "$1")" "$MNT"
}

# First the usual port has no listener, then both have one.
other_port() {
	server_threads 4
	echo "rdma $OTHER_PORT" > "$NFSD/portlist"
	grep -qx "rdma $OTHER_PORT" "$NFSD/portlist" || fail "there is no listener at port $OTHER_PORT"
	published "port $OTHER_PORT"
	for version in 3 4.2; do
		PORT=$OTHER_PORT mount_works $version "port $OTHER_PORT"
		refused refused no_mount $version
	done
	server_listen
	mount_works 4.2 "the usual port too"
	PORT=$OTHER_PORT mount_works 4.2 "port $OTHER_PORT beside it"
	rpc.nfsd 0
	listeners_gone "port $OTHER_PORT"
}

same_port_twice() {
	server_threads 1
	server_listen
	refused 'address' bash -c "echo 'rdma 20049' > $NFSD/portlist"
	mount_works 4.2 "after a refused listener"
	PORT=$OTHER_PORT refused refused no_mount 4.2
	rpc.nfsd 0
	listeners_gone "refused listener"
}

link_up
modules_load
server_start
server_stop
from_nfs_conf
from_portlist
other_port
same_port_twice
finish
