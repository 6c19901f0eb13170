#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: nconnect=4 and nconnect=16 create so many RDMA connections, and all of them carry the I/O of 16 writers, correct data; they have one path
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/siw kcsan/rxe
# timeout: 90
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

# Records that are written for each connection
amount RECORDS 24 12

# idle_connections: how many of the mount's transports have sent less than half of their share
idle_connections() {
	mountstats "$MNT" | awk -v c="$(rdma_column sends)" -v least=$((RECORDS / 2)) \
		'$1 == "xprt:" && $2 == "rdma" && $c < least { n++ } END { print n + 0 }'
}

# connections_wanted VERSION NCONNECT
# The NFS client of 6.1 takes nconnect with TCP only, but for NFSv3, and does not show it then.
connections_wanted() {
	grep -q " $MNT nfs.*,nconnect=${2}[, ]" /proc/self/mounts && echo "$2" && return
	[[ $1 = 4.* && $(uname -r) = 6.1.* ]] || fail "vers=$1: the mount has no nconnect"
	echo 1
}

# spread_io VERSION CONNECTIONS
spread_io() {
	local version=$1 sum wanted

	nfs_mount "$version" "$MNT" "nconnect=$2"
	wanted=$(connections_wanted "$version" "$2")
	sum=$("$GUEST_DIR/many-writers" direct "$MNT/file" 16 $((RECORDS * $2)))
	[ "$(file_sum "$EXPORT/file")" = "$sum  -" ] || fail "vers=$version: wrong data"
	drop_caches
	[ "$(file_sum "$MNT/file")" = "$sum  -" ] || fail "vers=$version: wrong data read"
	[ "$(transports "$MNT")" -eq "$wanted" ] ||
		fail "vers=$version: $(transports "$MNT") connections instead of $wanted"
	[ "$(idle_connections)" -eq 0 ] || fail "vers=$version: a connection is not used"
	[ "$(rdma_count qp)" -eq $((QPS_BEFORE + 2 * wanted)) ] ||
		fail "vers=$version: $(rdma_count qp) queue pairs"
	nfs_umount
	if [ "$wanted" -eq "$2" ]; then
		say "vers=$version, nconnect=$2: ok"
	else
		say "left out: vers=$version, nconnect=$2; this kernel makes $wanted connection"
	fi
}

# RPCs in turn over all transports
connects_are() {
	stat -f "$MNT" "$MNT" "$MNT" "$MNT" > /dev/null
	[ "$(rdma_counter "$MNT" connects)" -eq "$1" ]
}

# The queue pair of one connection fails. The others have the same address, so that is no other path, and
# no failover.
one_path() {
	insmod "$TESTMOD_DIR/test_cut.ko"
	nfs_mount 3 "$MNT" nconnect=4
	within "$(scaled 10)" connects_are 4 || fail "there are not four connections"
	echo 0 > /sys/module/test_cut/parameters/cut
	within "$(scaled 20)" connects_are 5 || fail "a connection that has failed is not made again"
	! grep '^failovers [1-9]' "$CONNECTIONS"/client-*/counters || fail "a path is used twice"
	nfs_umount
	within 10 no_connected_qp || fail "queue pairs stay"
	rmmod test_cut
}

link_up
modules_load
server_start
for version in $VERSIONS; do
	for number in 4 16; do
		spread_io "$version" $number
		within 10 no_connected_qp || fail "queue pairs stay"
	done
done
one_path
finish
