#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: 200 connections to one server (1,000 in the long run): all work, all are lost at once, with Calls at work, and reconnect in time, none is refused, nothing is left
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# lengths: short full
# memory: 2G
# memory[full]: 8G
# env[full]: CONNECTIONS=1000
# timeout: 600
# timeout[full]: 1500
# every: uml/rxe smpdbg/rxe kcsan/siw
# in-check: yes
# in-check[full]: no

# A client makes at most 16 connections to one address and port. So there are as many
# ports as are needed, each a server of its own to the client.

. "${GUEST_LIB:?}"

CONNECTIONS=${CONNECTIONS:-200}
EACH=16
SHOWN=/sys/kernel/rpcrdma/connections
MOUNTS=$(((CONNECTIONS + EACH - 1) / EACH))
# So much longer may the same I/O take with the reconnect; sunrpc delays each task 3 s.
SECONDS_TO_RETURN=20
# I/O that takes longer hangs, however slow the machine is.
HANGS=240

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
		limited $HANGS fio --eta=never --output=/tmp/many$number.log \
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

# Time that the CPUs of the guest were busy, ms
cpu_time() {
	awk -v hz="$(getconf CLK_TCK)" '/^cpu / { print int(($2 + $3 + $4 + $7 + $8) * 1000 / hz) }' \
		/proc/stat
}

# newer_than NUMBER: so many connections of the server have begun after that one
newer_than() {
	local dir n=0

	for dir in $SHOWN/server-*; do
		[ "${dir##*-}" -le "$1" ] || n=$((n + 1))
	done
	[ $n -ge "$CONNECTIONS" ]
}

none_refused() {
	! log_has 'not accepted|connect request refused|too many open connections' ||
		fail "connections were refused"
}

# nfsd works on Calls of most connections when they are lost.
all_lost_at_once() {
	local begin cpu job last=0 dir took

	log_mark
	use_all &
	job=$!
	sleep 1
	for dir in $SHOWN/server-*; do
		[ "${dir##*-}" -le $last ] || last=${dir##*-}
	done
	kill -0 $job || fail "all Calls were answered before the connections are lost"
	begin=$(now_ms)
	cpu=$(cpu_time)
	for dir in $SHOWN/server-*; do
		# With a thousand on one CPU some are lost before.
		{ echo 1 > "$dir/disconnect"; } 2> /dev/null || true
	done
	wait $job || fail "verified I/O failed"
	took=$(($(now_ms) - begin))
	recovery_is reconnect-at-work $((took > usual ? took - usual : 0))
	[ $((took - usual)) -le $(($(scaled $SECONDS_TO_RETURN) * 1000)) ] ||
		fail "the reconnect added $((took - usual)) ms"
	# A client connects again when it has something to send.
	use_all
	within 60 newer_than $last || fail "not all have connected again"
	say "$CONNECTIONS reconnects: I/O for $took ms, $usual without; $(($(cpu_time) - cpu)) ms of CPU"
	none_refused
}

all_come_back() {
	local begin took

	log_mark
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
	none_refused
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
every_round all_lost_at_once
every_round all_come_back
recovery_report
finish
