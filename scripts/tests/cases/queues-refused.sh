#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the device shows long queues and refuses to create them: both sides go on with fewer credits, and say so; with queues that are too short for any RPC, the server refuses the client, and says so; no completion queue is longer than the device says
# lanes: uml
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 90
# in-check: yes

. "${GUEST_LIB:?}"

ENOMEM=12
EINVAL=22
# A device makes a power of two of it, or one less
SHORT_CQ=500
SHORT_CQ_MADE=512

works_with_fewer() {
	log_mark
	echo "$1" > /sys/module/test_smallq/parameters/error
	nfs_mount 4.2
	random_file "$MNT/file" 3000000
	same_file "$MNT/file" "$EXPORT/file"
	rm "$MNT/file"
	[ "$(log_since | grep -c "cannot create queues for .* credits: there are ")" -eq 2 ] ||
		fail "error $1: not both sides have said how many credits there are"
	[ "$(rdma_counter "$MNT" connects)" -eq 1 ] || fail "error $1: it took several connections"
	nfs_umount
}

unload() {
	clients_gone
	server_stop
	modules_unload
	[ ! -d /sys/module/test_smallq ] || rmmod test_smallq
}

# Fewer slots than the Reply to a single Call may take
too_short() {
	insmod "$TESTMOD_DIR/test_smallq.ko" depth=100
	modules_load
	server_start
	log_mark
	refused 'refused' limited 30 mount -t nfs -o "$(nfs_options 4.2 rdma),retry=0" \
		"$SERVER_ADDR:$(nfs_path 4.2)" "$MNT"
	log_has 'not accepted: the device cannot work with these module parameters \(-22\)' ||
		fail "the log does not say that the device is too small"
}

longest_cq() {
	rdma -j resource show cq | jq 'map(select(.comm | test("rpcrdma")) | .cqe) | max'
}

short_completion_queues() {
	local longest

	insmod "$TESTMOD_DIR/test_smallq.ko" cqe=$SHORT_CQ
	modules_load
	server_start
	nfs_mount 4.2
	longest=$(longest_cq)
	random_file "$MNT/file" 3000000
	same_file "$MNT/file" "$EXPORT/file"
	[ "$(rdma_counter "$MNT" connects)" -eq 1 ] || fail "with short completion queues it took several connections"
	rm "$MNT/file"
	nfs_umount
	say "the longest completion queue has $longest entries"
	compare 'entries of a completion queue' "$longest" -le $SHORT_CQ_MADE
	unload
	modules_load
	server_start
	nfs_mount 4.2
	compare 'entries if the device has no such limit' "$(longest_cq)" -gt $SHORT_CQ_MADE
	nfs_umount
	unload
}

link_up
short_completion_queues
insmod "$TESTMOD_DIR/test_smallq.ko" most=60
modules_load
server_start
works_with_fewer $ENOMEM
works_with_fewer $EINVAL
unload
too_short
finish
