#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# One turn of the benchmark in one guest: all phases on one mount, with ours or the
# in-tree module. Started by scripts/bench/run.
#
# From there: VERSION, NCONNECT, COUNT=yes (with the counting module; COUNT_WORDS are
# parameters for it), PHASES
# (words NAME:OPERATIONS), TRANSPORT (rdma; or tcp, tmpfs or raw, to compare with),
# CLOCK (time, or instructions), LOCKS=yes (which locks are waited for in a phase)

. "${GUEST_LIB:?}"

# A mount of its own, because only this load must ask the server for attributes each time.
STAT_MNT=/mnt/stat

mount_it() {
	case ${TRANSPORT:-rdma} in
	rdma)
		nfs_mount "$VERSION" "$1" "$2"
		;;
	tcp)
		grep -q '^tcp 2049$' $NFSD/portlist || echo "tcp 2049" > $NFSD/portlist
		mkdir -p "$1"
		mount -t nfs -o "$(PORT=2049 nfs_options "$VERSION" tcp),$2" \
			"$SERVER_ADDR:$(nfs_path "$VERSION")" "$1"
		;;
	tmpfs)
		mkdir -p "$1"
		mount -t tmpfs tmpfs "$1"
		;;
	raw)	mkdir -p "$1" ;;
	esac
}

export CLOCK=${CLOCK:-time}
# A clock that counts instructions jumps ahead when the CPU waits for the host.
if [ "$CLOCK" = instructions ]; then
	scaled() {
		echo $(($1 * 100))
	}
fi

# The GID of the IPv4 address.
gid_index() {
	local number=0

	until grep -qs ffff: "/sys/class/infiniband/${PROVIDER}0/ports/1/gids/$number"; do
		number=$((number + 1))
	done
	echo $number
}

phase() {
	local mnt=$MNT

	[ "$1" != stat ] || mnt=$STAT_MNT
	if [ "${LOCKS:-no}" = yes ]; then
		"$SRC/scripts/bench/locks" "$1" "$SRC/scripts/bench/work" "$1" "$mnt" "$2"
	else
		"$SRC/scripts/bench/work" "$1" "$mnt" "$2"
	fi
}

link_up
modules_prerequisites
if [ "${TRANSPORT:-rdma}" = raw ]; then
	RAW_GID=$(gid_index)
	export RAW_GID RAW_DEVICE=${PROVIDER}0 RAW_ADDRESS=$SERVER_ADDR
fi
[ "${COUNT:-no}" = no ] || insmod "$TESTMOD_DIR/test_verbs.ko" ${COUNT_WORDS:-}
modules_load
server_start
mount_it "$MNT" "nconnect=$NCONNECT"
mount_it "$STAT_MNT" "nconnect=$NCONNECT,nosharecache,actimeo=0"
for word in $PHASES; do
	phase "${word%:*}" "${word#*:}"
done
umount_all
server_stop
modules_unload
[ "${COUNT:-no}" = no ] || rmmod test_verbs
link_down
success
