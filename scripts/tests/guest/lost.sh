# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A connection of the raw peer is lost while one of its Calls hangs in nfsd. For cases that
# set CALL_KIB, the memory of the data sink of each Call.

USED=/proc/sys/sunrpc/svc_rdma/read_memory_used
LOG=/tmp/lost.log
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

# first_hangs SCENARIO STEP: the peer is started, and the first Call of STEP hangs in nfsd
first_hangs() {
	mkdir $PEER_STEPS
	: > $LOG
	"$PEER" requester "$SERVER_ADDR" "$PORT" "$1" > $LOG 2>&1 &
	PEER_PID=$!
	within "$(scaled 20)" waits_for "$2" || fail "the peer does not begin: $(cat $LOG)"
	sync
	fsfreeze -f "$EXPORT"
	step "$2"
	within "$(scaled 10)" thread_hangs || fail "nfsd does not hang"
}
