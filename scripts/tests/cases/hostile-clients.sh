#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: clients that have the server pull data that never arrives, that post no Receives or send only junk: its memory stays in the budget, another client sees no delay, and all are dropped in time
# lanes: uml umldbg stock
# provider: rxe siw
# lengths: short full
# guests: 1
# mods: ours
# needs: peer
# memory: 1G
# env[full]: HOSTILE=64
# every: uml umldbg/rxe
# timeout: 120
# timeout[full]: 400
# in-check: yes
# in-check[full]: no

# Proves V1-SEC-15. With test_stall no RDMA Read of the server completes.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

HOSTILE=${HOSTILE:-8}
PARAMETERS_DIR=/sys/module/svcrdma/parameters
USED=/proc/sys/sunrpc/svc_rdma/read_memory_used
BUDGET=16		# MiB
SHARE=$((BUDGET / 2))	# MiB, for the one address of all clients
OTHERS=$((32 + HOSTILE))	# MiB: memory that is offered; noise of the guest
DEADLINE=5		# seconds without progress
# The share is held until a deadline, by one connection after the other: first by the one
# that begins, then by as many as there is room for a Call of 1 MiB and a page.
PULLING=$((HOSTILE / 2))
TURNS=$((1 + (PULLING + SHARE - 2) / (SHARE - 1)))
STATS=1500

available() {
	awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo
}

# The 99th percentile of the times of stat, in microseconds; each asks the server.
stat_p99() {
	python3 - "$MNT/file" "$STATS" <<- 'END'
		import os, sys, time
		times = []
		for _ in range(int(sys.argv[2])):
		    begin = time.monotonic()
		    os.stat(sys.argv[1])
		    times.append(time.monotonic() - begin)
		    time.sleep(0.003)
		print(int(sorted(times)[len(times) * 99 // 100] * 1000000))
	END
}

settings() {
	echo $BUDGET > $PARAMETERS_DIR/read_memory
	echo $SHARE > $PARAMETERS_DIR/read_memory_client
	echo "$(scaled $DEADLINE)" > $PARAMETERS_DIR/transfer_timeout
	echo "$(scaled $DEADLINE)" > /sys/module/rpcrdma/parameters/keepalive_seconds
}

# Looks until the file /tmp/over appears; the largest values are in /tmp/most.
watch_memory() {
	local before used least=$1 most=0 now

	before=$1
	while [ ! -e /tmp/over ]; do
		now=$(available)
		[ "$now" -ge "$least" ] || least=$now
		used=$(cat $USED 2> /dev/null || echo 0)
		[ "$used" -le "$most" ] || most=$used
		sleep 0.1
	done
	echo "$((before - least)) $most" > /tmp/most
}

uses_more_than() {
	[ "$(cat $USED)" -gt "$1" ]
}

# Calls that wait for the share of their address notice at once that it is larger.
larger_share() {
	[ "$(cat $USED)" -le $((SHARE * 1024)) ] || fail "$(cat $USED) KiB, with a share of $SHARE MiB"
	echo $((SHARE + 4)) > $PARAMETERS_DIR/read_memory_client
	within "$(scaled 2)" uses_more_than $((SHARE * 1024)) ||
		fail "waiting Calls do not get the larger share"
	echo $SHARE > $PARAMETERS_DIR/read_memory_client
}

nothing_used() {
	[ "$(cat $USED)" -eq 0 ]
}

# clients SCENARIO MILLISECONDS
clients() {
	PEER_HOSTILE=$HOSTILE PEER_DEADLINE=$2 \
		"$PEER" requester "$SERVER_ADDR" "$PORT" "$1" > "/tmp/$1.log" 2>&1
}

clients_send() {
	grep -q 'connections send' "/tmp/$1.log" 2> /dev/null
}

# As many clients that keep to the rules, for comparison. The watcher costs time too.
polite_clients() {
	local peer watcher

	watch_memory "$(available)" &
	watcher=$!
	clients polite "$(($(scaled 9) * 1000))" &
	peer=$!
	within 60 clients_send polite || fail "the peer does not begin: $(cat /tmp/polite.log)"
	before=$(stat_p99)
	wait $peer || fail "polite clients: $(cat /tmp/polite.log)"
	touch /tmp/over
	wait $watcher
	rm /tmp/over
	read -r connections _ < /tmp/most
}

hostile_clients() {
	local during taken used dropped=yes watcher peer

	watch_memory "$(available)" &
	watcher=$!
	# Junk, and clients without Receives, take about a deadline too
	clients hostile $(($(scaled $((DEADLINE * (TURNS + 1)))) * 1000)) &
	peer=$!
	within 60 clients_send hostile || fail "the peer does not begin: $(cat /tmp/hostile.log)"
	larger_share
	during=$(stat_p99)
	wait $peer || dropped=no
	touch /tmp/over
	wait $watcher
	cat /tmp/hostile.log
	read -r taken used < /tmp/most
	say "memory: $taken MiB less, with polite clients $connections; data sinks: $used KiB of $((BUDGET * 1024)); stat p99: $before us before, $during us meanwhile"
	[ "$taken" -le $((connections + BUDGET + OTHERS)) ] ||
		fail "$taken MiB are taken, with a budget of $BUDGET MiB"
	[ $dropped = yes ] || fail "hostile clients are not dropped"
	[ "$used" -gt 0 ] && [ "$used" -le $((BUDGET * 1024)) ] ||
		fail "$used KiB of data sinks, with a budget of $BUDGET MiB"
	if [ "$SLOW" = 1 ] || [[ $LANE == umldbg* ]]; then
		say "left out: the delay of the other client; this guest is too slow"
		return
	fi
	# 5 ms more: other guests share the CPUs of the host
	[ "$during" -le $((before * 3 / 2 + 5000)) ] ||
		fail "the other client's stat took $during us, and $before us before"
}

link_up
insmod "$TESTMOD_DIR/test_stall.ko"
modules_load
server_start
peer_ready
[ ! -e $PARAMETERS_DIR/read_memory ] || settings
echo data > "$EXPORT/file"
nfs_mount 3 "$MNT" noac
echo 1 > /sys/module/test_stall/parameters/stall
polite_clients
hostile_clients
echo 0 > /sys/module/test_stall/parameters/stall
within 20 nothing_used || fail "$(cat $USED) KiB of data sinks stay"
# RDMA Reads work again.
dd if=/dev/urandom of="$MNT/file" bs=1M count=4 oflag=direct status=none
umount_all
clients_gone
server_stop
modules_unload
rmmod test_stall
finish
