#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: tracepoints of the three modules can be joined: a posted work request and its completion by number, the steps of an RPC on client and server by XID
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

TRACING=/sys/kernel/tracing
SYSTEMS="rpcrdma_core xprtrdma svcrdma"
# They report faults that this case does not cause.
SELDOM="rpcrdma_refuse rpcrdma_sendq_wait rpcrdma_sendq_go svcrdma_error"

trace_all() {
	local system

	for system in $SYSTEMS; do
		echo "$1" > "$TRACING/events/$system/enable"
	done
}

work() {
	mkdir -p "$MNT/dir"
	cp /tmp/file "$MNT/dir/file"
	seq 2000 > "$MNT/dir/small"
	drop_caches
	same_file /tmp/file "$MNT/dir/file"
	wc -l "$MNT/dir/small" > /dev/null
	ls -l "$MNT/dir" > /dev/null
}

# Many RPCs at once, of which one at a time may be on the wire. A single processor may
# still run them one after the other: then they are repeated.
wait_for_credits() {
	local dir

	dir=$(connection_dir client)
	echo 1 > "$dir/credits_limit"
	within 60 rpcs_waited || fail "of many RPCs with one credit none had to wait"
	[ "$(cat "$dir/credits_asked")" = 1 ] || fail "the client still asks for more than one credit"
	echo 16384 > "$dir/credits_limit"
}

rpcs_waited() {
	local i pids=()

	for i in 1 2 3 4 5 6 7 8; do
		dd if=/tmp/file of="$MNT/many$i" bs=64k count=8 oflag=direct status=none &
		pids+=($!)
	done
	wait "${pids[@]}"
	grep ' xprtrdma_credit_go: ' $TRACING/trace > /dev/null
}

# events NAME: the fields of its events, without the tracer's prefix
events() {
	sed -n "s/^.* $1: \(conn=\|xprt=\)/\1/p" /tmp/trace
}

each_was_seen() {
	local path name

	for path in "$TRACING"/events/{rpcrdma_core,xprtrdma,svcrdma}/*/; do
		name=$(basename "$path")
		[ -n "$(events "$name" | head -1)" ] || [[ " $SELDOM " = *" $name "* ]] ||
			fail "no event $name"
	done
}

# Each signaled work request has a completion, and each completion a work request; an
# unsignaled Send ends with a later one. The last ones may be flushed, each with a completion
# of its own: a Reply can be there before the completion of its Call, and the connection closed then.
posts_join_completions() {
	local joined

	joined=$({ events rpcrdma_post | sed 's/^/post /'; events rpcrdma_done | sed 's/^/done /'; } |
		awk -v flush=5 -v provider="$PROVIDER" '
		{ for (i = 2; i <= NF; i++) { split($i, f, "="); v[f[1]] = f[2] } key = v["conn"] ":" v["cid"] }
		$1 == "post" { posts++; xid[key] = v["xid"]; want[key] = v["signaled"] }
		$1 == "done" {
			if (!(key in xid)) { print "no post of " $0; exit }
			if (xid[key] != v["xid"]) { print "another XID in " $0; exit }
			if (v["status"] == flush) ended[v["conn"]]++
			else if (v["status"] != 0) { print "failed: " $0; exit }
			else if (v["conn"] in ended) { print "behind a flush: " $0; exit }
			if (want[key] == 1 && v["by"] != v["cid"]) { print "not its own: " $0; exit }
			if (want[key] == 0 && v["status"] != flush && want[v["conn"] ":" v["by"]] != 1) { print "by what? " $0; exit }
			if (seen[key]++) { print "twice: " $0; exit }
			done++; quiet += !want[key]
		}
		END {
			for (conn in ended) if (ended[conn] > 16) print "many flushed of " conn
			for (key in want) if (want[key] == 1 && !seen[key]) print "no completion of " key
			# On Soft-iWARP every Send is signaled.
			if (!quiet && provider != "siw") print "no Send went without a completion"
			print "ok", posts, done
		}')
	[[ $joined = ok* ]] || fail "posts and completions: $joined"
	say "posts and completions: $joined"
}

# xids NAME [MORE]: XIDs of its events whose text matches MORE
xids() {
	events "$1" | grep -E "${2:-.}" | sed 's/.*xid=\(0x[0-9a-f]*\).*/\1/' | sort -u
}

# Each RPC that the client has encoded goes through every step.
steps_join() {
	local name missing

	xids xprtrdma_complete 'error=0' > /tmp/rpcs
	[ "$(wc -l < /tmp/rpcs)" -gt 20 ] || fail "only $(wc -l < /tmp/rpcs) RPCs were traced"
	for name in xprtrdma_marshal rpcrdma_post rpcrdma_receive svcrdma_call svcrdma_handle \
		    svcrdma_reply xprtrdma_reply; do
		missing=$(comm -23 /tmp/rpcs <(xids $name))
		[ -z "$missing" ] || fail "no $name of $missing"
	done
	missing=$(comm -3 <(xids svcrdma_read) <(xids svcrdma_read_done))
	[ -z "$missing" ] || fail "rounds of RDMA Reads without an end: $missing"
	missing=$(comm -3 <(xids xprtrdma_credit_wait) <(xids xprtrdma_credit_go))
	[ -z "$missing" ] || fail "waits for a credit without an end: $missing"
	missing=$(comm -23 <(xids xprtrdma_register) <(xids xprtrdma_marshal ' mrs=[1-9]'))
	[ -z "$missing" ] || fail "registered, but no MR in the Call: $missing"
	say "$(wc -l < /tmp/rpcs) RPCs, each with all of its steps; $(xids xprtrdma_credit_wait | wc -l) waited for a credit"
}

link_up
modules_load
server_start
mountpoint -q $TRACING || mount -t tracefs tracefs $TRACING
echo 16384 > $TRACING/buffer_size_kb
random_file /tmp/file 3000000
# Several MRs for each Call: the server can invalidate only one of them.
echo 16 > /sys/module/xprtrdma/parameters/mr_pages
trace_all 1
nfs_mount 4.2
work
wait_for_credits
# Completions that are still to come
sleep 1
nfs_umount
within 10 no_connected_qp || fail "a connection stays"
trace_all 0
cat $TRACING/trace > /tmp/trace
! grep 'LOST' /tmp/trace > /dev/null || fail "events were lost"
each_was_seen
posts_join_completions
steps_join
finish
