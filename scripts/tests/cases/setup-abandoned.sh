#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a client dies while the server's device creates the queue pair of its connection: nothing is left of it, and the next client is accepted
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml/rxe umldbg/siw
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"
. "$GUEST_DIR/setups.sh"

CLIENTS=3

joins() {
	join next && joined next
}

clients_die() {
	local number pids=()

	setups_stall $CLIENTS
	for ((number = 0; number < CLIENTS; number++)); do
		"$PEER" crowd --connections 1 "$SERVER_ADDR" "$PORT" < /dev/null > /tmp/dead.log 2>&1 &
		pids+=($!)
	done
	within 20 setups_stalled $CLIENTS || fail "$(cat $STALL/stalled_qps) queue pairs wait: $(cat /tmp/dead.log)"
	kill -9 "${pids[@]}"
	wait "${pids[@]}" || true
	sleep 1
	setups_stall 0
	within 20 setups_stalled 0 || fail "the device still waits"
}

link_up
insmod "$TESTMOD_DIR/test_stall.ko"
modules_load
server_start
peer_ready
clients_die
within 30 joins || fail "the next client is not accepted: $(cat /tmp/next.log)"
within 20 no_connected_qp || fail "a connection stays"
server_stop
modules_unload
rmmod test_stall
finish
