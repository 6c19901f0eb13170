#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: memory is exhausted, so that reclaim fails, on client and server: more Calls than there are Send contexts are answered in time
# lanes: uml
# provider: rxe
# guests: 1
# mods: ours
# memory: 512M
# timeout: 150
# in-check: yes

# No fault injection: all memory in pieces of two or more pages is taken. Without
# __GFP_NORETRY the allocator then tries for ever. LIMIT is the documented bound. A debug
# kernel itself needs such pieces, for the stacks of new threads.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/exhaust.sh"
. "$GUEST_DIR/wire.sh"

LIMIT=8
FILES=48

# Sends that do not complete keep their contexts: more Calls than there are contexts. On siw a
# Send completes when TCP has taken it, so this case is for rxe.
burst() {
	local longest

	longest=$(exhausted burst "$(scaled $LIMIT)" "$MNT" $FILES "$NET_DEV")
	say "the longest call took $longest ms"
	[ "$longest" != none ] || fail "calls are not over after $LIMIT s"
	compare 'ms of the longest call' "$longest" -ge 0
}

test_version() {
	nfs_mount "$1" "$MNT" noac
	touch "$EXPORT"/{0..47}
	burst
	rm "$EXPORT"/*
	nfs_umount
}

wire_up
# Packets of one page at most: the network must work without larger pieces of memory.
ip link set net0 mtu 1500
ip link set net1 mtu 1500
wire_heard
exhaust_load
modules_load
server_start
for version in 3 4.1; do
	test_version $version
done
within 10 no_connected_qp || fail "a connection stays"
rmmod test_exhaust
finish
