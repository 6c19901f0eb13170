#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: packets between two guests are delayed, lost and reordered during I/O: the I/O continues, correct data; siw loses no connection
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours
# on-demand: rxe its completer may warn when packets are lost
# every: uml/siw umldbg/siw
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/steady-io.sh"

# One in a hundred, as on a bad cable. rxe counts each packet that is lost or out of
# order as one of its retries until something is acknowledged, so it gives up a good
# connection now and then. Rarely its completer also warns (Documentation/kernel-bugs.rst).
KINDS=("delay 20ms" "loss 1%" "reorder 1% delay 1ms")

wire_is() {
	tc qdisc replace dev "$NET_DEV" root netem "$@" limit 10000
}

disturbed_io() {
	local kind=$1 connects

	connects=$(rdma_counter "$MNT" connects)
	# shellcheck disable=SC2086
	wire_is $kind
	# shellcheck disable=SC2086
	on_server wire_is $kind
	steady_start 2
	steady_count
	steady_goes_on 30
	steady_finish 90
	recovery_is "netem-${kind%% *}" "$(steady_longest)"
	say "$kind: connections lost: $(($(rdma_counter "$MNT" connects) - connects))"
	rm "$MNT"/steady*
}

server() {
	server_start
	pair_serve
	finish
}

client() {
	local kind connects

	client_start
	pair_wait_server
	nfs_mount 4.1
	for kind in "${KINDS[@]}"; do
		every_round disturbed_io "$kind"
	done
	recovery_report
	on_server link_join
	link_join
	connects=$(rdma_counter "$MNT" connects)
	[ "$PROVIDER" = rxe ] || [ "$connects" -eq 1 ] ||
		fail "$connects connections: they do not survive bad packets"
	nfs_umount
	pair_stop
	finish
}

link_up
modules_load
"$ROLE"
