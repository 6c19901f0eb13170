#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the server grants few credits at first, more when a client uses all, fewer when it uses few; the memory of Receives follows, and stays within its budget (V1-CRED-09)
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 120
# in-check: yes

# With time-travel the guest's clock jumps ahead whenever all tasks sleep.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

PARAMETERS_DIR=/sys/module/svcrdma/parameters
USED=/proc/sys/sunrpc/svc_rdma/receive_memory_used
FIRST=4
MOST=64
# What 48 writers need at least
MANY=16
SIZE_KIB=8
# The server looks every 30 s: one look lowers the grant, and after an answer with it there are
# two more.
SECONDS_TO_SHRINK=300

# The export is frozen until the client has used all its credits.
load() {
	local n pid writers=()

	fsfreeze -f "$EXPORT"
	for ((n = 0; n < 48; n++)); do
		dd if=/dev/zero of="$MNT/file" bs=4k oflag=direct count=4 conv=notrunc status=none &
		writers+=($!)
	done
	sleep 2
	fsfreeze -u "$EXPORT"
	for pid in "${writers[@]}"; do
		wait "$pid" || fail "a writer failed"
	done
}

granted() {
	shown server credits_granted
}

grants_more() {
	load
	[ "$(granted)" -ge $MANY ]
}

# used_is KIB: what the budget counts, within 10 s
used_is() {
	[ "$(cat $USED)" -eq "$1" ]
}

# Receives for credits, and one for Replies to reverse Calls, in KiB
receives() {
	echo $((($1 + 1) * SIZE_KIB))
}

begins() {
	local first=$FIRST

	[ "$PROVIDER" = rxe ] || first=$MOST
	stat -f "$MNT" > /dev/null
	[ "$(granted)" -eq $first ] || fail "$(granted) credits at first, not $first"
	used_is "$(receives $first)" || fail "$(cat $USED) KiB of Receives for $first credits"
}

shrinks() {
	local end n

	end=$((SECONDS + SECONDS_TO_SHRINK))
	while [ $SECONDS -lt $end ]; do
		sleep 10
		stat -f "$MNT" > /dev/null
	done
	[ "$(granted)" -eq $FIRST ] || fail "$(granted) credits for a client that needs one"
	# Each Call uses up one Receive, which is not posted again
	for ((n = 0; n < MOST; n++)); do
		stat -f "$MNT" > /dev/null
	done
	used_is "$(receives $FIRST)" || fail "$(cat $USED) KiB of Receives for $FIRST credits"
}

# Of Receives of 64 KiB there is room for 15 in 1 MiB: five at first, and four more, not twelve.
budget() {
	echo 1 > $PARAMETERS_DIR/receive_memory
	echo 65536 > $PARAMETERS_DIR/max_inline_size
	echo 65536 > /sys/module/xprtrdma/parameters/max_inline_write
	nfs_mount 4.2
	load
	load
	say "budget of 1024 KiB: $(cat $USED) KiB, $(granted) credits"
	[ "$(cat $USED)" -le 1024 ] || fail "more than the budget"
	[ "$(granted)" -eq $((2 * FIRST)) ] || fail "not all of the budget is used"
	nfs_umount
	within 10 used_is 0 || fail "$(cat $USED) KiB of Receives without a connection"
}

link_up
modules_load
echo $FIRST > $PARAMETERS_DIR/min_requests
server_export_on_disk
server_start
dd if=/dev/zero of="$EXPORT/file" bs=1M count=1 status=none
nfs_mount 4.2
begins
# On iWARP a Send that finds no Receive would end the connection, so it has all at any time.
if [ "$PROVIDER" = rxe ]; then
	within 30 grants_more || fail "a busy client is granted $(granted) credits"
	most=$(granted)
	used_is "$(receives "$most")" || fail "$(cat $USED) KiB of Receives for $most credits"
	shrinks
	load
	[ "$(granted)" -gt $FIRST ] || fail "the grant does not grow again"
else
	load
	sleep $SECONDS_TO_SHRINK
	stat -f "$MNT" > /dev/null
	[ "$(granted)" -eq $MOST ] || fail "$(granted) credits, not always $MOST"
fi
nfs_umount
within 10 used_is 0 || fail "$(cat $USED) KiB of Receives without a connection"
if [ "$PROVIDER" = rxe ]; then
	budget
else
	say "left out: the budget; on iWARP a connection has all Receives at any time"
fi
finish
