#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Many connections to one server, client and server in one guest: the time to connect, the
# memory they take, and the rate of small RPCs on all of them. Started by
# scripts/bench/run.
#
# Prints "BENCH end many {...}".
#
# From there: CONNECTIONS, RPCS

. "${GUEST_LIB:?}"
. "$GUEST_DIR/memory.sh"

# A client makes at most 16 connections to one address and port. So there are as many
# ports as are needed, each a server of its own to the client.
EACH=16
MOUNTS=$(((CONNECTIONS + EACH - 1) / EACH))
# RPCs on each connection before the rate is taken: more than it has receive buffers
WARM_EACH=200

dir() {
	echo "/mnt/many$1"
}

# mount_number N: the last mount has the remaining connections
mount_number() {
	local port=$((PORT + $1)) each=$((CONNECTIONS - $1 * EACH))

	[ $each -le $EACH ] || each=$EACH
	[ "$1" -eq 0 ] || echo "rdma $port" > "$NFSD/portlist"
	PORT=$port nfs_mount 3 "$(dir "$1")" nconnect=$each
}

mount_all() {
	local number

	for ((number = 0; number < MOUNTS; number++)); do
		mount_number $number
	done
}

# Small RPCs go to the connections of a mount in turn.
statfs_all() {
	python3 - "$1" "${@:2}" <<- 'END'
		import os, sys, time
		count, mounts = int(sys.argv[1]), sys.argv[2:]
		begin = time.perf_counter()
		for number in range(count):
		    os.statvfs(mounts[number % len(mounts)])
		print(count / (time.perf_counter() - begin))
	END
}

free_kib() {
	memory_quiet
	awk '$1 == "MemFree:" { print $2 }' /proc/meminfo
}

connected() {
	[ "$(rdma_count qp)" -ge $((QPS_BEFORE + 2 * CONNECTIONS)) ]
}

link_up
modules_load
server_start
before=$(free_kib)
begin=$(date +%s%N)
mount_all
mapfile -t dirs < <(for ((number = 0; number < MOUNTS; number++)); do dir $number; done)
# A connection is made when it is first used.
statfs_all $((4 * CONNECTIONS)) "${dirs[@]}" > /dev/null
within 60 connected || fail "not all of $CONNECTIONS connections were made"
took=$((($(date +%s%N) - begin) / 1000000))
idle=$((before - $(free_kib)))
# Each buffer is used once before the rate is taken: a guest's memory costs more the first time.
statfs_all $((WARM_EACH * CONNECTIONS)) "${dirs[@]}" > /dev/null
rate=$(statfs_all "$RPCS" "${dirs[@]}")
echo "BENCH end many {\"connections\": $CONNECTIONS, \"qps\": $(($(rdma_count qp) - QPS_BEFORE))," \
	"\"ms\": $took, \"idle\": $idle, \"rate\": $rate}"
umount_all
server_stop
modules_unload
link_down
success
