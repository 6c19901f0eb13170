#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: an nfsd in another network namespace, as in a container, listens and serves over RDMA, beside the nfsd of the first namespace, and goes with its container, also in use
# lanes: uml umldbg
# provider: rxe
# guests: 1
# mods: ours
# timeout: 120
# in-check: yes

# Not over siw: far.sh gives an rxe device an address in the other namespace by an ipvlan. siw has
# TCP sockets there, which an ipvlan does not connect with those of the netdev below it.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/far.sh"

FAR_EXPORT=/srv/far
FAR_MNT=/mnt/far
# The first process of the container, which keeps its mounts
FAR_PID=

far_server_start() {
	nsenter --net=/run/netns/far unshare --mount --propagation private sleep infinity &
	FAR_PID=$!
	within 10 far_is_apart || fail "the container has no mounts of its own"
	in_container mount -t tmpfs none /var/lib/nfs
	in_container mount -t tmpfs none /run
	in_container sh -ec "
		mkdir -p /run/rpc_pipefs /run/rpcbind /var/lib/nfs/nfsdcld
		: > /var/lib/nfs/etab
		: > /var/lib/nfs/rmtab
		mount -t rpc_pipefs rpc_pipefs /run/rpc_pipefs
		mount -t nfsd nfsd $NFSD
		nfsdcld
		exportfs -o rw,no_root_squash,insecure,fsid=0,no_subtree_check '*:$FAR_EXPORT'
		rpc.mountd --no-nfs-version 3
		echo 10 > $NFSD/nfsv4leasetime
		echo 10 > $NFSD/nfsv4gracetime
		rpc.nfsd --no-nfs-version 3 4
		echo Y > $NFSD/v4_end_grace || true
		echo 'rdma $PORT' > $NFSD/portlist" || fail "no nfsd in the namespace"
}

far_is_apart() {
	[ "$(readlink /proc/$FAR_PID/ns/mnt)" != "$(readlink /proc/self/ns/mnt)" ]
}

# The guest's root is not that of its mount namespace.
in_container() {
	nsenter --target $FAR_PID --net --mount --root --wd "$@"
}

# serves ADDRESS EXPORT OTHER-EXPORT: what is written there is on that export only
serves() {
	nfs_mount_from "$1" rdma 4.2
	random_file /tmp/file 3000000
	cp /tmp/file "$MNT/file"
	drop_caches
	same_file /tmp/file "$MNT/file"
	same_file /tmp/file "$2/file"
	[ ! -e "$3/file" ] || fail "the other server has the file"
	rm "$MNT/file"
	nfs_umount
}

# The server in the namespace has its threads and connections; the other one goes on.
far_server_stop() {
	in_container rpc.nfsd 0
	[ "$(in_container cat $NFSD/threads)" -eq 0 ] || fail "threads stay in the namespace"
	[ "$(cat $NFSD/threads)" -eq "$NFSD_THREADS" ] || fail "the first server lost its threads"
}

# The server goes with the mounts of its container.
far_server_killed() {
	local pid

	for pid in /proc/[0-9]*; do
		[ "$(readlink "$pid/ns/net")" != "$(readlink /proc/$FAR_PID/ns/net)" ] ||
			[ "${pid#/proc/}" = $FAR_PID ] || kill -KILL "${pid#/proc/}" 2> /dev/null || true
	done
	kill -KILL $FAR_PID
	wait $FAR_PID || true
}

killed_in_use() {
	nfs_mount_from $FAR_ADDR rdma 4.2 "$MNT" soft,timeo=20,retrans=1
	dd if=/dev/zero of="$MNT/busy" bs=64k oflag=direct status=none 2> /dev/null &
	within 10 has_data $FAR_EXPORT/busy || fail "nothing is written"
	far_server_killed
	! wait $! || fail "a server that is gone took a WRITE"
	limited 60 umount -f "$MNT"
	within 60 no_transport || fail "the client of a server that is gone stays"
}

# The NFS client still tries to end its session.
no_transport() {
	! compgen -G '/sys/kernel/sunrpc/xprt-switches/switch-*/xprt-*-rdma' > /dev/null
}

has_data() {
	[ -s "$1" ]
}

link_up
modules_load
server_start
make_far
mkdir -p $FAR_EXPORT
mount -t tmpfs far-export $FAR_EXPORT
far_server_start
serves $FAR_ADDR $FAR_EXPORT "$EXPORT"
serves "$SERVER_ADDR" "$EXPORT" $FAR_EXPORT
far_server_stop
far_server_killed
within 10 no_connected_qp || fail "a connection stays when a server has stopped"
far_server_start
killed_in_use
within 10 no_connected_qp || fail "a connection stays when a server is killed"
serves "$SERVER_ADDR" "$EXPORT" $FAR_EXPORT
umount $FAR_EXPORT
far_is_gone
finish
