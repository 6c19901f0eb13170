#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a soft mount whose server is gone returns an error in the time that its options say, idle and during I/O, and works again afterwards
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"

TIMEO=20		# tenths of a second
RETRANS=2
# timeo * (retrans + 1) with linear back-off for the first try, and as much again,
# since an NFS operation may take two RPCs; three seconds that sunrpc adds after a
# refused connection
SECONDS_TO_FAIL=$((2 * TIMEO * (1 + 2 + 3) / 10 + 3))

# fails_in_time NAME COMMAND...
fails_in_time() {
	local name=$1 begin took
	shift
	begin=$(now_ms)

	! "$@" 2> /tmp/errors || fail "this should have failed: $*"
	took=$(($(now_ms) - begin))
	recovery_is "$name" $took
	say "$* -> $(head -n 1 /tmp/errors) after $took ms"
	[ $took -le $((SECONDS_TO_FAIL * 1000)) ] || fail "that took too long"
}

soft_mount() {
	local version=$1

	nfs_mount "$version" "$MNT" "soft,timeo=$TIMEO,retrans=$RETRANS"
	echo before > "$MNT/word"
	server_stop
	fails_in_time soft-statfs stat -f "$MNT"
	fails_in_time soft-write dd if=/dev/zero of="$MNT/word" bs=64k count=4 oflag=direct status=none
	server_threads "$NFSD_THREADS"
	server_listen
	within 20 stat -f "$MNT" > /dev/null || fail "vers=$version: the mount does not work again"
	echo after > "$MNT/word2"
	[ "$(cat "$EXPORT/word2")" = after ] || fail "vers=$version: a write was lost"
	nfs_umount
}

link_up
modules_load
server_start
in_turns soft_mount 3 4.1
recovery_report
finish
