#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: 100 connections of raw peers to one server (5,000 in the long run): all come up, all are answered in turn, all come back after a restart of the server, none is refused, nothing is left
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours ours-intree
# needs: peer
# lengths: short full
# memory: 2G
# memory[full]: 8G
# env[full]: CONNECTIONS=5000 UP=300
# timeout: 300
# timeout[full]: 1500
# in-check: no

# Run it with the in-tree server as well, to compare. A connection of the peers costs little,
# so that what is measured is the server.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"
. "$GUEST_DIR/memory.sh"
. "$GUEST_DIR/prometheus.sh"

CONNECTIONS=${CONNECTIONS:-100}
PEERS=10
EACH=$((CONNECTIONS / PEERS))
CALL_SECONDS=10
PIPES=()
PIDS=()
# Longest time until all are up, seconds; as long again for the server to end
UP=${UP:-40}

# On the server

crowd_server() {
	[ "$MODS" != ours ] || echo 4 > /sys/module/svcrdma/parameters/min_requests
	server_start
}

crowd_gone() {
	within "$(scaled "$UP")" no_connected_qp
}

crowd_memory() {
	memory_quiet
	memory_kernel
}

# The first scrape of an exporter waits until it has read all connections.
crowd_scrapes() {
	[ "$MODS" = ours ] || { echo "none, in-tree has no metrics"; return 0; }
	exporter_start > /dev/null
	"$GUEST_DIR/scrapes" "$EXPORTER" 20 1 || fail "the exporter does not answer any more"
	kill "$!"
}

# On the client

# peers_open: starts all, each with its own pipes
peers_open() {
	local peer

	for ((peer = 0; peer < PEERS; peer++)); do
		mkfifo /tmp/crowd$peer
		"$PEER" crowd --connections $EACH "$SERVER_ADDR" "$PORT" \
			< /tmp/crowd$peer > /tmp/crowd$peer.log 2>&1 &
		PIDS+=($!)
	done
	for ((peer = 0; peer < PEERS; peer++)); do
		exec {pipe}> /tmp/crowd$peer
		PIPES+=("$pipe")
	done
}

# peers_say LINE
peers_say() {
	local pipe

	for pipe in "${PIPES[@]}"; do
		echo "$1" >&"$pipe"
	done
}

peers_failed() {
	grep -h '^not ok' /tmp/crowd*.log
}

peers_alive() {
	kill -0 "${PIDS[@]}"
}

# peers_have WORD COUNT: each has printed so many lines that begin so
peers_have() {
	peers_alive || fail "a peer has ended: $(peers_failed)"
	[ "$(cat /tmp/crowd*.log | grep -c "^$1 ")" -ge $((PEERS * $2)) ]
}

# peers_wait WORD COUNT SECONDS
peers_wait() {
	within "$(scaled "$3")" peers_have "$1" "$2" ||
		fail "not all say $1: $(cat /tmp/crowd*.log | paste -sd';')"
}

# longest WORD: of the times that the peers have printed last, ms
longest() {
	tail -qn1 /tmp/crowd*.log | awk -v word="$1" '$1 == word && $2 > most { most = $2 } END { print most + 0 }'
}

# rates: of the last calls
rates() {
	tail -qn1 /tmp/crowd*.log | awk -v seconds=$CALL_SECONDS '
		$1 == "calls" { n += $2; half += $4; if ($6 > worst) worst = $6 }
		END { printf "%.0f Calls per second, median %.0f us, 99 %% at most %.0f us\n",
			     n / seconds, half / NR, worst }'
}

# calls TIMES TEXT: for the first, the second time
calls() {
	peers_say "calls $CALL_SECONDS"
	peers_wait calls "$1" 60
	say "$2: $(rates)"
}

client() {
	local before after pipe pid scrapes

	link_up
	client_start
	pair_wait_server
	peer_ready
	before=$(on_server crowd_memory)
	peers_open
	peers_wait up 1 $UP
	say "$CONNECTIONS connections are up after $(longest up) ms"
	after=$(on_server crowd_memory)
	say "memory of the server: $(((after - before) / CONNECTIONS)) KiB for each, with the device's queues"
	calls 1 "at first"
	scrapes=$(on_server crowd_scrapes) || fail "no scrapes: $scrapes"
	say "scrapes: $scrapes"
	peers_say return
	on_server server_restart
	peers_wait returned 1 $((2 * UP))
	say "all are back after $(longest returned) ms"
	calls 2 "after the restart"
	for pipe in "${PIPES[@]}"; do
		exec {pipe}>&-
	done
	for pid in "${PIDS[@]}"; do
		wait "$pid" || fail "a peer found something wrong: $(peers_failed)"
	done
	on_server crowd_gone || fail "connections stay on the server"
	say "all are gone"
	pair_stop
	finish
}

server() {
	link_up
	modules_load
	crowd_server
	pair_serve
	finish
}

"$ROLE"
