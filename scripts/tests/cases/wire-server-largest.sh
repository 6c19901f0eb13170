#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the raw peer writes and reads the largest payload that the kernel's nfsd takes, 1 MiB or 4 MiB, with the smallest budget for data sinks
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# timeout: 90
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

# nfsd takes less if the kernel has less
NFSD_PAYLOAD=4194304
PARAMETERS=svcrdma.read_memory=2,svcrdma.read_memory_client=2
link_up
modules_load
server_start
PEER_PAYLOAD=$(cat $NFSD/max_block_size)
export PEER_PAYLOAD
say "the largest payload is $PEER_PAYLOAD bytes"
peer_ready
peer_requester read-largest write-largest
finish
