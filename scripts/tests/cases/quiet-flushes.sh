#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the device raises no event for the work requests that it flushes, or cannot be polled any more: client and server end the connection all the same, and the client connects again
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 90
# in-check: yes

# bnxt_re makes flushed completions up, and raises an event only if the completion queue is armed.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

QUIET=/sys/module/test_stall/parameters/quiet_flushes
POLL_ERROR=/sys/module/test_stall/parameters/poll_error

link_up
insmod "$TESTMOD_DIR/test_stall.ko"
modules_load
server_start
nfs_mount 4.1
echo before > "$MNT/word"
# shellcheck disable=SC2119
shown client state
echo 1 > $QUIET
echo 1 > "$NEWEST/disconnect"
[ "$(limited "$(scaled 30)" cat "$MNT/word")" = before ] || fail "the client does not connect again"
limited "$(scaled 30)" umount "$MNT" || fail "the last connection does not end"
echo 0 > $QUIET
within "$(scaled 30)" no_connected_qp || fail "a connection stays"
nfs_mount 4.1
log_mark
echo 1 > $POLL_ERROR
[ "$(limited "$(scaled 30)" cat "$MNT/word")" = before ] || fail "the client does not go on"
[ "$(cat $POLL_ERROR)" -eq 0 ] || fail "no poll has failed"
within 10 log_has 'queue pair error' || fail "no connection was closed for the poll that failed"
limited "$(scaled 30)" umount "$MNT" || fail "a connection that cannot be polled does not end"
within "$(scaled 30)" no_connected_qp || fail "a connection that cannot be polled stays"
server_stop
modules_unload
rmmod test_stall
finish
