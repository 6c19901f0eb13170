#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: RPCs of 1 MiB time out at the client while the server still works on them (ULB-KA-05): the client sends them again on a new connection, correct data
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

write_all() {
	dd if=/tmp/source of="$MNT/slow" bs=1M oflag=direct conv=notrunc status=none
}

times_out() {
	local version=$1 connects writer begin

	nfs_mount "$version" "$MNT" "timeo=$TIMEO,retrans=1"
	: > "$MNT/slow"
	connects=$(rdma_counter "$MNT" connects)
	fsfreeze -f "$EXPORT"
	write_all &
	writer=$!
	sleep $FROZEN_SECONDS
	kill -0 $writer || fail "vers=$version: the write does not wait for the server"
	begin=$(now_ms)
	fsfreeze -u "$EXPORT"
	wait $writer || fail "vers=$version: the write failed"
	recovery rpc-timeout "$begin"
	connects=$(($(rdma_counter "$MNT" connects) - connects))
	[ $connects -gt 0 ] || fail "vers=$version: nothing timed out"
	same_file /tmp/source "$EXPORT/slow"
	rm "$MNT/slow"
	nfs_umount
	say "vers=$version: $connects new connections, data verified"
}

link_up
modules_load
server_export_on_disk
random_file /tmp/source $FILE_BYTES
server_start
in_turns times_out 3 4.0 4.1
recovery_report
finish
