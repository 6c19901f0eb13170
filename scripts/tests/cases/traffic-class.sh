#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: packets of both ends have the type of service that the client was told to use, over IPv4 and IPv6, a new value holds for new connections, and sysfs shows what goes out; Soft-iWARP ignores it
# lanes: uml stock
# provider: rxe siw
# guests: 2
# peers: ours-ours
# every: uml
# timeout: 240
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

PARAMETERS=/sys/module/xprtrdma/parameters
SERVER_PARAMETERS=/sys/module/svcrdma/parameters
CLIENT_ADDR=192.168.77.2
CLIENT_ADDR6=fd77::2
CAPTURE=/tmp/capture
checked=0

# over_ipv4, over_ipv6: mount over it, and set the addresses of both ends; for tcpdump, set the
# expressions for the type of service, the protocol, and byte N behind the IP header
over_ipv4() {
	ENDS=("$CLIENT_ADDR" "$SERVER_ADDR")
	TOS='ip[1]'
	IP='ip[9]'
	BEHIND_IP='ip[20 +'
	nfs_mount 4.2
}

over_ipv6() {
	ENDS=("$CLIENT_ADDR6" "$SERVER_ADDR6")
	TOS='(ip6[0:2] >> 4 & 0xff)'
	IP='ip6[6]'
	BEHIND_IP='ip6[40 +'
	nfs_mount6 4.2
}

# The packets of the connection itself: no message of the connection manager, which is for
# queue pair 1, and no bare ACK of TCP
packets() {
	case $PROVIDER in
	rxe)	echo "$IP = 17 and ${BEHIND_IP} 2:2] = 4791 and ${BEHIND_IP} 12:4] & 0xffffff != 1" ;;
	siw)	echo "$IP = 6 and tcp port $PORT and ${BEHIND_IP} 13] & tcp-push != 0" ;;
	esac
}

# captured FILTER: how many packets
captured() {
	tcpdump -nr "$CAPTURE" "$1" 2> /dev/null | wc -l
}

capture_begins() {
	grep -s 'listening on' /tmp/tcpdump > /dev/null
}

some_io() {
	dd if=/dev/zero of="$MNT/file" bs=64k count=4 oflag=direct conv=notrunc status=none
	drop_caches
	dd if="$MNT/file" of=/dev/null bs=64k iflag=direct status=none
}

# carries TOS: every packet of a WRITE and a READ, in both directions
carries() {
	local tcpdump from right wrong

	rm -f /tmp/tcpdump
	tcpdump -i "$NET_DEV" -s 96 -B 8192 --immediate-mode -U -w "$CAPTURE" "$(packets)" 2> /tmp/tcpdump &
	tcpdump=$!
	within 20 capture_begins || fail "tcpdump does not begin: $(cat /tmp/tcpdump)"
	some_io
	sleep 1
	kill -INT $tcpdump
	wait $tcpdump || true
	for from in "${ENDS[@]}"; do
		right=$(captured "src host $from and $TOS = $1")
		wrong=$(captured "src host $from and $TOS != $1")
		say "from $from: $right packets with type of service $1, $wrong with others"
		[ "$right" -ge 8 ] && [ "$wrong" -eq 0 ] ||
			fail "$(tcpdump -vnr "$CAPTURE" -c 20 "src host $from" 2> /dev/null)"
		checked=$((checked + right))
	done
}

server_shows() {
	on_server "cat /sys/kernel/rpcrdma/connections/server-*/$1"
}

# both_show FILE CLIENT SERVER: in sysfs; nothing on iWARP, where only the driver knows
both_show() {
	local client=$2 server=$3

	[ "$PROVIDER" = rxe ] || client='' server=''
	[ "$(shown client "$1")" = "$client" ] || fail "client: $1 is '$(shown client "$1")', not '$client'"
	[ "$(server_shows "$1")" = "$server" ] || fail "server: $1 is '$(server_shows "$1")', not '$server'"
}

another_connection() {
	has_connection client && [ "$(cat "$NEWEST/connection")" -gt "$1" ] &&
		[ "$(on_server "ls /sys/kernel/rpcrdma/connections")" != "$2" ]
}

reconnect() {
	local client server

	client=$(shown client connection)
	server=$(on_server "ls /sys/kernel/rpcrdma/connections")
	echo 1 > "$(connection_dir client)/disconnect"
	stat -f "$MNT" > /dev/null
	within 30 another_connection "$client" "$server" || fail "there is no new connection"
	within 30 one_at_the_server || fail "the server keeps the old connection"
}

one_at_the_server() {
	[ "$(on_server "ls /sys/kernel/rpcrdma/connections" | wc -w)" -eq 1 ]
}

# on_the_wire TOS: Soft-iWARP sends 0 whatever it is told
on_the_wire() {
	if [ "$PROVIDER" = rxe ]; then
		carries "$1"
	else
		carries 0
	fi
	both_show tos "$1" "$1"
}

# The second one is the traffic class that guides for RoCE name: DSCP 26, and ECT(0).
type_of_service() {
	local tos old=0

	on_the_wire 0
	for tos in 104 106 252; do
		echo $tos > $PARAMETERS/tos
		say "type of service $tos, on the connection of before"
		on_the_wire $old
		reconnect
		say "type of service $tos, on a new connection"
		on_the_wire $tos
		old=$tos
	done
	echo 0 > $PARAMETERS/tos
	reconnect
	on_the_wire 0
}

