#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the link between two guests fails silently while nothing is sent: the client and the server each detect it within the keepalive time (on iWARP the client), and an idle peer that is alive keeps its connection
# lanes: uml umldbg
# lanes[intree-ours]: uml
# provider: rxe siw
# guests: 2
# peers: ours-ours intree-ours
# every[intree-ours]: uml/siw
# timeout: 150
# in-check: yes

# NFSv3 sends nothing by itself. The time is counted from the last message. With the
# in-tree client, our server's keepalives must do it no harm. siw looks like the adapter of
# another maker: no keepalive of iWARP may be an RDMA Read, which can crash a siw peer.

. "${GUEST_LIB:?}"

KEEPALIVE_SECONDS=${KEEPALIVE_SECONDS:-6}
IDLE_SECONDS=15
OUTAGE=$((KEEPALIVE_SECONDS + 4))
CXGB4=2	# RDMA_DRIVER_CXGB4
PARAMETER=/sys/module/rpcrdma/parameters/keepalive_seconds

set_keepalive() {
	[ ! -e $PARAMETER ] || echo $KEEPALIVE_SECONDS > $PARAMETER
}

# The guests cannot talk while the link is cut, so the server writes down its result.
server_watch() {
	(
		sleep 0.5
		log_mark
		link_cut
		watch_link > /run/found
		link_join
	) &
}

# The in-tree module logs nothing, so its queue pair must be gone.
has_found() {
	case $MODS in
	ours)	log_has 'connection lost: peer does not answer' ;;
	*)	no_connected_qp ;;
	esac
}

# watch_link: milliseconds from the cut until this side detects that its peer is dead
watch_link() {
	local begin now

	begin=$(now_ms)
	until has_found; do
		[ $(($(now_ms) - begin)) -lt $((OUTAGE * 1000)) ] || break
		sleep 0.1
	done
	now=$(now_ms)
	if has_found; then
		echo $((now - begin))
	else
		echo never
	fi
	now=$((OUTAGE * 1000 - (now - begin)))
	[ $now -le 0 ] || sleep "$((now / 1000)).$(printf %03d $((now % 1000)))"
}

# found_in_time SIDE MODULES TOOK: the in-tree module has no keepalive
found_in_time() {
	recovery_is "dead-idle-peer-$1" "$3"
	[ "$2" = ours ] || return 0
	# TCP finds a dead client, after a quarter of an hour
	[ "$PROVIDER $1" != "siw server" ] || return 0
	[ "$3" != never ] || fail "the $1 has not found the dead peer in $OUTAGE s"
	[ "$3" -le $((KEEPALIVE_SECONDS * 1000 + 1000)) ] ||
		fail "the $1 has found the dead peer only after $3 ms"
}

idle_peer_is_left_alone() {
	SENT_BEFORE=$(posted send)
	sleep $IDLE_SECONDS
	[ "$(rdma_counter "$MNT" connects)" -eq 1 ] ||
		fail "an idle connection to a living peer was closed"
	on_server peer_is_alive
	[ "$MODS" != ours ] || keepalives_are client
	[ "$(on_server server_mods)" != ours ] || on_server keepalives_are server
}

peer_is_alive() {
	! dmesg | grep 'peer does not answer'
}

posted() {
	awk -v kind="$1" '$1 == kind { print $2 }' /sys/kernel/debug/test_verbs/counts
}

# keepalives_are SIDE. A client on iWARP sends Calls. What it has sent to mount was counted
# before it was idle.
keepalives_are() {
	if [ "$PROVIDER $1" = "siw client" ]; then
		[ "$(posted send)" -ge $((SENT_BEFORE + 3)) ] || fail "no ping was sent"
		[ "$(posted rdma_write)" -eq 0 ] || fail "the keepalive was an RDMA Write"
		[ "$(mountstats "$MNT" | awk '$1 == "xprt:" { print $10 }')" -eq 0 ] ||
			fail "sunrpc was shown the answer to a ping"
	else
		[ "$(posted rdma_write)" -ge 1 ] || fail "no keepalive was posted"
	fi
	[ "$(posted rdma_read)" -eq 0 ] || fail "the keepalive was an RDMA Read"
}

server() {
	set_keepalive
	server_start
	pair_serve
	finish
}

peer_dies() {
	local found

	on_server server_watch
	sleep 0.5
	log_mark
	link_cut
	found=$(watch_link)
	link_join
	found_in_time client "$MODS" "$found"
	within 30 on_server test -s /run/found || fail "the server does not answer any more"
	found_in_time server "$(on_server server_mods)" "$(on_server cat /run/found)"
	on_server rm /run/found
	[ "$(limited 60 cat "$MNT/word")" = before ] || fail "the mount does not work afterwards"
	echo after > "$MNT/word2"
	[ "$(on_server cat $EXPORT/word2)" = after ] || fail "a write was lost"
	rm "$MNT/word2"
}

server_mods() {
	echo "$MODS"
}

client() {
	set_keepalive
	client_start
	pair_wait_server
	nfs_mount 3
	echo before > "$MNT/word"
	idle_peer_is_left_alone
	every_round peer_dies
	recovery_report
	nfs_umount
	pair_stop
	finish
}

link_up
[ "$PROVIDER" = rxe ] || driver=driver=$CXGB4
insmod "$TESTMOD_DIR/test_verbs.ko" ${driver:-}
modules_load
"$ROLE"
