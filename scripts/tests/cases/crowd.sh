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
. "$GUEST_DIR/crowd.sh"
. "$GUEST_DIR/memory.sh"
. "$GUEST_DIR/prometheus.sh"

CONNECTIONS=${CONNECTIONS:-100}
CROWDS=10
EACH=$((CONNECTIONS / CROWDS))
CALL_SECONDS=10
NAMES=()
# Longest time until all are up, seconds; as long again for the server to end
UP=${UP:-40}

# On the server

server_begin() {
	[ "$MODS" != ours ] || echo 4 > /sys/module/svcrdma/parameters/min_requests
	server_start
}

connections_gone() {
	within "$(scaled "$UP")" no_connected_qp
}

server_memory() {
	memory_quiet
	memory_kernel
}

# The first scrape of an exporter waits until it has read all connections.
server_scrapes() {
	[ "$MODS" = ours ] || { echo "none, in-tree has no metrics"; return 0; }
	exporter_start > /dev/null
	"$GUEST_DIR/scrapes" "$EXPORTER" 20 1 || fail "the exporter does not answer any more"
	kill "$!"
}

# On the client

crowds_open() {
	local i

	for ((i = 0; i < CROWDS; i++)); do
		NAMES+=("crowd$i")
		crowd_start "crowd$i" --connections $EACH "$SERVER_ADDR"
	done
}

# crowds_say LINE
crowds_say() {
	local name

	for name in "${NAMES[@]}"; do
		crowd_command "$name" "$1"
	done
}

# crowds_expect WORD SECONDS: of all. The end is scaled, so crowd_expect must not do it again
crowds_expect() {
	local name end=$((SECONDS + $(scaled "$2")))

	for name in "${NAMES[@]}"; do
		LONGER=1 SLOW=0 crowd_expect "$name" "$1" $((end > SECONDS ? end - SECONDS : 0))
	done
}

# longest: of the times that the crowds have printed last, ms
longest() {
	tail -qn1 /tmp/crowd*.log | awk '$2 > most { most = $2 } END { print most + 0 }'
}

# rates: of the last calls
rates() {
	tail -qn1 /tmp/crowd*.log | awk -v seconds=$CALL_SECONDS '
		$1 == "calls" { n += $2; half += $4; if ($6 > worst) worst = $6 }
		END { printf "%.0f Calls per second, median %.0f us, 99 %% at most %.0f us\n",
			     n / seconds, half / NR, worst }'
}

# calls TEXT
calls() {
	crowds_say "calls $CALL_SECONDS"
	crowds_expect calls 60
	say "$1: $(rates)"
}

client() {
	local before after scrapes

	link_up
	client_start
	pair_wait_server
	peer_ready
	before=$(on_server server_memory)
	crowds_open
	crowds_expect up $UP
	say "$CONNECTIONS connections are up after $(longest) ms"
	after=$(on_server server_memory)
	say "memory of the server: $(((after - before) / CONNECTIONS)) KiB for each, with the device's queues"
	calls "at first"
	scrapes=$(on_server server_scrapes) || fail "no scrapes: $scrapes"
	say "scrapes: $scrapes"
	crowds_say return
	on_server server_restart
	crowds_expect returned $((2 * UP))
	say "all are back after $(longest) ms"
	calls "after the restart"
	crowd_stop "${NAMES[@]}"
	on_server connections_gone || fail "connections stay on the server"
	say "all are gone"
	pair_stop
	finish
}

server() {
	link_up
	modules_load
	server_begin
	pair_serve
	finish
}

"$ROLE"
