#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a busy client with 16 connections costs another client no more than one with a single connection, with one nfsd thread; while it is alone it passes on no turns
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml/rxe
# timeout: 120
# in-check: yes

# The other client is the raw peer. It connects over IPv6, so it has another address. With
# MODS=intree this shows what the in-tree server does.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"
. "$GUEST_DIR/connections.sh"

# READs at once: more than the connections can have in the queue of sunrpc
JOBS=8
DEPTH=16
CALL_SECONDS=5
LOG=/tmp/load.log
# Of the median waits, with 16 connections and with one
MOST=3

load_start() {
	fio --eta=never --output=$LOG --clocksource=clock_gettime --filename="$MNT/file" --name=load \
		--thread --numjobs=$JOBS --rw=randread --bs=4k --direct=1 --ioengine=libaio \
		--iodepth=$DEPTH --time_based --runtime=600 &
	LOAD=$!
	LOADED=$(op_count "$MNT" READ)
	within "$(scaled 20)" load_runs || fail "the load does not begin"
}

load_runs() {
	[ $(($(op_count "$MNT" READ) - LOADED)) -gt $((JOBS * DEPTH)) ]
}

load_stop() {
	kill $LOAD
	wait $LOAD || true
}

# turns_passed: by all connections of the server
turns_passed() {
	[ "$MODS" = ours ] || { echo 0; return; }
	cat /sys/kernel/rpcrdma/connections/server-*/counters | awk '$1 == "turns_passed" { n += $2 } END { print n + 0 }'
}

# beside CONNECTIONS: sets MEDIAN to the microseconds that a Call of the other client waits
beside() {
	local passed begin

	nfs_mount 3 "$MNT" "nconnect=$1"
	passed=$(turns_passed)
	load_start
	sleep 2
	ALONE=$(($(turns_passed) - passed))
	begin=$(op_count "$MNT" READ)
	"$PEER" crowd --connections 1 "$SERVER_ADDR6" "$PORT" <<< "calls $CALL_SECONDS" > /tmp/other ||
		fail "the other client: $(cat /tmp/other)"
	say "beside $1 connections: $(sed -n 's/^calls //p' /tmp/other), $(($(op_count "$MNT" READ) - begin)) READs, turns passed on: $(($(turns_passed) - passed))"
	MEDIAN=$(awk '$1 == "calls" { print $4 }' /tmp/other)
	PASSED=$(($(turns_passed) - passed))
	load_stop
	nfs_umount
}

link_up
modules_load
NFSD_THREADS=1 server_start
truncate -s 1M "$EXPORT/file"
peer_ready
beside 1
one=$MEDIAN
compare 'turns passed on by a client with one connection' "$PASSED" -eq 0
beside 16
compare 'turns passed on by a client that is alone' "$ALONE" -eq 0
[ "$MODS" != ours ] || compare 'turns passed on' "$PASSED" -gt 100
compare 'median wait of the other client, microseconds' "$MEDIAN" -le $((one * MOST))
finish
