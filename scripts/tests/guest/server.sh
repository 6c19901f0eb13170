# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The NFS server of a guest. The export is a tmpfs on /srv/exp, which is the root
# of the NFSv4 name space as well.

EXPORT=/srv/exp
NFSD=/proc/fs/nfsd
NFSD_THREADS=${NFSD_THREADS:-8}

# With short leases, no grace period, and the daemons without systemd.
server_start() {
	server_file_systems
	server_export
	server_daemons
	server_tune
	server_threads "$NFSD_THREADS"
	server_listen
}

# nfsd considers an NFSv4 client expired that connects in the first second of its clock.
server_clock() {
	local uptime

	read -r uptime _ < /proc/uptime
	[ "${uptime%.*}" -ge 1 ] || sleep 1
}

server_file_systems() {
	mountpoint -q "$EXPORT" || {
		mkdir -p "$EXPORT"
		mount -t tmpfs -o size=80%,nr_inodes=1m export "$EXPORT"
	}
	mkdir -p /run/rpcbind /var/lib/nfs/nfsdcld
	client_start
	[ -d $NFSD ] || modprobe nfsd
	mountpoint -q $NFSD || mount -t nfsd nfsd $NFSD
}

# disk_mount DIRECTORY SIZE MKFS-OPTION...: a file system that can be frozen: threads that
# write into it wait until it is thawed. Nothing loads the driver of loop devices by itself.
disk_mount() {
	local directory=$1 size=$2

	shift 2
	truncate -s "$size" /tmp/disk
	mkfs.ext4 -q -E nodiscard "$@" /tmp/disk
	mkdir -p "$directory"
	[ -e /dev/loop-control ] || modprobe loop
	mount -o loop /tmp/disk "$directory"
}

# The export on a disk. Attributes may have 64 KiB, symbolic links 4095 bytes. Before
# server_start.
server_export_on_disk() {
	disk_mount "$EXPORT" 256M -b 4096 -O ea_inode
}

server_export() {
	: > /var/lib/nfs/etab
	: > /var/lib/nfs/rmtab
	exportfs -o rw,no_root_squash,insecure,fsid=0,no_subtree_check "*:$EXPORT"
}

# The tmpfs of 6.1 has no attributes "user.*".
export_has_xattrs() {
	: > "$EXPORT/probe"
	if "$GUEST_DIR/big-attr" set-user "$EXPORT/probe" 8 2> /tmp/no-xattrs; then
		rm "$EXPORT/probe"
		return
	fi
	rm "$EXPORT/probe"
	grep -q 'Operation not supported' /tmp/no-xattrs && [[ $(uname -r) = 6.1.* ]] ||
		fail "no attribute can be set: $(cat /tmp/no-xattrs)"
	say "left out: extended attributes, which tmpfs does not have in this kernel"
	return 1
}

server_daemons() {
	pidof -q rpcbind || rpcbind -w
	pidof -q nfsdcld || nfsdcld
	pidof -q rpc.mountd || rpc.mountd
}

server_tune() {
	echo "${NFSD_LEASE:-10}" > $NFSD/nfsv4leasetime
	echo 10 > $NFSD/nfsv4gracetime
	echo "${NFSD_PAYLOAD:-1048576}" > $NFSD/max_block_size
	# lockd's own grace: as long as it lasts there are no delegations either.
	echo 3 > /proc/sys/fs/nfs/nlm_timeout
	echo 1 > /proc/sys/fs/nfs/nlm_grace_period
}

# The most bytes that nfsd takes, 4 MiB from Linux 6.16 on, with NFSD_PAYLOAD=4194304
largest_payload() {
	local wanted=4194304 bytes

	bytes=$(cat $NFSD/max_block_size)
	case $(uname -r) in
	6.[1-9].* | 6.1[0-5].*)	wanted=1048576 ;;
	esac
	[ "$bytes" -eq $wanted ] || fail "nfsd takes $bytes bytes, not $wanted"
	echo "$bytes"
}

# server_threads COUNT: a server without threads would let every mount hang
server_threads() {
	server_clock
	rpc.nfsd "$1"
	[ "$(cat $NFSD/threads)" -eq "$1" ] || fail "nfsd has no threads"
	server_end_grace
}

# EIO means that no grace period is running.
server_end_grace() {
	echo Y > $NFSD/v4_end_grace 2> /dev/null || true
}

server_listen() {
	echo "rdma 20049" > $NFSD/portlist
	grep -q '^rdma 20049$' $NFSD/portlist || fail "nfsd has no rdma listener"
}

server_stop() {
	server_is_up || return 0
	rpc.nfsd 0
	[ "$(cat $NFSD/threads)" -eq 0 ] || fail "nfsd threads stay"
	[ -z "$(cat $NFSD/portlist)" ] || fail "nfsd listeners stay"
}

server_is_up() {
	[ -e $NFSD/threads ] || return 1
	[ "$(cat $NFSD/threads)" -gt 0 ] ||
		[ -n "$(cat $NFSD/portlist)" ]
}

# As an administrator's "systemctl restart nfs-server": clients reclaim.
server_restart() {
	rpc.nfsd 0
	sleep "${1:-0}"
	server_tune
	rpc.nfsd "$NFSD_THREADS"
	server_listen
}

# server_clients FIELD: one line for each NFSv4 client, from its info file
server_clients() {
	cat $NFSD/clients/*/info 2> /dev/null | sed -n "s/^$1: *//p"
}
