#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: while the server's device creates the queue pair of a connection, the client dies, or the device is removed: the removal waits for the driver and then ends, nothing is left, and the next client is accepted
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml/rxe umldbg/siw
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"
. "$GUEST_DIR/peer.sh"
. "$GUEST_DIR/setups.sh"

# A client whose connection is being set up; sets DOOMED
begin_setup() {
	setups_stall 1
	"$PEER" crowd --connections 1 "$SERVER_ADDR" "$PORT" < /dev/null > /tmp/doomed.log 2>&1 &
	DOOMED=$!
	within 20 setups_stalled 1 || fail "no queue pair waits: $(cat /tmp/doomed.log)"
}

end_setup() {
	setups_stall 0
	within 20 setups_stalled 0 || fail "the device still waits"
}

joins() {
	join next && joined next
}

next_is_accepted() {
	within 30 joins || fail "the next client is not accepted after $1: $(cat /tmp/next.log)"
}

client_dies() {
	begin_setup
	kill -9 $DOOMED
	wait $DOOMED || true
	sleep 1
	end_setup
	next_is_accepted "the death of a client"
	clients_gone
}

device_goes() {
	local device removal

	device=$(wire_device server)
	begin_setup
	limited 60 rdma link delete "$device" &
	removal=$!
	sleep 1
	kill -0 $removal || fail "the device is gone while its driver is at work"
	end_setup
	wait $removal || fail "the removal does not end"
	RDMA_DEVS=${RDMA_DEVS//$device /}
	! wait $DOOMED || fail "a client without a server has an answer"
	wire_add server
	next_is_accepted "the removal of the device"
}

wire_up
insmod "$TESTMOD_DIR/test_stall.ko"
modules_load
server_start
peer_ready
client_dies
device_goes
server_stop
within 20 no_connected_qp || fail "a connection stays"
modules_unload
rmmod test_stall
finish
