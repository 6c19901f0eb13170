#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: an idle connection is closed after some minutes, client and server free their objects, and the next I/O reconnects
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 90
# in-check: yes

# With time-travel the guest's clock jumps ahead whenever all tasks sleep, so that
# minutes pass at once. NFSv3, because an NFSv4 client keeps renewing its lease.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

ABI=$SRC/Documentation/ABI/testing/sysfs-kernel-rpcrdma

# sunrpc's idle timeout for RDMA is five minutes, and it is checked at intervals.
MINUTES=11

# of_a_connection: files that Documentation/ABI marks as empty while there is none
of_a_connection() {
	awk '/^What:/ { if (told) names = ""; told = 0; sub(/.*\//, ""); names = names $0 "\n" }
	     /^Description:/ { told = 1 }
	     /^\t\t\(connected\)/ { printf "%s", names }' "$ABI"
}

files_are_empty() {
	local dir name text tried=0

	[ "$MODS" = ours ] || return 0
	dir=$(echo $CONNECTIONS/client-*)
	[ "$(cat "$dir/state")" = none ] || fail "the state is $(cat "$dir/state")"
	for name in $(of_a_connection); do
		[ -e "$dir/$name" ] || continue
		text=$(cat "$dir/$name") || fail "$name cannot be read"
		[ -z "$text" ] || fail "without a connection $name is '$text'"
		tried=$((tried + 1))
	done
	[ $tried -ge 20 ] || fail "only $tried files are tried"
}

idle_and_back() {
	local connects

	connects=$(rdma_counter "$MNT" connects)
	[ "$(rdma_count qp)" -eq $((QPS_BEFORE + 2)) ] || fail "there is no connection to begin with"
	sleep $((MINUTES * 60))
	no_connected_qp || fail "the idle connection is still there after $MINUTES minutes"
	say "the idle connection is gone"
	files_are_empty
	drop_caches
	same_file /tmp/file "$MNT/file"
	[ "$(rdma_counter "$MNT" connects)" -gt "$connects" ] || fail "connects did not grow"
	say "the next read connected again"
}

link_up
modules_load
server_start
random_file /tmp/file 300000
nfs_mount 3
cp /tmp/file "$MNT/file"
for round in 1 2; do
	say "round $round"
	idle_and_back
done
finish
