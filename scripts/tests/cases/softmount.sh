#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a soft mount whose server is gone returns an error in the time that its options say, with NFSv3 also during a READ, and works again afterwards
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

# read_ended PID
read_ended() {
	wait "$1" || {
		cat /tmp/reader >&2
		return 1
	}
}

has_read() {
	[ "$(op_count "$MNT" READ)" -gt 10 ]
}

soft_mount() {
	local version=$1 reader

	nfs_mount "$version" "$MNT" "soft,timeo=$TIMEO,retrans=$RETRANS"
	echo before > "$MNT/word"
	# An open file of NFSv4 makes the client recover its state, for much longer (over TCP too).
	if [ "$version" = 3 ]; then
		dd if="$MNT/endless" of=/dev/null bs=64k iflag=direct status=none 2> /tmp/reader &
		reader=$!
		within 20 has_read || fail "vers=$version: the READs do not begin"
	fi
	server_stop
	[ "$version" != 3 ] || fails_in_time soft-read read_ended $reader
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
truncate -s 1T "$EXPORT/endless"
in_turns soft_mount 3 4.1
recovery_report
finish
