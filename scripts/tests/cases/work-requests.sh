#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: work requests as the device sees them: every Send on siw has a completion of its own, since siw does not copy the others; on rxe few have; one RDMA Write fills a segment; the RNR timer is the one of our modules; no thread that sets up a connection may reclaim memory through NFS
# lanes: uml stock
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 60
# in-check: yes

# Counts of both sides together.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

READS=8		# of 64 KiB
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
	[ "$PROVIDER" = rxe ] || {
		say "left out: the RNR timer, which iWARP does not have"
		return 0
	}
	[ "$(posted min_rnr_timer)" -eq $RNR_TIMER ] ||
		fail "the RNR timer is $(posted min_rnr_timer) instead of $RNR_TIMER"
}

# Each segment has four pages of the client. The data begins within a page of the server, so each segment
# takes parts of five.
one_write_for_each_segment() {
	local writes segments

	# A keepalive may be an RDMA Write too.
	echo 0 > /sys/module/rpcrdma/parameters/keepalive_seconds
	echo 4 > /sys/module/xprtrdma/parameters/mr_pages
	nfs_mount 3
	writes=$(posted rdma_write)
	segments=$(shown client counters/registrations)
	dd if="$MNT/data" of=/dev/null bs=64k count=$READS iflag=direct,skip_bytes skip=512 status=none
	writes=$(($(posted rdma_write) - writes))
	segments=$(($(shown client counters/registrations) - segments))
	nfs_umount
	compare 'segments of the READs' $segments -ge $((READS * 4))
	compare 'RDMA Writes into them' $writes -eq $segments
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
random_file "$EXPORT/data" 1000000
nfs_mount 3
many_calls
sends_are_signaled
rnr_timer
nfs_umount
one_write_for_each_segment
reclaim_stays_out
finish
