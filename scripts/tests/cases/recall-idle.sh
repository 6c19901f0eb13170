#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: an idle client that holds a delegation keeps its connection, and a recall reaches it at once (BI-RTX-04)
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 90
# in-check: yes
# Proves T-53.

# The idle timeout is far shorter than the time between two renewals of the lease.
# NFSv3 shows that it is in effect.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/recall.sh"

IDLE_SECONDS=5
QUIET_SECONDS=300

client_holds_delegation() {
	grep -qs 'type: deleg' "$NFSD"/clients/*/states
}

idle_timeout_is_in_force() {
	nfs_mount 3
	[ "$(rdma_count qp)" -eq $((QPS_BEFORE + 2)) ] || fail "there is no connection to begin with"
	sleep $((4 * IDLE_SECONDS))
	no_connected_qp || fail "the idle connection of NFSv3 is still there"
	nfs_umount
}

delegation_keeps_connection() {
	local begin

	echo content > "$EXPORT/file"
	nfs_mount 4.1
	# The client returns a delegation that it has not used for a while, unless the file is open.
	exec 5< "$MNT/file"
	client_holds_delegation || fail "no delegation"
	sleep $QUIET_SECONDS
	[ "$(rdma_counter "$MNT" connects)" -eq 1 ] ||
		fail "$(rdma_counter "$MNT" connects) connections in $QUIET_SECONDS s"
	client_holds_delegation || fail "the delegation is gone"
	begin=$(date +%s%3N)
	"$GUEST_DIR/break-leases" 10 "$EXPORT/file" || fail "the recall is not answered"
	say "recalled after $(($(date +%s%3N) - begin)) ms"
	exec 5<&-
	nfs_umount
}

link_up
modules_load
echo $IDLE_SECONDS > /sys/module/xprtrdma/parameters/idle_timeout
recall_server_start
idle_timeout_is_in_force
delegation_keeps_connection
finish
