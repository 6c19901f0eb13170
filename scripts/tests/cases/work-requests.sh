#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: work requests as the device sees them: every Send on siw has a completion of its own, since siw does not copy the others; on rxe few have; the RNR timer is the one of our modules; no thread that sets up a connection may reclaim memory through NFS
# lanes: uml stock
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 60
# in-check: yes

# Counts of both sides together.

. "${GUEST_LIB:?}"

CALLS=400	# more Sends than a send queue has room for
RNR_TIMER=20	# IB_RNR_TIMER_010_24

posted() {
	awk -v kind="$1" '$1 == kind { print $2 }' /sys/kernel/debug/test_verbs/counts
}

many_calls() {
	local number

	for ((number = 0; number < CALLS; number++)); do
		: > "$MNT/file$number"
	done
	rm "$MNT"/file*
}

sends_are_signaled() {
	local sends unsignaled

	sends=$(($(posted send) + $(posted send_with_inv)))
	unsignaled=$(posted unsignaled_send)
	[ $sends -ge $((CALLS * 2)) ] || fail "only $sends Sends were counted"
	say "$unsignaled of $sends Sends are unsignaled"
	case $PROVIDER in
	siw)	[ "$unsignaled" -eq 0 ] || fail "siw does not copy $unsignaled Sends" ;;
	*)	[ "$unsignaled" -ge $((sends / 2)) ] || fail "Sends are signaled without need" ;;
	esac
}

rnr_timer() {
	[ "$PROVIDER" = rxe ] || return 0
	[ "$(posted min_rnr_timer)" -eq $RNR_TIMER ] ||
		fail "the RNR timer is $(posted min_rnr_timer) instead of $RNR_TIMER"
}

# A loopback mount's writeback may wait for the connection.
reclaim_stays_out() {
	[ "$(posted fs_reclaim)" -eq 0 ] ||
		fail "$(posted fs_reclaim) calls that set up a connection may wait for NFS"
}

link_up
insmod "$TESTMOD_DIR/test_verbs.ko"
modules_load
server_start
nfs_mount 3
many_calls
sends_are_signaled
rnr_timer
nfs_umount
reclaim_stays_out
finish