# The server's choice is for listeners on iWARP: its RoCE clients choose themselves.
not_of_the_server() {
	on_server "echo 32 > $SERVER_PARAMETERS/tos"
	reconnect
	on_the_wire 0
	[ "$(shown client tos_configured)" = 0 ] || fail "the client has another choice than 0"
	[ "$(server_shows tos_configured)" = 32 ] || fail "the server has another choice than 32"
	on_server "echo 0 > $SERVER_PARAMETERS/tos"
}

# rnr_retries tells the peer how often to try, the others are for the own queue pair.
timers() {
	echo 17 > $PARAMETERS/ack_timeout
	echo 12 > $PARAMETERS/rnr_timer
	echo 5 > $PARAMETERS/rnr_retries
	on_server "echo 19 > $SERVER_PARAMETERS/ack_timeout"
	on_server "echo 14 > $SERVER_PARAMETERS/rnr_timer"
	on_server "echo 3 > $SERVER_PARAMETERS/rnr_retries"
	both_show rnr_timer 20 20
	both_show rnr_retries 6 6
	reconnect
	both_show ack_timeout 17 19
	both_show rnr_timer 12 14
	both_show rnr_retries 3 5
	some_io
}

rules() {
	echo "$*" > $PARAMETERS/traffic_rules
	say "rules: $(cat $PARAMETERS/traffic_rules)"
}

# The rule with the longest prefix; a parameter where it sets nothing, and without a rule
by_address() {
	echo 40 > $PARAMETERS/tos
	rules "192.168.0.0/16,tos=72;10.0.0.0/8,tos=4;$SERVER_ADDR,tos=136,ack_timeout=16"
	reconnect
	on_the_wire 136
	both_show ack_timeout 16 19
	both_show rnr_timer 12 14
	rules "192.168.0.0/16,tos=72;192.168.78.0/24,tos=8"
	both_show tos 136 136
	[ "$(shown client tos_configured)" = 72 ] || fail "a new connection would not have 72"
	reconnect
	on_the_wire 72
	both_show ack_timeout 17 19
	rules "$SERVER_ADDR/32,tos=0"
	reconnect
	on_the_wire 0
	rules ""
	reconnect
	on_the_wire 40
	echo 0 > $PARAMETERS/tos
}

# The traffic class of IPv6, by parameter and by address
of_ipv6() {
	nfs_umount
	within 30 no_connection || fail "a connection stays"
	over_ipv6
	stat -f "$MNT" > /dev/null
	on_the_wire 0
	echo 104 > $PARAMETERS/tos
	reconnect
	on_the_wire 104
	rules "fd77::/16,tos=72;$SERVER_ADDR,tos=4"
	reconnect
	on_the_wire 72
	rules ""
	echo 0 > $PARAMETERS/tos
	reconnect
	on_the_wire 0
}

no_connection() {
	! has_connection client && [ "$(on_server "ls /sys/kernel/rpcrdma/connections" | wc -w)" -eq 0 ]
}

by_address_of_the_client() {
	on_server "echo '$CLIENT_ADDR,ack_timeout=15,rnr_timer=11,rnr_retries=2' > $SERVER_PARAMETERS/traffic_rules"
	reconnect
	both_show ack_timeout 17 15
	both_show rnr_timer 12 11
	both_show rnr_retries 2 5
	on_server "echo > $SERVER_PARAMETERS/traffic_rules"
	reconnect
	both_show ack_timeout 17 19
}

# refused_value MODULE.PARAMETER VALUE
refused_value() {
	local file=/sys/module/${1%.*}/parameters/${1#*.} before

	before=$(cat "$file")
	log_mark
	refused 'invalid argument|out of range' bash -c "echo '$2' > $file"
	[ "$(cat "$file")" = "$before" ] || fail "$1 changed from $before to $(cat "$file")"
	log_has "${1%.*}: ${1#*.}" || fail "the kernel log does not say why $1 refuses $2"
}

wrong_values() {
	local side value

	for side in xprtrdma svcrdma; do
		for value in tos=256 tos=-1 tos=banana ack_timeout=32 rnr_timer=0 rnr_timer=32 rnr_retries=7; do
			refused_value "$side.${value%=*}" "${value#*=}"
		done
		echo "10.0.0.0/8,rnr_timer=9" > /sys/module/$side/parameters/traffic_rules
		for value in banana 10.0.0.0/33,rnr_timer=1 ::1/129,rnr_timer=1 10.0.0.0/8 ::1,dscp=26 ::1,rnr_timer=0 \
			     "::1,ack_timeout=1;::1/128,ack_timeout=2"; do
			refused_value "$side.traffic_rules" "$value"
		done
	done
	refused_value svcrdma.traffic_rules ::1,tos=4
}

server() {
	server_start
	pair_serve
	finish
}

client() {
	client_start
	pair_wait_server
	over_ipv4
	stat -f "$MNT" > /dev/null
	type_of_service
	not_of_the_server
	timers
	by_address
	by_address_of_the_client
	of_ipv6
	wrong_values
	nfs_umount
	pair_stop
	say "$checked packets had the right type of service"
	[ "$checked" -ge 100 ] || fail "only $checked packets were looked at"
	finish
}

link_up
modules_load
"$ROLE"
