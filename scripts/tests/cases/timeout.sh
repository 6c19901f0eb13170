#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: RPCs of 1 MiB time out at the client while the server still works on them: the client waits if it knows that the server is alive, and otherwise sends them again on a new connection (ULB-KA-05); correct data
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# every: uml umldbg
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"

# sunrpc encodes a Call again as soon as it times out, although the server can
# still read what was sent. The transport warns if it has not prevented that, and
# a warning fails the case.
FROZEN_SECONDS=7
TIMEO=20		# tenths of a second
FILE_BYTES=$((4 << 20))
PARAMETER=/sys/module/rpcrdma/parameters/keepalive_seconds
KEEPALIVE=$(cat $PARAMETER 2> /dev/null || echo 10)

write_all() {
	dd if=/tmp/source of="$MNT/slow" bs=1M oflag=direct conv=notrunc status=none
}

# times_out VERSION KEEPALIVE: in CONNECTS new connections
times_out() {
	local version=$1 writer begin

	echo "$2" > $PARAMETER
	nfs_mount "$version" "$MNT" "timeo=$TIMEO,retrans=1"
	: > "$MNT/slow"
	CONNECTS=$(rdma_counter "$MNT" connects)
	log_mark
	fsfreeze -f "$EXPORT"
	write_all &
	writer=$!
	sleep $FROZEN_SECONDS
	kill -0 $writer || fail "vers=$version: the write does not wait for the server"
	log_has 'nfs: server .* not responding, still trying' ||
		fail "vers=$version: the log does not say that the server does not respond"
	begin=$(now_ms)
	fsfreeze -u "$EXPORT"
	wait $writer || fail "vers=$version: the write failed"
	recovery rpc-timeout "$begin"
	log_has 'nfs: server .* OK' || fail "vers=$version: the log does not say that it responds again"
	CONNECTS=$(($(rdma_counter "$MNT" connects) - CONNECTS))
	same_file /tmp/source "$EXPORT/slow"
	rm "$MNT/slow"
	nfs_umount
	say "vers=$version: $CONNECTS new connections, data verified"
}

watched() {
	times_out "$1" "$KEEPALIVE"
	[ $CONNECTS -eq 0 ] || fail "vers=$1: the client reconnects although the server is alive"
}

unwatched() {
	times_out "$1" 0
	[ $CONNECTS -gt 0 ] || fail "vers=$1: the client does not reconnect"
}

link_up
modules_load
server_export_on_disk
random_file /tmp/source $FILE_BYTES
server_start
in_turns watched 3 4.0 4.1
in_turns unwatched 3 4.0 4.1
recovery_report
finish
