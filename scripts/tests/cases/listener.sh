#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: nfsd's rdma listener is created from nfs.conf and from /proc/fs/nfsd/portlist, and is removed again
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 90
# in-check: yes
# Proves V1-BIND-04, V1-BIND-08, ULB-BND-07, ULB-BND-06.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/listener.sh"

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
same_port_twice
finish
