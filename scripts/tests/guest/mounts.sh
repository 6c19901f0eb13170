# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The NFS client of a guest.

PORT=20049
MNT=/mnt/nfs

# The daemons that a client without a server needs.
client_start() {
	mkdir -p /run/rpc_pipefs
	mountpoint -q /run/rpc_pipefs ||
		mount -t rpc_pipefs rpc_pipefs /run/rpc_pipefs
}

# nfs_mount VERSION [DIR [OPTIONS]]: over IPv4, from SERVER_ADDR
nfs_mount() {
	nfs_mount_from "$SERVER_ADDR" rdma "$@"
}

nfs_mount6() {
	nfs_mount_from "[$SERVER_ADDR6]" rdma6 "$@"
}

nfs_mount_from() {
	local dir=${4:-$MNT}

	mkdir -p "$dir"
	nfs_mount_program "$1" "$2" "$3" "$dir" "${5:-}"
	over_rdma "$dir"
}

# fatal_neterrors SERVER: the mount option that newer kernels give a mount in a network namespace by
# default, if this kernel has it
fatal_neterrors() {
	local option=fatal_neterrors=ENETDOWN:ENETUNREACH dir=/mnt/option said

	mkdir -p $dir
	if said=$(nfs_mount_program "$1" rdma 4.1 $dir $option 2>&1); then
		nfs_umount $dir
		echo $option
	else
		grep -q 'incorrect mount option' <<< "$said" || fail "a mount with $option: $said"
	fi
}

# nfs_mount_program SERVER PROTO VERSION DIR OPTIONS
nfs_mount_program() {
	limited 60 mount -t nfs -o "$(nfs_options "$3" "$2")${5:+,$5}" \
		"$1:$(nfs_path "$3")" "$4"
}

nfs_options() {
	local options=vers=$1,proto=$2,port=$PORT family=${2#rdma}

	case $1 in
	3)	options+=,nolock,mountproto=tcp${family#tcp} ;;
	esac
	echo "$options"
}

# The export is the root of the NFSv4 name space; NFSv3 knows its real path.
nfs_path() {
	case $1 in
	3)	echo "$EXPORT" ;;
	*)	echo / ;;
	esac
}

nfs_umount() {
	limited 60 umount "${1:-$MNT}"
}

umount_all() {
	local dir

	while read -r dir; do
		nfs_umount "$dir"
	done < <(awk '$3 ~ /^nfs4?$/ { print $2 }' /proc/mounts | tac)
}

# Neither a mount option nor a fallback may have put the data on TCP.
over_rdma() {
	grep -qE "^[^ ]+ $1 nfs4? [^ ]*proto=rdma6?," /proc/mounts ||
		fail "$1 is not mounted over RDMA"
	transports "$1" > /dev/null || fail "$1 has no rdma transport"
}

# transports DIR: how many the mount has
transports() {
	mountstats "$1" | grep -c 'xprt:[[:space:]]*rdma '
}

# mountstats DIR: the part of /proc/self/mountstats on one mount
mountstats() {
	awk -v dir="$1" '/^device / { on = $5 == dir } on' /proc/self/mountstats
}

# rdma_counter DIR NAME: the sum over the mount's transports
rdma_counter() {
	local column

	column=$(rdma_column "$2") || fail "no counter is called $2"
	mountstats "$1" |
		awk -v c="$column" '$1 == "xprt:" && $2 == "rdma" { n += $c }
				    END { printf "%.0f\n", n }'
}

# The columns of the line "xprt: rdma", counted from 1.
rdma_column() {
	local name column=2

	for name in port binds connects connect_time idle_time sends receives \
		    bad_xids requests backlog read_chunks write_chunks \
		    reply_chunks request_bytes reply_bytes pullup_bytes \
		    fixup_bytes registrations failed_marshals bad_replies \
		    nomsg_calls mrs_recycled mrs_orphaned mrs_allocated \
		    local_invalidations; do
		column=$((column + 1))
		[ "$name" = "$1" ] && echo "$column" && return
	done
	return 1
}

# connections SIDE KEY: a line for each connection of the client or server, the oldest
# first; no line for a connection without that key
connections() {
	awk -v side="side: $1" -v key="$2: " '
		/^connection: / { mine = 0 }
		$0 == side { mine = 1 }
		mine && index($0, key) == 1 { print substr($0, length(key) + 1) }' \
		/sys/kernel/debug/rpcrdma/connections
}

# op_count DIR OPERATIONS: how often the mount sent them. It is called often, so it starts
# one program only.
op_count() {
	awk -v dir="$1" -v ops=" $2 " '
		/^device / { on = $5 == dir }
		on && $1 ~ /:$/ && index(ops, " " substr($1, 1, length($1) - 1) " ") {
			n += $2
		}
		END { print n + 0 }' /proc/self/mountstats
}

# Clean pages only: sync first, so that reads come from the server afterwards.
drop_caches() {
	sync
	echo 3 > /proc/sys/vm/drop_caches
}
