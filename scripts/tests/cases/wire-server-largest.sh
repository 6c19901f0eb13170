#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the raw peer writes and reads the largest payload that the kernel's nfsd takes, 1 MiB or 4 MiB, with the smallest budget for data sinks; registrations and work requests of the server stay in proportion
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# timeout: 90
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

MIB=1048576
COUNTS=/sys/kernel/debug/test_verbs/counts
# For each MiB of payload in one segment. On siw, as on all iWARP, the sink of an RDMA Read
# is registered.
case $PROVIDER in
siw)	REGISTRATIONS=1 READS=1 WRITES=43 ;;
*)	REGISTRATIONS=0 READS=17 WRITES=17 ;;
esac
# Draining a queue pair posts one: that of the scenario, and that of the check behind it
DRAINS=2

posted() {
	awk -v kind="$1" '$1 == kind { print $2 }' $COUNTS
}

# at_most KIND NUMBER: of the kernel; the peer's own requests are not counted
at_most() {
	say "$1: $(posted "$1")"
	[ "$(posted "$1")" -le "$2" ] || fail "more than $2 work requests of the kind $1"
}

# counted SCENARIO RDMA-OPERATION NUMBER REGISTRATIONS: the last two for each MiB
counted() {
	local mibs=$((PEER_PAYLOAD / MIB))

	echo > $COUNTS
	peer_requester "$1"
	[ "$(posted "$2")" -ge 1 ] || fail "no $2 was counted"
	at_most "$2" $(($3 * mibs + DRAINS))
	at_most registration $(($4 * mibs))
	at_most local_inv $(($4 * mibs))
}

# nfsd takes less if the kernel has less
NFSD_PAYLOAD=4194304
PARAMETERS=svcrdma.read_memory=2,svcrdma.read_memory_client=2
link_up
modules_prerequisites
insmod "$TESTMOD_DIR/test_verbs.ko"
modules_load
server_start
PEER_PAYLOAD=$(largest_payload)
export PEER_PAYLOAD
say "the largest payload is $PEER_PAYLOAD bytes"
peer_ready
counted read-largest rdma_read $READS $REGISTRATIONS
counted write-largest rdma_write $WRITES 0
peer_requester read-largest-segments write-largest-segments
finish
