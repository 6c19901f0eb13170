#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The memory of connections at client and server, each in its own guest: mounts with an
# increasing number of connections, idle, and after a load on all of them. Started by
# scripts/bench/run.
#
# Prints "BENCH end N {STATE: {SIDE: {...}}}" for each number of connections: STATE is
# idle, loaded or later (after a minute), SIDE is client or server. What the kernel has come
# to use since before the mount, KiB: "all", and what of that is "slab" or "vmalloc" (there are
# the queues of software devices); and how many "mrs" there are. Then "BENCH end depths
# {SIDE: {...}}": queue entries and credits of a connection, and "BENCH end live [...]": what
# the server has allocated for LIVE idle connections more and not freed (live-memory).
#
# From there: VERSION, LIVE

. "${GUEST_LIB:?}"
. "$GUEST_DIR/pair.sh"
. "$GUEST_DIR/memory.sh"

TRACING=/sys/kernel/tracing
LATER=${LATER:-65}
EVENTS="kmem/kmalloc kmem/kfree kmem/kmem_cache_alloc kmem/kmem_cache_free percpu/percpu_alloc_percpu
	percpu/percpu_free_percpu"

depths_watch() {
	mountpoint -q $TRACING || mount -t tracefs tracefs $TRACING
	echo 1 > $TRACING/events/rdma_cma/cm_qp_create/enable
	echo 1 > $TRACING/events/rdma_core/cq_alloc/enable
}

# Of the transport's own queues, as it asked for them.
depths_show() {
	awk '{ for (i = 1; i < NF; i++) {
			if (sub(/^send_wr=/, "", $i)) send = $i
			if (sub(/^recv_wr=/, "", $i)) recv = $i
			if (sub(/^nr_cqe=/, "", $i)) cqe = $i
	       } }
	     END { printf "{\"send\": %d, \"receive\": %d, \"completion\": %d}", send, recv, cqe }' $TRACING/trace
}

# A line of numbers: what the kernel uses, what of that is slab, what is vmalloc, and MRs.
memory_now() {
	memory_quiet
	awk -v all="$(memory_kernel)" -v mrs="$(rdma_count mr)" '
		{ kib[$1] = $2 }
		END { print all, kib["Slab:"], kib["VmallocUsed:"], mrs }' /proc/meminfo
}

both_now() {
	memory_now
	on_server memory_now
}

# since BEFORE NOW: as JSON
since() {
	paste <(echo "$1") <(echo "$2") | awk '
		{ printf "%s\"%s\": {\"all\": %d, \"slab\": %d, \"vmalloc\": %d, \"mrs\": %d}",
			 NR == 1 ? "{" : ", ", NR == 1 ? "client" : "server", $5 - $1, $6 - $2, $7 - $3, $8 - $4 }
		END { print "}" }'
}

# Small RPCs go to the connections in turn.
touch_all() {
	local n

	for ((n = 0; n < 4 * $1; n++)); do
		stat -f "$MNT" > /dev/null
	done
}

load() {
	fio --output=/dev/null --thread --directory="$MNT" --size=4m --direct=1 \
		--rw=randrw --bs=64k --ioengine=libaio --iodepth=16 --numjobs=4 \
		--name=load
	rm -f "$MNT"/load*
}

measure() {
	local before idle loaded

	before=$(both_now)
	nfs_mount "$VERSION" "$MNT" "nconnect=$1"
	touch_all "$1"
	idle=$(since "$before" "$(both_now)")
	load
	touch_all "$1"
	loaded=$(since "$before" "$(both_now)")
	sleep $LATER
	echo "BENCH end $1 {\"idle\": $idle, \"loaded\": $loaded, \"later\": $(since "$before" "$(both_now)")}"
	nfs_umount
	sleep 2
}

# live_begin, live_end: run on the server
live_begin() {
	local event

	memory_quiet
	cat /proc/vmallocinfo > /tmp/areas
	echo 32768 > $TRACING/buffer_size_kb
	echo > $TRACING/trace
	for event in $EVENTS; do
		echo 1 > "$TRACING/events/$event/enable"
	done
}

live_end() {
	local event

	memory_quiet
	for event in $EVENTS; do
		echo 0 > "$TRACING/events/$event/enable"
	done
	[ "$(awk '/^overrun:/ { print $2 }' $TRACING/per_cpu/cpu0/stats)" = 0 ] || fail "events were lost"
	"$SRC/scripts/bench/live-memory" $TRACING/trace /tmp/areas /proc/vmallocinfo
}

live() {
	on_server live_begin
	nfs_mount "$VERSION" "$MNT" "nconnect=$LIVE"
	touch_all $LIVE
	echo "BENCH end live $(on_server live_end)"
	nfs_umount
	sleep 2
}

server() {
	server_start
	pair_serve
	server_stop
}

client() {
	local connections

	client_start
	pair_wait_server
	# The first mount and load fill caches that stay.
	measure 2 | sed 's/^BENCH end/warm-up/'
	for connections in 1 4 16; do
		measure $connections
	done
	live
	echo "BENCH end depths {\"client\": $(depths_show), \"server\": $(on_server depths_show)}"
	pair_stop
}

link_up
modules_load
depths_watch
"$ROLE"
modules_unload
link_down
success
