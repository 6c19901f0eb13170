#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: 300 servers do not answer; meanwhile another mount gets the memory regions that it lacks, and connects again, and is unmounted, at once
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml
# timeout: 120
# in-check: yes

# More attempts to connect than a workqueue runs at once by default, 256 on 6.12. No machine has the
# addresses, so each attempt lasts until xprtrdma.resolve_timeout.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

SERVERS=300
FIRST=$(((192 << 24) + (168 << 16) + (80 << 8) + 1))
RESOLVE_SECONDS=$(scaled 8)
MS_AT_MOST=$(scaled 1500)
FILES=16

# Then all of them are still under way.
none_has_failed() {
	! log_has "no connection"
}

# at_once NAME COMMAND...
at_once() {
	local begin took name=$1
	shift

	begin=$(now_ms)
	within "$RESOLVE_SECONDS" "$@" || fail "$name: never"
	took=$(($(now_ms) - begin))
	say "$name took $took ms"
	[ $took -le "$MS_AT_MOST" ] || fail "$name is held up by dead servers"
}

more_regions() {
	[ "$(shown client mrs)" -gt "$REGIONS" ]
}

# Large I/O in parallel needs more MRs than a connection begins with.
read_all() {
	local number pid readers=()

	for ((number = 0; number < FILES; number++)); do
		dd if="$MNT/$number" of=/dev/null bs=1M iflag=direct status=none &
		readers+=($!)
	done
	at_once "getting memory regions" more_regions
	for pid in "${readers[@]}"; do
		wait "$pid" || fail "a reader failed"
	done
}

connected_again() {
	[ "$(rdma_counter "$MNT" connects)" -gt "$CONNECTS" ]
}

reconnect() {
	CONNECTS=$(rdma_counter "$MNT" connects)
	echo 0 > /sys/module/test_cut/parameters/cut
	stat -t "$MNT" > /dev/null &
	at_once "connecting again" connected_again
	wait $!
}

no_transport() {
	[ "$(cat /sys/module/xprtrdma/refcnt)" = 0 ]
}

link_up
ip addr add 192.168.83.254/22 dev "$NET_DEV"
insmod "$TESTMOD_DIR/test_cut.ko"
modules_load
server_start
for ((number = 0; number < FILES; number++)); do
	head -c 1M /dev/zero > "$EXPORT/$number"
done
nfs_mount 4.1 "$MNT" noac
stat -t "$MNT" > /dev/null
REGIONS=$(shown client mrs)
echo "$RESOLVE_SECONDS" > /sys/module/xprtrdma/parameters/resolve_timeout
log_mark
begin=$(now_ms)
insmod "$TESTMOD_DIR/test_dead.ko" first=$FIRST count=$SERVERS
say "$SERVERS attempts begin within $(($(now_ms) - begin)) ms, $REGIONS regions"
reconnect
read_all
at_once "umount" nfs_umount
none_has_failed || fail "attempts have ended too early"
rmmod test_dead
# An attempt that failed before its mount ended was made again.
within $((2 * RESOLVE_SECONDS + 10)) no_transport || fail "a transport stays"
rmmod test_cut
finish
