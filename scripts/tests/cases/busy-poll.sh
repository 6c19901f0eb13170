#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: busy polling: client and server poll, and find what they poll for; not by default; no completion is left, also with one nfsd thread; no task polls while another wants its processor, nor one with low priority; data is right while connections end
# lanes: uml stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: stock/rxe smpdbg/rxe kcsan/siw
# cpus: 4
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

US=/sys/module/rpcrdma/parameters/busy_poll_us
CALLS=200
# Never: its completion would find what was left in a CQ without an event.
KEEPALIVE=0
LONGEST=20

# calls: READs one after the other, with nothing between them
calls() {
	limited $LONGEST dd if="$MNT/file" of=/dev/null bs=4k count=$CALLS iflag=direct status=none ||
		fail "$CALLS READs take $LONGEST seconds"
}

# polls SIDE [COUNTER]
polls() {
	shown "$1" "counters/${2:-busy_polls}"
}

# polled: how often each side polls during $CALLS Calls, and how often with success, in
# CLIENT, CLIENT_HITS, SERVER, SERVER_HITS
polled() {
	CLIENT=$(polls client) CLIENT_HITS=$(polls client busy_poll_hits)
	SERVER=$(polls server) SERVER_HITS=$(polls server busy_poll_hits)
	calls
	CLIENT=$(($(polls client) - CLIENT))
	CLIENT_HITS=$(($(polls client busy_poll_hits) - CLIENT_HITS))
	SERVER=$(($(polls server) - SERVER))
	SERVER_HITS=$(($(polls server busy_poll_hits) - SERVER_HITS))
	say "$1: $CALLS Calls, the client polled for $CLIENT, with success for $CLIENT_HITS; the server $SERVER times, $SERVER_HITS"
}

off_by_default() {
	[[ ${RUN_PARAMETERS:-} == *busy_poll_us=* ]] || [ "$(cat $US)" = 0 ] ||
		fail "the default is $(cat $US)"
	echo 0 > $US
	polled "off"
	compare 'polls while that is off' $((CLIENT + SERVER)) -eq 0
}

# With one processor whatever comes needs it, so nothing comes while a task polls.
both_poll() {
	[ "$(nproc)" -gt 1 ] || {
		say "left out: polls with success; this guest has one processor"
		return
	}
	compare 'polls of the client with success' "$CLIENT_HITS" -ge 1
	compare 'polls of the server with success' "$SERVER_HITS" -ge 1
}

lone_calls() {
	echo 10000 > $US
	polled "on"
	both_poll
}

# stats [COMMAND...]: Calls that a task waits for itself, and not rpciod; how often it polled
stats() {
	local before number

	before=$(polls client)
	for number in $(seq 20); do
		"$@" stat -f "$MNT" > /tmp/statfs || fail "statfs number $number fails"
	done
	echo $(($(polls client) - before))
}

# Preempted in a handler, such a task would hold up all others on the connection
low_priority() {
	[ "$(nproc)" -eq 1 ] || compare 'polls of tasks that call statfs' "$(stats)" -ge 1
	compare 'polls of tasks with a nice value of 5' "$(stats nice -n 5)" -eq 0
	compare 'polls of tasks of SCHED_IDLE' "$(stats chrt --idle 0)" -eq 0
}

the_only_thread() {
	server_threads 1
	polled "one nfsd thread"
	server_threads "$NFSD_THREADS"
}

# load: a task of low priority for each processor, which always wants it
load() {
	local cpu

	LOAD=()
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset -c "$cpu" nice -n 19 bash -c ": > /tmp/load$cpu; while :; do :; done" &
		LOAD+=($!)
		within "$(scaled 10)" test -e "/tmp/load$cpu" ||
			fail "there is no load on processor $cpu"
	done
}

# A poll would keep the processor from a task that could run, as the one that brings the Reply.
busy_processors() {
	load
	polled "busy processors"
	kill "${LOAD[@]}"
	wait "${LOAD[@]}" || true
	compare 'polls on busy processors' $((CLIENT + SERVER)) -eq 0
}

# copies NUMBER: writes and reads a file of its own, over and over
copies() {
	while [ ! -e /tmp/enough ]; do
		cp /tmp/file "$MNT/file$1"
		drop_caches
		same_file /tmp/file "$MNT/file$1"
	done
}

# Connections end while tasks poll, with one Call and with many.
while_connections_end() {
	local number copiers="" ended=0

	rm -f /tmp/enough
	for number in 1 2 3; do
		copies $number &
		copiers+=" $!"
	done
	for _ in $(seq 8); do
		sleep 1
		if has_connection client && { echo 1 > "$NEWEST/disconnect"; } 2> /dev/null; then
			ended=$((ended + 1))
		fi
	done
	touch /tmp/enough
	for number in $copiers; do
		wait "$number" || fail "a copier failed"
	done
	compare 'connections that were ended' $ended -ge 4
}

link_up
random_file /tmp/file 3000000
modules_load
echo $KEEPALIVE > /sys/module/rpcrdma/parameters/keepalive_seconds
server_start
nfs_mount 3
cp /tmp/file "$MNT/file"
calls
off_by_default
lone_calls
low_priority
the_only_thread
busy_processors
[ "$(rdma_counter "$MNT" connects)" -eq 1 ] || fail "a connection was lost"
while_connections_end
nfs_umount
finish
