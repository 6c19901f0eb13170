#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: 200 connections to one server: all work, all are lost at once and reconnect in time, nothing is left
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# memory: 2G
# timeout: 200
# every: uml/rxe smpdbg/rxe kcsan/siw
# in-check: yes

# A client makes at most 16 connections to one address and port. So there are as many
# ports as are needed, each a server of its own to the client.

. "${GUEST_LIB:?}"

CONNECTIONS=${CONNECTIONS:-200}
EACH=16
MOUNTS=$(((CONNECTIONS + EACH - 1) / EACH))
# So much longer may the same I/O take with the reconnect; sunrpc delays each task 3 s.
SECONDS_TO_RETURN=20

mount_dir() {
	echo "/mnt/many$1"
}

mount_all() {
	local number

	for ((number = 0; number < MOUNTS; number++)); do
		[ $number -eq 0 ] || echo "rdma $((20049 + number))" > "$NFSD/portlist"
		PORT=$((20049 + number)) nfs_mount 3 "$(mount_dir $number)" nconnect=$EACH
	done
}

# Enough RPCs at once that each connection gets some.
use_all() {
	local number pids=

	for ((number = 0; number < MOUNTS; number++)); do
		limited 60 fio --eta=never --output=/tmp/many$number.log \
			--clocksource=clock_gettime --directory="$(mount_dir $number)" \
			--name="many$number" --thread --numjobs=2 --rw=randwrite \
			--bs=4k --size=256k --direct=1 --ioengine=libaio \
			--iodepth=$EACH --fallocate=none --verify=crc32c \
			--verify_fatal=1 --do_verify=1 --unlink=1 &
		pids+=" $!"
	done
	for number in $pids; do
		wait "$number" || fail "verified I/O failed"
	done
}

all_come_back() {
	local begin took

	server_stop
	server_threads "$NFSD_THREADS"
	for ((number = 0; number < MOUNTS; number++)); do
		echo "rdma $((20049 + number))" > "$NFSD/portlist"
	done
	begin=$(now_ms)
	use_all
	took=$(($(now_ms) - begin))
	recovery_is reconnect-storm $((took > usual ? took - usual : 0))
	[ $((took - usual)) -le $(($(scaled $SECONDS_TO_RETURN) * 1000)) ] ||
		fail "the reconnect added $((took - usual)) ms"
}

all_connected() {
	[ "$(($(rdma_count qp) - QPS_BEFORE))" -ge $((2 * CONNECTIONS)) ]
}

link_up
modules_load
echo 8 > /proc/sys/sunrpc/rdma_slot_table_entries
echo 8 > /proc/sys/sunrpc/svc_rdma/max_requests
[ "$MODS" != ours ] || echo 8 > /sys/module/xprtrdma/parameters/backchannel_slots
server_start
mount_all
begin=$(now_ms)
use_all
usual=$(($(now_ms) - begin))
within 20 all_connected || fail "only $(($(rdma_count qp) - QPS_BEFORE)) queue pairs"
say "$(($(rdma_count qp) - QPS_BEFORE)) queue pairs, $(awk '/MemAvailable/ { print int($2 / 1024) }' /proc/meminfo) MiB free"
say "all clients have done their I/O after $usual ms"
every_round all_come_back
recovery_report
finish
