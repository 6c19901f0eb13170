#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the raw peer sends headers without chunks to the server, and checks every answer
# lanes: uml umldbg stock
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg
# timeout: 90
# in-check: yes
# strict-run: rxe/mlx4 siw/erdma
# lanes[strict]: uml umldbg

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
server_start
peer_ready
peer_requester null xids header-cut header-nothing header-discriminators \
	header-counts header-procedures header-msgp header-done \
	write-immediate header-error-in header-nomsg-empty header-msg-with-p0 \
	header-payload-words header-payload-cut versions versions-opaque \
	versions-short credit-requests credit-all credit-overrun \
	credit-one-receive credit-drops
device_refuses credits || [ "$(cat /proc/sys/sunrpc/svc_rdma/rdma_stat_rq_starve)" -gt 0 ] ||
	fail "the sysctl rdma_stat_rq_starve does not count Calls beyond the grant"
refused_for short vers proc "done" bad_bool list_cut nomsg_empty msg_with_p0 payload_short \
	xid unexpected_error credits msg_type not_send
finish
