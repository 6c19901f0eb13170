#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a mount of a server without an rdma listener fails in time with a clear message
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 90
# in-check: yes

. "${GUEST_LIB:?}"

SECONDS_FOR_A_REFUSAL=30

fails_in_time() {
	local version=$1 begin

	mkdir -p "$MNT"
	begin=$(now_ms)
	refused 'refused' limited $SECONDS_FOR_A_REFUSAL mount -t nfs \
		-o "$(nfs_options "$version" rdma),retry=0" \
		"$SERVER_ADDR:$(nfs_path "$version")" "$MNT"
	recovery connect-refused "$begin"
	! mountpoint -q "$MNT" || fail "vers=$version: it is mounted all the same"
	within 10 no_connected_qp || fail "the failed mount left a queue pair"
}

link_up
modules_load
server_start
server_stop
server_threads "$NFSD_THREADS"
grep -q tcp "$NFSD/portlist" || fail "the server does not listen on TCP either"
in_turns fails_in_time 3 4.2
recovery_report
server_listen
nfs_mount 4.2
finish
