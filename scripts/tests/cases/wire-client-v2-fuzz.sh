#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: version 2: answers to the opening Call and the CONNPROP, and Replies are corrupted in all ways from a fixed seed while soft mounts do I/O; FUZZ_SECONDS and FUZZ_SEED choose a longer run
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 240
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
peer_backend
peer_ready
for FUZZ_SEED in ${FUZZ_SEED:-1 2 3}; do
	export FUZZ_SEED FUZZ_SECONDS=${FUZZ_SECONDS:-5}
	peer_responder2 v2-fuzz
done
finish
