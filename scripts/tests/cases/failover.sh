#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: one of two links to the server is cut during I/O, at either end: the I/O of its transport goes on over the other link without an error, and returns when the link is back; so it does when a RoCE device gives up
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours ours-intree
# timeout: 300
# in-check: yes
#
# RUNS=50 cuts fifty times. Two macvlans stand for two adapters; messages between the guests
# use the link below them.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"
. "$GUEST_DIR/steady-io.sh"

KEEPALIVE=/sys/module/rpcrdma/parameters/keepalive_seconds

OTHER=/mnt/other

# paths_up NUMBER: the two links of this guest. A device on the link below would have their
# addresses too.
paths_up() {
	local path dev

	rdma_link_remove "${PROVIDER}0"
	# Each netdev answers for its own address only.
	sysctl -qw net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2
	for path in 1 2; do
		dev=path$path
		ip link add $dev link "$NET_DEV" type macvlan mode bridge
		ip addr add "192.168.8$path.$1/24" dev $dev
		ip link set $dev mtu 9000 up
		link_delay $dev
		OWN_ADDR=192.168.8$path.$1 rdma_link_add "$PROVIDER$path" $dev
	done
	link_baseline
}

# path_cut DEV: loses all that this guest sends, without a word to anybody
path_cut() {
	tc qdisc replace dev "$1" root netem loss 100%
}

# at END COMMAND...
at() {
	local end=$1
	shift

	case $end in
	client)	"$@" ;;
	server)	on_server "$*" ;;
	esac
}

# On a mount with fatal_neterrors some errors end RPCs.
mount_both() {
	local options

	options=$(fatal_neterrors 192.168.81.1)
	options=max_connect=2${options:+,$options}
	nfs_mount_from 192.168.81.1 rdma 4.1 "$MNT" "$options"
	nfs_mount_from 192.168.82.1 rdma 4.1 "$OTHER" "$options"
	[ "$(transports "$MNT")" -eq 2 ] || fail "there are not two transports"
}

# over ADDRESS...: the addresses that the client is connected to
over() {
	[ "$(cat "$CONNECTIONS"/client-*/path_address | sort | paste -sd' ')" = "$*" ]
}

# A transport without RPCs does not connect.
at_home() {
	local dir

	stat -f "$MNT" "$OTHER" "$MNT" "$OTHER" > /dev/null
	for dir in "$CONNECTIONS"/client-*; do
		[ "$(cat "$dir/path_address")" = "$(cat "$dir/peer_address")" ] || return 1
	done
}

failovers() {
	cat "$CONNECTIONS"/client-*/counters | awk '$1 == "failovers" { n += $2 } END { print n + 0 }'
}

# cut_once "END PATH"
cut_once() {
	local end path before dev
	read -r end path <<< "$1"
	dev=path$path

	before=$(failovers)
	steady_start 8
	at "$end" path_cut $dev
	within "$(scaled 20)" over "192.168.8$((3 - path)).1" "192.168.8$((3 - path)).1" ||
		fail "$dev cut at the $end: no transport changes over: $(cat "$CONNECTIONS"/client-*/path_address | paste -sd' ')"
	steady_count
	steady_goes_on 20
	[ "$(failovers)" -gt "$before" ] || fail "no failover is counted"
	at "$end" link_delay $dev
	steady_finish 90
	recovery_is "path-cut-$end" "$(steady_longest)"
	within "$(scaled 90)" at_home || fail "$dev: a transport does not return"
	rm "$MNT"/steady*
}

# rpcs: of each transport, since the mount
rpcs() {
	rpcrdmactl_json | jq -r '.paths[].rpcs'
}

rpcrdmactl_json() {
	"$SRC/scripts/tool/rpcrdmactl" path --json
}

# Each path has half of the RPCs, give or take a tenth of that.
spread() {
	local before after

	before=$(rpcs | paste -sd' ')
	steady_start 8
	steady_finish 90
	after=$(rpcs | paste -sd' ')
	say "RPCs before: $before, after: $after"
	awk -v before="$before" -v after="$after" 'BEGIN {
		split(before, b); split(after, a)
		x = a[1] - b[1]; y = a[2] - b[2]
		half = (x + y) / 2
		exit !(half > 50 && x < 1.1 * half && y < 1.1 * half) }' || fail "the paths do not have the same share"
	rm "$MNT"/steady*
}

