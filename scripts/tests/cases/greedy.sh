#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: 100 clients with one Call each, and one with 16 connections of 16 Calls: all Calls are answered; prints their latency and shares
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours ours-intree
# needs: peer
# memory: 1G
# timeout: 240
# in-check: no

# Run it with the in-tree server as well, to compare. The clients are raw peers, each with an
# address of its own. Case fair-turns tests that clients have equal shares of the nfsd threads; here
# the CPU and the link are short, and threads are not.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"
. "$GUEST_DIR/crowd.sh"

LIGHT=100
LIGHT_FROM=192.168.77.100
GREEDY_CONNECTIONS=16
GREEDY_DEPTH=16
SECONDS_EACH=10

# addresses_add FIRST COUNT
addresses_add() {
	local i last

	for ((i = 0; i < $2; i++)); do
		last=${1%.*}.$((${1##*.} + i))
		ip addr add "$last/24" dev "$NET_DEV"
	done
	[ "$PROVIDER" = siw ] || within "$(scaled 20)" rdma_has_gid "${RDMA_DEVS%% *}" "$last" ||
		fail "the device has no GID for $last"
}

# Of the last load: Calls, and the 99th percentile of their latency in us
calls_of() {
	crowd_field "$1" 2
}

p99_of() {
	crowd_field "$1" 6
}

# load NAME...: all of these at the same time
load() {
	local name

	for name in "$@"; do
		crowd_command "$name" "load $SECONDS_EACH"
	done
	for name in "$@"; do
		crowd_expect "$name" calls $((SECONDS_EACH + 60))
		say "$name: $(calls_of "$name") Calls, median $(crowd_field "$name" 4) us, 99 % at most $(p99_of "$name") us"
	done
}

client() {
	local alone share

	link_up
	client_start
	pair_wait_server
	addresses_add $LIGHT_FROM $LIGHT
	peer_ready
	crowd_start light --connections $LIGHT --from $LIGHT_FROM "$SERVER_ADDR"
	crowd_start greedy --connections $GREEDY_CONNECTIONS --depth $GREEDY_DEPTH "$SERVER_ADDR"
	crowd_expect light up 60
	crowd_expect greedy up 60
	load light
	alone=$(p99_of light)
	load light greedy
	share=$(($(calls_of greedy) * LIGHT / $(calls_of light)))
	say "99 % beside the greedy client: $(($(p99_of light) * 100 / alone)) % of that without it"
	say "Calls of the greedy client: as many as of $share others"
	crowd_stop light greedy
	pair_stop
	finish
}

server() {
	link_up
	modules_load
	server_start
	pair_serve
	finish
}

"$ROLE"
