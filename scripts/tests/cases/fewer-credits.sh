#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: there is memory for a part of the Receives of a connection, on client or server: the connection has fewer credits, in time, and the next one has all again
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours
# memory: 512M
# mtu: 1500
# every: uml
# timeout: 120
# in-check: yes

# An allocation without __GFP_NORETRY would try for ever.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"
. "$GUEST_DIR/exhaust.sh"

# The bound of Documentation/faults.rst, seconds
# On siw TCP may have to send a packet again that was dropped for memory: 1, 2 and 4 s
LIMIT=20
CREDITS=256
# The lost connection frees Receive buffers of 8 KiB, and MRs. The next one may find that
# memory, too, but not enough for all of its Receives, which are larger.
LARGE=65536
LEAVE_KIB=5120
# An MR of siw, twice as large with debug options. siw waits until there is memory for all MRs of
# the connection.
MR_KIB=8
[ ! -e /sys/kernel/debug/kmemleak ] || MR_KIB=16

server() {
	echo $CREDITS > /sys/module/svcrdma/parameters/max_requests
	echo $CREDITS > /sys/module/svcrdma/parameters/min_requests
	server_start
	pair_serve
	rmmod test_exhaust
	finish
}

set_client_inline() {
	echo "$1" > /sys/module/xprtrdma/parameters/max_inline_read
}

set_server_inline() {
	echo "$1" > /sys/module/svcrdma/parameters/max_inline_size
}

# credits_of SIDE: for which it has Receives
credits_of() {
	case $1 in
	client)	shown client credits_max ;;
	server)	on_server shown server credits_granted ;;
	esac
}

# connect_again SIDE KIB: the connection is lost while that side has so much memory
connect_again() {
	local longest

	longest=$(exhausted cut "$(scaled $LIMIT)" "$MNT" "$2" "$(exhaust_where "$1")")
	[ "$longest" != none ] || fail "$1: no connection within $LIMIT s"
	say "$1: connected again after $longest ms"
}

# has_credits SIDE LEAST MOST
has_credits() {
	local credits

	credits=$(credits_of "$1")
	say "the $1 has Receives for $credits credits"
	[ "$credits" -ge "$2" ] && [ "$credits" -le "$3" ] ||
		fail "they should be from $2 to $3"
}

reconnect() {
	local connects

	connects=$(rdma_counter "$MNT" connects)
	echo 0 > /sys/module/test_cut/parameters/cut
	stat -t "$MNT" > /dev/null
	[ "$(rdma_counter "$MNT" connects)" -gt "$connects" ] || fail "there is no new connection"
}

client_short() {
	set_client_inline $LARGE
	connect_again client $LEAVE_KIB
	has_credits client 4 $((CREDITS - 1))
	set_client_inline 8192
	reconnect
	has_credits client $CREDITS $CREDITS
}

server_short() {
	local mrs

	mrs=$(on_server shown server mrs)
	# Receives are as large as what the client may send
	echo $LARGE > /sys/module/xprtrdma/parameters/max_inline_write
	on_server set_server_inline $LARGE
	on_server exhaust_serve
	connect_again server $((LEAVE_KIB + mrs * MR_KIB))
	has_credits server 4 $((CREDITS - 1))
	on_server set_server_inline 8192
	reconnect
	has_credits server $CREDITS $CREDITS
}

client() {
	client_start
	pair_wait_server
	insmod "$TESTMOD_DIR/test_cut.ko"
	echo $CREDITS > /sys/module/xprtrdma/parameters/slot_table_entries
	nfs_mount 3 "$MNT" noac
	has_credits client $CREDITS $CREDITS
	has_credits server $CREDITS $CREDITS
	client_short
	server_short
	nfs_umount
	exhaust_end
}

link_up
exhaust_load
modules_load
"$ROLE"
