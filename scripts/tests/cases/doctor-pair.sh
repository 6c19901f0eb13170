#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: rpcrdmactl doctor on a client finds faults between it and its server: MTU, blocked port, dead server, versions, thresholds, credits
# lanes: uml
# provider: rxe siw
# guests: 2
# peers: ours-ours
# every: uml/rxe
# timeout: 360
# refused: version not supported
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/rpcrdmactl.sh"

SERVER_PARAMETERS=/sys/module/svcrdma/parameters
faults=0	# counted by ill
FAULTS=7
[ "$PROVIDER" = rxe ] || FAULTS=6	# without that of the MTU

# Runs the commands that doctor printed last, each on the machine that it names
repair_at_both() {
	local on command

	while IFS=$'\t' read -r on command; do
		say "repair on $on: $command"
		case $on in
		"the server")	on_server "$command" ;;
		*)		eval "$command" ;;
		esac || fail "this repair fails: $command"
	done < <(doctor_says '.findings[0].repair[] | [.on, .command] | @tsv')
}

# New parameters apply to new connections.
reconnect() {
	local dir

	for dir in /sys/kernel/rpcrdma/connections/client-*; do
		echo 1 > "$dir/disconnect"
	done
	ask
}

# The server answers, whatever is cached
ask() {
	stat -f "$MNT" > /dev/null
}

connected() {
	ask
	healthy "$1"
}

# Of the two repairs it is the one on this machine: the link's device takes a smaller MTU
# only.
smaller_mtu() {
	healthy "before the mount" "$SERVER_ADDR"
	on_server "ip link set \$NET_DEV mtu 1500"
	[ "$PROVIDER" = rxe ] || {
		healthy "with a smaller MTU, which TCP finds out" "$SERVER_ADDR"
		return 0
	}
	ill mtu-mismatch 'its MTU is about 1500, here it is 9000' "$SERVER_ADDR"
	eval "$(doctor_says '.findings[0].repair[] | select(.on == "this machine").command')"
	healthy "with the same MTU" "$SERVER_ADDR"
}

# Nothing on the client shows that the server's firewall is the cause.
blocked_at_the_server() {
	local packet='udp dport 4791'

	[ "$PROVIDER" = rxe ] || packet='tcp dport 20049'
	on_server "nft add table inet filter"
	on_server "nft 'add chain inet filter input { type filter hook input priority 0; }'"
	on_server "nft add rule inet filter input $packet drop"
	ill port-blocked 'the machine is alive, but nothing answers on RDMA' "$SERVER_ADDR"
	# siw connects with a TCP call that returns only when TCP gives up, after minutes.
	[ "$PROVIDER" = siw ] ||
		logged ': no connection: (no answer in time|peer not reachable)' ''
	doctor_says '.findings[0].repair[0].on' | grep -qx 'the server' || fail "the repair is elsewhere"
	# There doctor names the rule.
	on_server "$CTL doctor; [ \$? = 1 ]" | grep -E 'port-blocked: the firewall drops' > /dev/null ||
		fail "doctor on the server does not name it"
	on_server "nft delete table inet filter"
	healthy "with the server's port open" "$SERVER_ADDR"
}

nobody_there() {
	ill server-unreachable '192.168.77.9 port 20049' 192.168.77.9
}

versions() {
	echo both > /sys/module/xprtrdma/parameters/versions
	on_server "echo 1 > $SERVER_PARAMETERS/versions"
	nfs_mount 4.2
	ill version-mismatch 'this client takes version 2, the server has version 1 only'
	on_server "$CTL doctor --json; [ \$? = 1 ]" |
		grep 'version-mismatch.*this server takes version 1 only' > /dev/null ||
		fail "doctor on the server does not see it"
	repair_at_both
	connected "with version 2 at both ends"
	[ "$(connections client version)" = 2 ] || fail "the repair has not led to version 2"
	nfs_umount
	echo 2 > /sys/module/xprtrdma/parameters/versions
	on_server "echo 1 > $SERVER_PARAMETERS/versions"
	logged 'no protocol version in common' ''
	ill version-mismatch 'no protocol version in common; this client takes 2'
	repair_at_both
	echo 1 > /sys/module/xprtrdma/parameters/versions
	nfs_mount 4.2
	connected "with a version in common"
	on_server "$CTL doctor" | grep 'note: .*takes version 2, but 1 of its clients use version 1' > /dev/null ||
		fail "doctor on the server does not say who uses version 1"
}

thresholds() {
	on_server "echo 4096 > $SERVER_PARAMETERS/max_inline_size"
	reconnect
	ill threshold-mismatch 'is 4096 bytes, although xprtrdma\.max_inline_'
	repair_at_both
	connected "with the same thresholds"
}

# Two credits for as many readers as there can be
credits() {
	local load

	on_server "echo 4 > $SERVER_PARAMETERS/max_requests"
	reconnect
	connected "with few credits and nothing to do"
	"$GUEST_DIR/many-readers" "$MNT/data" 16 &
	load=$!
	sleep 2
	ill credits-starved 'the server grants 4, 128 are asked for'
	repair_at_both
	sleep 2
	healthy "with enough credits, under the same load"
	kill $load
	wait $load || true
}

server() {
	server_start
	ctl_install
	pair_serve
	finish
}

client() {
	client_start
	ctl_install
	echo 5 > /sys/module/xprtrdma/parameters/connect_timeout
	pair_wait_server
	smaller_mtu
	blocked_at_the_server
	nobody_there
	versions
	random_file "$MNT/data" $((4 << 20))
	thresholds
	credits
	nfs_umount
	pair_stop
	say "$faults faults found"
	[ "$faults" -eq "$FAULTS" ] || fail "$faults faults were tried"
	finish
}

link_up
modules_load
"$ROLE"