# An administrator takes a path out of use, and into use again.
drained() {
	local name before

	name=$(rpcrdmactl_json | jq -r '.paths[] | select(.main | not).name')
	"$SRC/scripts/tool/rpcrdmactl" path drain "$name"
	"$SRC/scripts/tool/rpcrdmactl" path
	stat -f "$MNT" > /dev/null
	before=$(rpcrdmactl_json | jq ".paths[] | select(.name == \"$name\").rpcs")
	random_file "$MNT/data" $((4 << 20))
	[ "$(rpcrdmactl_json | jq ".paths[] | select(.name == \"$name\").rpcs")" -eq "$before" ] ||
		fail "a drained path gets RPCs"
	"$SRC/scripts/tool/rpcrdmactl" path resume "$name"
	random_file "$MNT/data" $((4 << 20))
	[ "$(rpcrdmactl_json | jq ".paths[] | select(.name == \"$name\").rpcs")" -gt "$before" ] ||
		fail "a path gets no RPCs after resume"
	"$SRC/scripts/tool/rpcrdmactl" path remove "$name"
	within "$(scaled 20)" removed "$name" || fail "a removed path is still there"
	random_file "$MNT/data" $((1 << 20))
	refused 'first transport' "$SRC/scripts/tool/rpcrdmactl" path drain \
		"$(rpcrdmactl_json | jq -r '.paths[0].name')"
}

# A kernel that can add a transport gives the mount its second path again. While that is cut, the RPCs of
# the new transport do not wait for it.
added() {
	local ctl=$SRC/scripts/tool/rpcrdmactl name

	name=$(rpcrdmactl_json | jq -r '.paths[0].name')
	if compgen -G '/sys/kernel/sunrpc/xprt-switches/switch-*/add_xprt' > /dev/null; then
		path_cut path2
		"$ctl" path add "$name" 192.168.82.1
		limited 60 dd if=/dev/urandom of="$MNT/data" bs=1M count=4 conv=fsync status=none ||
			fail "RPCs wait for a path that is cut"
		within "$(scaled 20)" over 192.168.81.1 192.168.81.1 ||
			fail "a transport that was never connected does not use the other path"
		link_delay path2
		within "$(scaled 90)" at_home || fail "the new path is not used"
	else
		refused 'max_connect=' "$ctl" path add "$name" 192.168.82.1
	fi
}

removed() {
	[ ! -e "$CONNECTIONS/$1" ]
}

# The device of a RoCE connection gives up, without a completion that says why. No peer has
# closed the connection, so the path is to blame.
gives_up() {
	local before

	[ "$PROVIDER" = rxe ] || {
		say "left out: a RoCE device that gives up; this one is $PROVIDER"
		return
	}
	before=$(failovers)
	echo 0 > /sys/module/test_cut/parameters/cut
	within "$(scaled 20)" failed_over "$before" || fail "a transport whose QP failed does not change over"
	grep -qx 'queue pair error' "$CONNECTIONS"/client-*/last_error_reason ||
		fail "the reason is $(cat "$CONNECTIONS"/client-*/last_error_reason | paste -sd,)"
	within "$(scaled 90)" at_home || fail "a transport whose QP failed does not return"
	rmmod test_cut
}

failed_over() {
	stat -f "$MNT" "$OTHER" "$MNT" "$OTHER" > /dev/null
	[ "$(failovers)" -gt "$1" ]
}

# A connection that an administrator ends does not blame its path, so that is tried first. The same
# attempt goes on with the other one.
second_is_tried() {
	local before begin=$SECONDS dir ended=0

	before=$(failovers)
	path_cut path2
	for dir in "$CONNECTIONS"/client-*; do
		[ "$(cat "$dir/peer_address")" = 192.168.82.1 ] || continue
		echo 1 > "$dir/disconnect"
		ended=$((ended + 1))
	done
	[ $ended -eq 1 ] || fail "$ended connections over path2 were ended"
	# The RPCs of failed_over() wait for a connection
	within "$(scaled 30)" failed_over "$before" || fail "only the first path is tried"
	compare 'seconds until the second path is used' $((SECONDS - begin)) -le "$(scaled 40)"
	[ "$(reason_of 2)" != 'peer does not answer' ] || fail "the path was to blame"
	link_delay path2
	within "$(scaled 90)" at_home || fail "a transport does not return after the first path failed"
}

# refuse_path DEV: at the server, drops what begins a connection over it; those that exist stay. That
# is a message for queue pair 1, or a SYN.
refuse_path() {
	local first='udp dport 4791 @th,104,24 1'

	[ "$PROVIDER" = rxe ] || first="tcp dport $PORT tcp flags & (syn|ack) == syn"
	nft add table ip paths
	nft 'add chain ip paths input { type filter hook input priority 0; }'
	nft "add rule ip paths input iifname $1 $first drop"
}

# The only route of a transport's own path is away, and over the other path it cannot connect for the
# moment. That is no reason to end RPCs: there is a route over the other path.
no_route() {
	local before

	before=$(failovers)
	steady_start 8
	at server refuse_path path1
	ip link set path2 down
	sleep "$(scaled 10)"
	steady_running || fail "RPCs have ended"
	[ "$(failovers)" -eq "$before" ] || fail "a transport changes over, although its messages are dropped"
	at server nft delete table ip paths
	within "$(scaled 60)" over 192.168.81.1 192.168.81.1 ||
		fail "no route: $(cat "$CONNECTIONS"/client-*/path_address | paste -sd' ')"
	steady_count
	steady_goes_on 20
	ip link set path2 up
	steady_finish 90
	within "$(scaled 90)" at_home || fail "a transport does not return when its link is up"
	rm "$MNT"/steady*
}

# end_connections: those of all transports, none of which is to blame
end_connections() {
	local dir

	for dir in "$CONNECTIONS"/client-*; do
		! grep -qx established "$dir/state" || echo 1 > "$dir/disconnect"
	done
	within "$(scaled 20)" none_connected || fail "a connection does not end"
}

none_connected() {
	! grep -qx established "$CONNECTIONS"/client-*/state
}

# The device of a transport's own path is away, and no transport is connected. An RPC goes on over the
# path of the other one, whichever transport it is given to, and in the same attempt.
no_device() {
	local before

	before=$(failovers)
	rdma_link_remove "${PROVIDER}2"
	for _ in 1 2 3 4; do
		end_connections
		log_mark
		limited 30 stat -f "$MNT" > /dev/null || fail "an RPC waits for a device that is away"
		compare 'attempts without a device' \
			"$(log_since | awk '/no RDMA device leads to/ { n++ } END { print n + 0 }')" -le 1
	done
	[ "$(failovers)" -gt "$before" ] || fail "no transport has changed over"
	OWN_ADDR=192.168.82.2 rdma_link_add "${PROVIDER}2" path2
	within "$(scaled 90)" at_home || fail "a transport does not return to its device"
}

# Without failover the RPCs of a path that was cut wait.
switched_off() {
	local before

	scaled 1 > $KEEPALIVE
	sleep 1
	echo 0 > /sys/module/xprtrdma/parameters/failover
	before=$(failovers)
	steady_start 8
	path_cut path2
	sleep "$(scaled 8)"
	! over 192.168.81.1 192.168.81.1 || fail "a transport changes over although failover is off"
	compare 'failovers while that is off' "$(failovers)" -eq "$before"
	link_delay path2
	steady_finish 120
	rm "$MNT"/steady*
	echo 1 > /sys/module/xprtrdma/parameters/failover
	within "$(scaled 60)" at_home || fail "a transport does not come back"
}

# reason_of PATH: why the transport of that path was closed last
reason_of() {
	local dir

	for dir in "$CONNECTIONS"/client-*; do
		[ "$(cat "$dir/peer_address")" != "192.168.8$1.1" ] || cat "$dir/last_error_reason"
	done
}

# RPCs of all transports, a second apart, show each that there is another one.
know_each_other() {
	at_home
	sleep 1.2
	at_home
}

not_answered() {
	[ "$(reason_of 2)" = 'peer does not answer' ]
}

# A dead idle path is detected within failover_ms while keepalive_seconds is 60. failover_ms
# does not apply on iWARP. It is cut at both ends: the server may find it dead first, and would say so.
found_soon() {
	[ "$PROVIDER" = rxe ] || {
		say "left out: a dead idle path; failover_ms does not apply to $PROVIDER"
		return
	}
	echo 60 > $KEEPALIVE
	within "$(scaled 20)" know_each_other || fail "a transport is not connected"
	at server path_cut path2
	path_cut path2
	within "$(scaled 5)" not_answered ||
		fail "an idle path that was cut is not found dead: $(reason_of 2)"
	at server link_delay path2
	link_delay path2
	within "$(scaled 90)" at_home || fail "a transport does not return"
	echo 10 > $KEEPALIVE
}

server() {
	paths_up 1
	server_start
	pair_serve
	finish
}

client() {
	paths_up 2
	client_start
	pair_wait_server
	# siw waits for TCP when it connects
	[ "$PROVIDER" = rxe ] || sysctl -qw net.ipv4.tcp_syn_retries=2
	[ "$PROVIDER" = rxe ] || scaled 1 > $KEEPALIVE
	scaled 1500 > /sys/module/xprtrdma/parameters/failover_ms
	[ "$PROVIDER" != rxe ] || insmod "$TESTMOD_DIR/test_cut.ko"
	mount_both
	found_soon
	gives_up
	second_is_tried
	spread
	in_turns cut_once "client 2" "server 1" "server 2" "client 1"
	recovery_report
	no_route
	no_device
	switched_off
	drained
	added
	nfs_umount "$OTHER"
	nfs_umount
	pair_stop
	finish
}

link_up
modules_load
"$ROLE"
