#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: clients that take no RDMA Writes, or answer no RDMA Reads, occupy no nfsd thread: another client is answered at once; nor does a first Call that hangs hold up the next ones; Calls that hang use credits, and messages that are no Calls use none; who makes progress keeps the connection; a connection that the device takes long to set up delays no other one, and nfsd can end meanwhile
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg/rxe
# timeout: 180
# in-check: yes

# Proves V1-SEC-15. With test_stall no RDMA Read, or no RDMA Write, of the server completes.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"
. "$GUEST_DIR/connections.sh"
. "$GUEST_DIR/setups.sh"

MOST_MS=500
SECONDS_WATCHED=3
# SVCRDMA_DEVICE_SETUPS
SETUPS=8
# SVCRDMA_BACKLOG_SHARED, and some more
FLOOD=600
OTHER_CLIENT=192.168.77.9
OTHER_SERVER=192.168.78.1
MAX_REQUESTS=/proc/sys/sunrpc/svc_rdma/max_requests
FEW_CREDITS=8
LEAST_CREDITS=4
delayed=

# The longest time of a stat, in ms; each asks the server. One that has no answer counts.
worst_answer() {
	python3 - "$MNT/file" "$(scaled $SECONDS_WATCHED)" <<- 'END'
		import os, sys, threading, time
		begin = time.monotonic()
		worst = 0
		def ask():
		    global begin, worst
		    while True:
		        begin = time.monotonic()
		        os.stat(sys.argv[1])
		        worst = max(worst, time.monotonic() - begin)
		        time.sleep(0.02)
		threading.Thread(target=ask, daemon=True).start()
		time.sleep(float(sys.argv[2]))
		print(int(max(worst, time.monotonic() - begin) * 1000), flush=True)
		os._exit(0)
	END
}

all_sent() {
	grep -q 'all Calls are sent' /tmp/peer.log
}

# slow SCENARIO PARAMETER: the other client meanwhile
slow() {
	local peer worst

	: > /tmp/peer.log
	echo 1 > "$STALL/$2"
	PEER_DEADLINE=$(($(scaled $((SECONDS_WATCHED + 1))) * 1000)) \
		"$PEER" requester "$SERVER_ADDR" "$PORT" "$1" > /tmp/peer.log 2>&1 &
	peer=$!
	within 20 all_sent || fail "$1: the peer does not begin: $(cat /tmp/peer.log)"
	worst=$(worst_answer)
	say "$1: worst answer to another client $worst ms"
	[ "$worst" -le "$(scaled $MOST_MS)" ] || delayed+=" $1"
	wait $peer || delayed+=" $1"
	echo 0 > "$STALL/$2"
}

hung_up() {
	disk_mount "$EXPORT/hung" 16M
	: > "$EXPORT/hung/file"
}

# used_up COMMAND...: while the export hangs
used_up() {
	fsfreeze -f "$EXPORT/hung"
	"$@"
	fsfreeze -u "$EXPORT/hung"
	log_has 'refused: more Calls than granted' ||
		fail "$*: the connection was not closed for too many Calls"
}

# Calls that hang use all credits of a client. A message that is marked as a response takes none.
# With one Call more the connection is closed.
credits_used_up() {
	local versions=/sys/module/svcrdma/parameters/versions

	echo $LEAST_CREDITS > $MAX_REQUESTS
	used_up peer_requester credits-used-up
	echo both > $versions
	used_up peer_requester2 v2-credits-used-up
	echo $FEW_CREDITS > $MAX_REQUESTS
	echo 1 > $versions
}

first_call_hangs() {
	exportfs -o rw,no_root_squash,insecure,fsid=7,no_subtree_check "*:$EXPORT/hung"
	fsfreeze -f "$EXPORT/hung"
	"$PEER" requester "$SERVER_ADDR" "$PORT" first-call-hangs > /tmp/peer.log 2>&1 ||
		delayed+=" first-call-hangs"
	fsfreeze -u "$EXPORT/hung"
}

