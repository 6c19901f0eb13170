#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a connect request gets no answer: a mount fails with an error in time, and works when the server answers again
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"

CONNECT_SECONDS=5
PARAMETER=/sys/module/xprtrdma/parameters/connect_timeout
# Its next SYN is sent after at most that
SECONDS_OF_TCP=70
# NFS asks for more than one attempt
SECONDS_TO_FAIL=$((4 * CONNECT_SECONDS + 10))

fails_in_time() {
	local name=$1 begin took
	shift

	begin=$(now_ms)
	! limited $((3 * SECONDS_TO_FAIL)) "$@" 2> /tmp/errors || fail "this should have failed: $*"
	took=$(($(now_ms) - begin))
	recovery_is "$name" $took
	say "$* -> $(head -n 1 /tmp/errors)"
	[ $took -le $((SECONDS_TO_FAIL * 1000)) ] || fail "that took too long"
}

nobody_answers() {
	mkdir -p "$MNT"
	wire_mute
	fails_in_time connect-silent mount -t nfs \
		-o "$(nfs_options 4.1 rdma),soft,timeo=50,retrans=1,retry=0" "$SERVER_ADDR:/" "$MNT"
	! mountpoint -q "$MNT" || fail "it is mounted all the same"
	wire_heard
	nfs_mount 4.1
	echo word > "$MNT/word"
	[ "$(cat "$EXPORT/word")" = word ] || fail "the mount does not work"
	rm "$MNT/word"
	nfs_umount
}

no_attempts() {
	! rdma resource show cm_id | grep 'state CONNECT'
}

wire_up
wire_heard
modules_load
[ ! -e $PARAMETER ] || echo $CONNECT_SECONDS > $PARAMETER
server_start
every_round nobody_answers
recovery_report
# An attempt with siw ends when its TCP connection does, some time after a packet
# gets through.
[ "$PROVIDER" = rxe ] || within "$(scaled $SECONDS_OF_TCP)" no_attempts ||
	fail "attempts are still under way"
finish
