# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Memory that is exhausted, without fault injection: see
# scripts/tests/modules/test_exhaust.c. Packets must fit into one page (for two guests
# "# mtu: 1500"), because the network must work without larger pieces of memory.
#
#   exhaust_load             load the module
#   exhausted ARGUMENT...    run the program "exhausted"; see there
#   exhaust_serve            server of a pair: let that program, on the client, exhaust
#                            the server's memory, once
#   exhaust_where SIDE...    client of a pair: for the argument WHERE of that program
#   exhaust_end              client of a pair: the end of the case

EXHAUST_PORT=7071

exhaust_load() {
	# The kernel would keep more in reserve when it finds free memory in small pieces.
	sysctl -qw vm.watermark_boost_factor=0 vm.min_free_kbytes=2048
	insmod "$TESTMOD_DIR/test_exhaust.ko"
}

exhaust_serve() {
	: > /run/exhausted
	"$GUEST_DIR/exhausted" serve $EXHAUST_PORT > /run/exhausted 2>&1 &
	within "$(scaled 20)" grep -q serving /run/exhausted
}

exhausted() {
	limited 600 "$GUEST_DIR/exhausted" "$@"
}

exhaust_where() {
	local side

	for side; do
		case $side in
		client)	echo here ;;
		server)	echo "$SERVER_ADDR:$EXHAUST_PORT" ;;
		esac
	done
}

exhaust_end() {
	within 10 no_connected_qp || fail "a connection stays"
	rmmod test_cut test_exhaust
	pair_stop
	finish
}