# A connection whose queue pair does not exist yet is shown without memory regions.
setup_shows_no_regions() {
	local state file

	state=$(grep -lsx resolved $CONNECTIONS/server-*/state) || fail "no connection is set up"
	for file in mrs mrs_used; do
		compare "$file without a queue pair" "$(cat "${state%/*}/$file")" -eq 0
	done
}

# While the device does not create the queue pair of one connection, others come up.
setup_takes_long() {
	local late

	setups_stall 1
	join late &
	late=$!
	within 20 setups_stalled 1 || fail "no queue pair waits"
	setup_shows_no_regions
	join prompt && joined prompt && ! joined late || delayed+=" a-device-that-takes-long"
	setups_stall 0
	wait $late && joined late || fail "the late client does not come up: $(cat /tmp/late.log)"
}

# One client sends more connect requests than may wait, while the device takes long. Others of it are
# refused, and another client is not. A client of siw sends one and waits.
backlog_is_shared() {
	local flood pid log=/tmp/flood.log

	[ "$PROVIDER" = rxe ] || {
		say "left out: a client that fills the backlog; on siw one cannot"
		return 0
	}
	address_add $OTHER_CLIENT
	setups_stall $SETUPS
	mkfifo /tmp/flood
	"$PEER" flood $FLOOD "$SERVER_ADDR" "$PORT" < /tmp/flood > $log 2>&1 &
	flood=$!
	exec 7> /tmp/flood
	within 120 grep -qx sent $log || fail "the connect requests are not sent: $(cat $log)"
	log_has 'refused: too many of this client are waiting' ||
		fail "no connect request of the client was refused"
	join neighbor "$SERVER_ADDR" $OTHER_CLIENT &
	pid=$!
	sleep 1
	kill -0 $pid || fail "another client is refused: $(cat /tmp/neighbor.log)"
	setups_stall 0
	wait $pid && joined neighbor || fail "another client does not come up: $(cat /tmp/neighbor.log)"
	exec 7>&-
	wait $flood || fail "the flood: $(cat $log)"
	say "of $FLOOD connect requests $(grep -o 'refused [0-9]*' $log)"
	# The CM repeats what it sends for 69 s if a rejection of the client is lost
	within 120 no_connected_qp || fail "connections of the flood stay"
}

# The siw device of lo has all local connections.
another_device_up() {
	[ "$PROVIDER" = rxe ] || return 0
	ip addr add $OTHER_SERVER/24 dev net1
	OWN_ADDR=$OTHER_SERVER rdma_link_add rxe1 net1
	link_baseline
}

another_device_is_prompt() {
	[ "$PROVIDER" = rxe ] || {
		say "left out: another device; there is only one of siw"
		return 0
	}
	join elsewhere $OTHER_SERVER && joined elsewhere ||
		fail "a connection of another device does not come up: $(cat /tmp/elsewhere.log)"
}

# A device sets up so many connections at the same time, and no more. When all of them take long,
# further ones of it wait, and those of another device come up.
# nfsd ends meanwhile: it waits for the device, and drops those that were set up and those that
# were not begun.
stops_during_setup() {
	local number stop pid pids=()

	setups_stall $((SETUPS + 1))
	for ((number = 0; number <= 2 * SETUPS; number++)); do
		join "doomed$number" &
		pids+=($!)
	done
	within 20 setups_stalled $SETUPS || fail "$(cat $STALL/stalled_qps) queue pairs wait, not $SETUPS"
	sleep 1
	setups_stalled $SETUPS || fail "$(cat $STALL/stalled_qps) connections are set up at the same time"
	setups_stall $SETUPS
	another_device_is_prompt
	setups_stalled $SETUPS || fail "$(cat $STALL/stalled_qps) queue pairs wait, not $SETUPS"
	server_stop &
	stop=$!
	sleep 1
	kill -0 $stop || fail "nfsd does not wait for the device"
	setups_stall 0
	wait $stop || fail "nfsd does not end"
	for pid in "${pids[@]}"; do
		! wait "$pid" || fail "a client that was not accepted has an answer"
	done
}

# reads UNTIL: one READ after the other
reads() {
	while [ $SECONDS -lt "$1" ]; do
		limited 20 dd if="$MNT/large" of=/dev/null bs=1M iflag=direct status=none
	done
}

# Transfers go on for several times the deadline, with no pause in which none is there.
progress_is_enough() {
	local deadline=/sys/module/svcrdma/parameters/transfer_timeout before connects pid readers=() until

	[ "$MODS" = ours ] || return 0
	before=$(cat $deadline)
	scaled 2 > $deadline
	connects=$(rdma_counter "$MNT" connects)
	head -c 1000000 /dev/urandom > "$EXPORT/large"
	until=$((SECONDS + $(scaled 6)))
	for _ in 1 2 3; do
		reads $until &
		readers+=($!)
	done
	for pid in "${readers[@]}"; do
		wait "$pid" || fail "a reader has no answer"
	done
	[ "$(rdma_counter "$MNT" connects)" = "$connects" ] ||
		fail "a client that makes progress loses its connection"
	echo "$before" > $deadline
}

link_up
another_device_up
insmod "$TESTMOD_DIR/test_stall.ko"
modules_load
server_file_systems
hung_up
server_start
peer_ready
echo data > "$EXPORT/file"
nfs_mount 3 "$MNT" noac
# With few credits the send queue is short, and a device that needs MRs has few.
echo $FEW_CREDITS > $MAX_REQUESTS
slow slow-large-replies stall_writes
slow slow-read-chunks stall
first_call_hangs
credits_used_up
setup_takes_long
progress_is_enough
[ -z "$delayed" ] || fail "others have to wait for:$delayed"
umount_all
clients_gone
backlog_is_shared
stops_during_setup
umount "$EXPORT/hung"
modules_unload
rmmod test_stall
finish
