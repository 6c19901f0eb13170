#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: nfsd's rdma listener is created by generic netlink, for all addresses and for one, and is removed again
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/rxe kcsan/siw
# symbols: nfsd_nl_listener_set_doit
# timeout: 90
# in-check: yes
# Proves V1-BIND-04, ULB-BND-06.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/listener.sh"

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
	refused 'refused' limited 60 mount -t nfs -o "$(nfs_options 4.2 rdma6),retry=0" \
		"[$SERVER_ADDR6]:/" "$MNT"
	"$GUEST_DIR/nfsd-listener" threads 0
	listeners_gone "netlink, one address"
}

link_up
modules_load
server_start
server_stop
from_netlink
from_netlink_one_address
finish
