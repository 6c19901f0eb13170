#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the device that a listener is bound to is removed and added again during I/O: the listener returns with it, and the I/O continues, correct data
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/siw kcsan/rxe
# symbols: nfsd_nl_listener_set_doit
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"
. "$GUEST_DIR/steady-io.sh"

# The server tries a new listener every 5 s, the client a new connection every 3 s, and
# sunrpc delays a refused task for 3 s.
SECONDS_TO_RESUME=20
# Longer than the time after which the server would try again
SECONDS_OF_A_TRY=7

# A listener that is back stays: the server tries no other one.
listens_again_once() {
	local lines

	sleep $SECONDS_OF_A_TRY
	lines=$(log_since | grep -c 'svcrdma: listening on .* again' || true)
	compare "lines in the log that the server listens again" "$lines" -eq 1
}

# To one address, so the listener belongs to its device.
listen_on_the_device() {
	server_stop
	"$GUEST_DIR/nfsd-listener" set rdma "$SERVER_ADDR" 20049 tcp "$SERVER_ADDR" 2049
	"$GUEST_DIR/nfsd-listener" threads "$NFSD_THREADS"
	server_end_grace
}

lost_during_io() {
	local version=$1 begin

	nfs_mount "$version"
	steady_start 4
	log_mark
	rdma_link_remove "$(wire_device server)"
	sleep 1
	steady_count
	begin=$(now_ms)
	wire_add server
	steady_recovers listener-lost "$begin" $SECONDS_TO_RESUME
	steady_finish 60
	listens_again_once
	rm "$EXPORT"/steady*
	nfs_umount
}

wire_up
modules_load
server_start
listen_on_the_device
in_turns lost_during_io 4.1
recovery_report
finish
