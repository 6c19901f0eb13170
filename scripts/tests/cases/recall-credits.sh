#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the server has one callback in flight before the first grant, then as many as the settings of both sides allow (BI-CRED-01, BI-CRED-04, BI-CRED-05, BI-CRED-08, BI-CRED-09)
# lanes: uml umldbg
# provider: rxe siw
# versions: 1 2
# guests: 2
# peers: ours-ours intree-ours
# every[intree-ours]: uml/rxe umldbg/rxe
# timeout: 120
# in-check: yes
# peers[v2]: ours-ours
# every[v2]: uml/rxe umldbg/rxe
# Proves at version 2 V2-CRD-01, V2-CRD-02, V2-CRD-03, V2-BRS-09.

# sunrpc traces each credit that a Call takes, with the credits in use before and
# the limit, in units of 256. In the server's guest only callbacks are Calls.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/recall.sh"

CREDIT=256
# The in-tree client grants as many credits as ours does by default.
SERVER_DEFAULT=8
TRACE=/sys/kernel/tracing

# The functions of the server's guest.
watch_credits() {
	mountpoint -q $TRACE || mount -t tracefs tracefs $TRACE
	: > $TRACE/trace
	echo 1 > $TRACE/events/sunrpc/xprt_get_cong/enable
}

make_file() {
	echo content > "$EXPORT/$1"
}

recall_file() {
	"$GUEST_DIR/break-leases" 20 "$EXPORT/$1"
}

# credits_seen: "IN-USE LIMIT" for each callback
credits_seen() {
	sed -nE 's/.* xprt_get_cong: .* cong=([0-9]+) cwnd=([0-9]+).*/\1 \2/p' $TRACE/trace
}

set_server_credits() {
	echo "$1" > /sys/module/svcrdma/parameters/max_bc_requests
}

# credits_are LIMIT: on a new mount
credits_are() {
	local file number seen=

	on_server watch_credits
	nfs_mount 4.1
	# nfsd does not give a delegation every time.
	for ((number = 0; number < 10 && $(wc -l <<< "$seen") < 3; number++)); do
		file=limit$1-file$number
		on_server make_file "$file"
		cat "$MNT/$file" > /dev/null
		on_server recall_file "$file" || fail "the recall of $file is not answered"
		seen=$(on_server credits_seen)
	done
	say "limit $1: $(paste -sd, <<< "$seen")"
	[ "$(wc -l <<< "$seen")" -ge 2 ] || fail "too few callbacks have taken a credit"
	[ "$(head -n 1 <<< "$seen")" = "0 $CREDIT" ] || fail "the first limit is not one Call"
	[ "$(sed 1d <<< "$seen" | sort -u)" = "0 $(($1 * CREDIT))" ] ||
		fail "the limit is not $1 after the first grant"
	nfs_umount
}

server() {
	recall_server_start
	pair_serve
	finish
}

client() {
	client_start
	pair_wait_server
	credits_are $SERVER_DEFAULT
	on_server set_server_credits 3
	credits_are 3
	[ "$MODS" = intree ] || {
		echo 2 > /sys/module/xprtrdma/parameters/backchannel_slots
		credits_are 2
	}
	pair_stop
	finish
}

link_up
modules_load
"$ROLE"
