#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the administrator closes a connection while its device is still connecting, and the device then fails to connect: the close waits for that, and uses nothing that the RDMA CM has freed
# lanes: umldbg
# provider: siw
# guests: 1
# mods: ours
# timeout: 90
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"
. "$GUEST_DIR/connections.sh"

# siw connects its socket in rdma_connect(), and sleeps there until TCP gives up
connecting() {
	local dir state

	for dir in "$CONNECTIONS"/client-*; do
		{ read -r state < "$dir/state"; } 2> /dev/null || continue
		[ "$state" != connecting ] || { NEWEST=$dir; return; }
	done
	return 1
}

no_attempt() {
	! rdma resource show cm_id | grep 'state CONNECT'
}

closed_while_connecting() {
	local status=0

	mkdir -p "$MNT"
	wire_mute
	limited 60 mount -t nfs -o "$(nfs_options 4.1 rdma),soft,timeo=50,retrans=1,retry=0" \
		"$SERVER_ADDR:/" "$MNT" 2> /tmp/errors &
	within 10 connecting || fail "no connection is being made"
	echo 1 > "$NEWEST/disconnect"
	wait $! || status=$?
	[ $status -gt 0 ] || fail "it is mounted although no packet has gone through"
	[ $status -lt 124 ] || fail "the mount hangs"
	within 30 no_attempt || fail "an attempt is still under way"
	wire_heard
	nfs_mount 4.1
	echo word > "$MNT/word"
	[ "$(cat "$EXPORT/word")" = word ] || fail "the mount does not work"
	rm "$MNT/word"
	nfs_umount
}

wire_up
wire_heard
sysctl -qw net.ipv4.tcp_syn_retries=1
modules_load
server_start
closed_while_connecting
finish
