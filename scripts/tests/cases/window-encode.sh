#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: on a soft mount another task sends a Call just when its own task has timed out and is about to encode it again: it is not encoded while device or server can read it
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 120
# in-check: yes
# Proves V1-MEM-04.

# The transport warns if a Call was encoded that is still exposed, and a warning fails the
# case.
. "${GUEST_LIB:?}"

PARAMS=/sys/module/test_window/parameters
TIMEO=20		# tenths of a second
FILE_BYTES=$((256 << 10))

reached() {
	[ "$(cat $PARAMS/stage)" -ge "$1" ]
}

# The exported file system is frozen, so that the WRITE stays exposed.
encoded_again() {
	local version=$1 holder writer begin

	nfs_mount "$version" "$MNT" "soft,timeo=$TIMEO,retrans=20"
	: > "$MNT/data"
	exec 8<> "$MNT/data"
	fsfreeze -f "$EXPORT"
	echo "$MNT" > $PARAMS/encode
	stat -f "$MNT" > /dev/null &
	holder=$!
	within 10 reached 2 || fail "vers=$version: no task holds the lock"
	dd if=/tmp/source bs=$FILE_BYTES oflag=direct conv=notrunc status=none >&8 &
	writer=$!
	within 10 reached 6 || fail "vers=$version: the WRITE did not time out"
	begin=$(now_ms)
	wait $holder || fail "vers=$version: stat failed"
	sleep 4
	fsfreeze -u "$EXPORT"
	wait $writer || fail "vers=$version: the write failed"
	recovery encode-window "$begin"
	echo > $PARAMS/encode
	exec 8>&-
	same_file /tmp/source "$EXPORT/data"
	rm "$MNT/data"
	nfs_umount
}

link_up
modules_load
server_export_on_disk
random_file /tmp/source $FILE_BYTES
server_start
insmod "$TESTMOD_DIR/test_window.ko"
in_turns encoded_again 3
rmmod test_window
recovery_report
finish
