#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: Replies are corrupted in all ways while soft mounts do I/O, from three seeds that are new each time; FUZZ_SEED repeats one, FUZZ_SECONDS makes it longer
# lanes: uml umldbg smpdbg kcsan
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg smpdbg/siw kcsan/rxe
# timeout: 200
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
peer_backend
peer_ready
# The seed chooses the NFS version too: three in a row have each one
export FUZZ_SECONDS=${FUZZ_SECONDS:-5}
for seed in $(fuzz_seeds 3); do
	fuzz_seed_say "$seed"
	FUZZ_SEED=$seed peer_responder fuzz
done
finish
