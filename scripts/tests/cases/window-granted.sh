#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: umount -f ends a task that holds the send lock while its Reply waits for an invalidation and the connection is lost: nothing hangs
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 120
# in-check: yes
# Proves V1-MEM-04.

# sunrpc waits, with the lock, until nothing pins the request of that task. The teardown of
# the connection removes the pin, so it must not need the lock.
. "${GUEST_LIB:?}"

PARAMS=/sys/module/test_window/parameters
READ_BYTES=$((256 << 10))
MR_PAGES=16	# so the READ has several MRs, and the server invalidates only one

reached() {
	[ "$(cat $PARAMS/stage)" -ge "$1" ]
}

ended() {
	! kill -0 "$1" 2> /dev/null
}

lock_owner_killed() {
	local version=$1 holder victim

	nfs_mount "$version"
	random_file "$EXPORT/data" $READ_BYTES
	exec 8< "$MNT/data"
	echo "$MNT" > $PARAMS/granted
	stat -f "$MNT" > /dev/null &
	holder=$!
	within 10 reached 2 || fail "vers=$version: no task holds the lock"
	dd of=/dev/null bs=$READ_BYTES count=1 iflag=direct status=none <&8 2> /dev/null &
	victim=$!
	disown $victim
	within 10 reached 5 || fail "vers=$version: the READ was not sent"
	wait $holder || fail "vers=$version: stat failed"
	umount -f "$MNT" 2> /dev/null || true
	within 10 reached 6 || fail "vers=$version: the READ has no lock, or no Reply"
	server_stop
	promptly 60 ended $victim || fail "vers=$version: the killed task hangs"
	say "vers=$version: the task that held the lock has ended"

	echo > $PARAMS/granted
	server_threads "$NFSD_THREADS"
	server_listen
	exec 8<&-
	within 20 stat -f "$MNT" > /dev/null || fail "vers=$version: the mount does not work"
	same_file "$EXPORT/data" "$MNT/data"
	nfs_umount
}

link_up
modules_load
echo $MR_PAGES > /sys/module/xprtrdma/parameters/mr_pages
server_start
insmod "$TESTMOD_DIR/test_window.ko"
in_turns lock_owner_killed 3 4.2
rmmod test_window
finish
