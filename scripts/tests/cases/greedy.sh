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

LIGHT=100
LIGHT_FROM=192.168.77.100
GREEDY_CONNECTIONS=16
GREEDY_DEPTH=16
SECONDS_EACH=10

declare -A PIPE PID SAID

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

# peers_start NAME ARGUMENT...: a crowd that reads its commands from a pipe
peers_start() {
	local name=$1 pipe

	shift
	mkfifo "/tmp/$name"
	"$PEER" crowd "$@" "$SERVER_ADDR" "$PORT" < "/tmp/$name" > "/tmp/$name.log" 2>&1 &
	PID[$name]=$!
	exec {pipe}> "/tmp/$name"
	PIPE[$name]=$pipe
	SAID[$name]=0
	peers_expect "$name" up 60
}

# peers_expect NAME WORD SECONDS: waits for the next line, which begins so
peers_expect() {
	SAID[$1]=$((SAID[$1] + 1))
	within "$(scaled "$3")" peers_said "$1" "$2" || fail "$1: $(cat "/tmp/$1.log")"
}

peers_said() {
	[[ $(sed -n "${SAID[$1]}p" "/tmp/$1.log") == "$2 "* ]]
}

# peers_command NAME LINE
peers_command() {
	echo "$2" >&"${PIPE[$1]}"
}

# peers_stop NAME...: closes all pipes first, because a later peer has inherited those before
peers_stop() {
	local name pipe

	for name in "$@"; do
		pipe=${PIPE[$name]}
		exec {pipe}>&-
	done
	for name in "$@"; do
		wait "${PID[$name]}" || fail "$name: $(cat "/tmp/$name.log")"
	done
}

# result NAME COLUMN: of the last line: 2 Calls, 4 the median, 6 the 99th percentile in us
result() {
	tail -n1 "/tmp/$1.log" | awk -v column="$2" '{ print $column }'
}

# load NAME...: all of these at the same time
load() {
	local name

	for name in "$@"; do
		peers_command "$name" "load $SECONDS_EACH"
	done
	for name in "$@"; do
		peers_expect "$name" calls $((SECONDS_EACH + 60))
		say "$name: $(result "$name" 2) Calls, median $(result "$name" 4) us, 99 % at most $(result "$name" 6) us"
	done
}

client() {
	local alone share

	link_up
	client_start
	pair_wait_server
	addresses_add $LIGHT_FROM $LIGHT
	peer_ready
	peers_start light --connections $LIGHT --from $LIGHT_FROM
	peers_start greedy --connections $GREEDY_CONNECTIONS --depth $GREEDY_DEPTH
	load light
	alone=$(result light 6)
	load light greedy
	share=$(($(result greedy 2) * LIGHT / $(result light 2)))
	say "99 % beside the greedy client: $(($(result light 6) * 100 / alone)) % of that without it"
	say "Calls of the greedy client: as many as of $share others"
	peers_stop light greedy
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
