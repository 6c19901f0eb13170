#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a device without FRWR: a mount fails in time, the kernel log says why, nothing is left, and it works again with FRWR; the server serves others, and invalidates no handle (V2-RI-04, V1-MEM-20)
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# timeout: 90
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

SECONDS_FOR_A_REFUSAL=30

mount_fails_in_time() {
	local begin=$SECONDS

	log_mark
	mkdir -p "$MNT"
	refused 'not supported' limited $SECONDS_FOR_A_REFUSAL mount -t nfs \
		-o "$(nfs_options "$1" rdma),retry=0" "$SERVER_ADDR:$(nfs_path "$1")" "$MNT"
	say "vers=$1: refused after $((SECONDS - begin)) s"
	! mountpoint -q "$MNT" || fail "vers=$1: it is mounted all the same"
	log_since
	log_has 'frwr|FRWR|fast memory registration' ||
		fail "vers=$1: the kernel log does not say that the device lacks FRWR"
}

link_up
insmod "$TESTMOD_DIR/test_nofrwr.ko"
modules_load
server_start
for version in 3 4.2; do
	mount_fails_in_time $version
	within 10 no_connected_qp || fail "the refused mount left a queue pair"
done
peer_ready
peer_requester invalidate-cannot
echo both > /sys/module/svcrdma/parameters/versions
peer_requester2 v2-invalidate-cannot
echo 1 > /sys/module/svcrdma/parameters/versions
rmmod test_nofrwr
nfs_mount 4.2
echo word > "$MNT/word"
[ "$(cat "$EXPORT/word")" = word ] || fail "the file differs"
finish
