#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a device without FRWR, or with FRWR only for pages of another size: a mount fails in time, the kernel log says why, nothing is left, and it works again with FRWR; the server serves others, and invalidates no handle (V2-RI-04, V1-MEM-20); on iWARP, whose RDMA Reads need MRs, it refuses connections for the size of pages
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# timeout: 90
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"
. "$GUEST_DIR/setups.sh"

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

# The server of RoCE reads into memory that is not registered.
server_of_other_pages() {
	log_mark
	if [ "$PROVIDER" = siw ]; then
		! join refused || fail "the server accepts a connection"
		within 10 log_has 'not accepted: the device registers no pages of the size' ||
			fail "the server does not say why it refuses"
	else
		join served
		joined served || fail "the server does not serve: $(cat /tmp/served.log)"
	fi
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
insmod "$TESTMOD_DIR/test_nofrwr.ko" other_pages=1
mount_fails_in_time 3
log_has "FRWR. of pages of $(getconf PAGESIZE) bytes" || fail "the kernel log does not tell the size"
within 10 no_connected_qp || fail "the refused mount left a queue pair"
server_of_other_pages
rmmod test_nofrwr
nfs_mount 4.2
echo word > "$MNT/word"
[ "$(cat "$EXPORT/word")" = word ] || fail "the file differs"
finish
