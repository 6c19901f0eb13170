#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: one credit, and a Call that hangs has it: other Calls go on when the administrator raises the limit; and if the Call is abandoned, on a new connection (V1-CRED-04)
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 60
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

limit_is() {
	echo "$1" > "$(connection_dir client)/credits_limit"
}

threads_blocked() {
	ps -eo stat,comm | grep -q '^D.* nfsd'
}

# hangs NAME: a CREATE takes the only credit. The limit comes last: the server grants no
# more credits than it is asked for, so a Reply would bring a grant of one.
hangs() {
	fsfreeze -f "$EXPORT"
	touch "$MNT/$1" &
	HANGING=$!
	within 10 threads_blocked || fail "no thread of nfsd works on the CREATE"
	limit_is 1
}

other_call() {
	limited 40 stat -f "$MNT" > /dev/null &
	OTHER=$!
	sleep 1
	kill -0 $OTHER || fail "there is more than one credit"
}

other_ended() {
	! kill -0 $OTHER 2> /dev/null
}

link_up
modules_load
server_export_on_disk
server_start
nfs_mount 3
stat -f "$MNT" > /dev/null

hangs first
other_call
limit_is 8
within 5 other_ended || fail "a Call waits for a credit although the limit is higher"
wait $OTHER || fail "the other Call failed"
fsfreeze -u "$EXPORT"
wait $HANGING || fail "the Call that hung failed"
[ "$(rdma_counter "$MNT" connects)" -eq 1 ] || fail "a higher limit takes a new connection"

hangs second
kill -KILL $HANGING
limited 20 stat -f "$MNT" > /dev/null || fail "no Call gets through"
connects=$(rdma_counter "$MNT" connects)
[ "$connects" -eq 2 ] || fail "$connects connections instead of 2"
compare 'ENOBUFS, last error' "$(shown client last_error)" -eq 105
fsfreeze -u "$EXPORT"
finish
