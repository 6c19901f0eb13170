#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the server and thresholds, invalidation, and peers that leave, are silent, or offer memory that they do not own
# lanes: uml umldbg stock
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg
# timeout: 180
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

TRACING=/sys/kernel/tracing

# An RDMA Write that the device refuses stands in front of the Send of its WR chain, and has
# no completion of its own unless it fails. It is a failed work request, not a disconnect of
# the client's, and nothing that only the keepalive finds out; so is a Send that finds no
# Receive, or one that is too small. Soft-iWARP reports no failed work request: it closes
# the connection.
failures_are_told_so() {
	local failed

	[ "$PROVIDER" = rxe ] || {
		say "left out: failed work requests, which siw does not report"
		return 0
	}
	failed=$(grep -c 'rpcrdma_close: .*cause="work request failed" error=-5' $TRACING/trace) || true
	[ "$failed" -eq 12 ] ||
		fail "of 12 connections $failed are reported as lost by a failed work request"
}

link_up
modules_load
server_start
peer_ready
mountpoint -q $TRACING || mount -t tracefs tracefs $TRACING
echo 1 > $TRACING/events/rpcrdma_core/rpcrdma_close/enable
peer_requester write-bad-memory no-receive receive-too-small
echo 0 > $TRACING/events/rpcrdma_core/rpcrdma_close/enable
failures_are_told_so
peer_requester inline-calls inline-too-long private-data private-data-wrong \
	invalidate invalidate-dead invalidate-read invalidate-nothing invalidate-refused \
	leave-reading leave-writing leave-calling \
	silent-peers crowd errors-repeated
refused_for proc xid reply_too_big write_too_small
finish
