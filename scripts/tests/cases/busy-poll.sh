#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: busy polling: client and server poll, and with several processors find what they poll for; not by default; a Call that hangs or a single nfsd thread do not matter; data is right while connections end
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# turn: provider
# guests: 1
# mods: ours
# every: uml smpdbg/rxe kcsan/siw
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

US=/sys/module/rpcrdma/parameters/busy_poll_us
CALLS=100

calls() {
	for _ in $(seq $CALLS); do
		stat -f "$MNT" > /dev/null
	done
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
	say "$1: of $CALLS Calls the client polled for $CLIENT, with success for $CLIENT_HITS; the server $SERVER times, $SERVER_HITS"
}

threads_blocked() {
	ps -eo stat,comm | grep -q '^D.* nfsd'
}

off_by_default() {
	[ -n "${RUN_PARAMETERS:-}" ] || [ "$(cat $US)" = 0 ] || fail "the default is $(cat $US)"
	echo 0 > $US
	polled "off"
	compare 'polls while that is off' $((CLIENT + SERVER)) -eq 0
}

lone_calls() {
	echo 1000 > $US
	polled "on"
	both_poll
	[ "$(nproc)" -eq 1 ] || compare 'polls with success' $((CLIENT_HITS + SERVER_HITS)) -gt 0
}

# Another thread answers some Calls. With one processor the Reply may always be there before
# the task waits.
both_poll() {
	compare 'polls of the server' "$SERVER" -ge $((CALLS / 2))
	[ "$(nproc)" -eq 1 ] || compare 'polls of the client' "$CLIENT" -ge $((CALLS / 2))
}

beside_another_call() {
	local hanging before

	fsfreeze -f "$EXPORT"
	before=$(polls client)
	touch "$MNT/hangs" &
	hanging=$!
	within 10 threads_blocked || fail "no thread of nfsd works on the CREATE"
	compare 'polls of the client for a Call that hangs' "$(polls client)" -gt "$before"
	polled "beside a Call that hangs"
	fsfreeze -u "$EXPORT"
	wait $hanging || fail "the Call that hung failed"
	both_poll
}

the_only_thread() {
	server_threads 1
	polled "one nfsd thread"
	server_threads "$NFSD_THREADS"
	both_poll
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
server_export_on_disk
server_start
nfs_mount 3
calls
off_by_default
lone_calls
beside_another_call
the_only_thread
while_connections_end
nfs_umount
finish
