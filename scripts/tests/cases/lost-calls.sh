#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a connection is lost while one of its Calls hangs in nfsd: the server frees the memory of all others, and that of a copy that nfsd drops (V1-SEC-15)
# lanes: uml umldbg
# provider: rxe siw
# turn: provider
# guests: 1
# mods: ours
# needs: peer
# memory: 1G
# every: uml umldbg/rxe
# timeout: 90
# in-check: yes

# What waits stays in the share of the client's address, whose new connection needs it, and
# the Call may hang for ever.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

USED=/proc/sys/sunrpc/svc_rdma/read_memory_used
CALLS=8
CALL_KIB=1028
LOG=/tmp/lost-calls.log
export PEER_STEPS=/tmp/steps

used_is() {
	[ "$(cat $USED)" -eq "$1" ]
}

# uses CALLS WHAT: the memory of so many Calls is in use, WHAT is true then
uses() {
	within "$(scaled 10)" used_is $(($1 * CALL_KIB)) ||
		fail "$2: $(cat $USED) KiB of data sinks, not $(($1 * CALL_KIB))"
}

waits_for() {
	grep -q "waits for the step $1" $LOG
}

# step NAME: the peer begins this step, and ends it
step() {
	within "$(scaled 20)" waits_for "$1" || fail "the peer does not come to step $1: $(cat $LOG)"
	touch "$PEER_STEPS/$1"
}

thread_hangs() {
	ps -eo stat,comm | grep -q '^D.* nfsd'
}

mkdir $PEER_STEPS
link_up
modules_load
server_export_on_disk
NFSD_THREADS=1
server_start
peer_ready
echo 64 > /sys/module/svcrdma/parameters/read_memory
echo 32 > /sys/module/svcrdma/parameters/read_memory_client
"$PEER" requester "$SERVER_ADDR" "$PORT" lost-calls > $LOG 2>&1 &
PEER_PID=$!
within "$(scaled 20)" waits_for calls || fail "the peer does not begin: $(cat $LOG)"
sync
fsfreeze -f "$EXPORT"
step calls
within "$(scaled 10)" thread_hangs || fail "nfsd does not hang"
step copy
uses $((CALLS + 1)) "before the loss"
step loss
uses 2 "one Call hangs, its copy waits, and the connection of the others is lost"
# The other thread gets the copy. The duplicate reply cache of nfsd drops it.
echo 2 > $NFSD/threads
uses 1 "one Call hangs, and its copy is dropped"
step end
fsfreeze -u "$EXPORT"
wait $PEER_PID || fail "the raw peer found something wrong: $(cat $LOG)"
uses 0 "all Calls have ended"
server_stop
modules_unload
finish
