#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the server survives a long fuzz of transport messages from a new seed or FUZZ_SEED, at version 1 or 2, and its memory use returns to its level (scenarios fuzz-server, fuzz-server-v2)
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# timeout: 1000
# env: FUZZ_SECONDS=600 FUZZ_VERSION=1
# in-check: no

. "${GUEST_LIB:?}"
. "$GUEST_DIR/memory.sh"
. "$GUEST_DIR/peer.sh"

FUZZ_SECONDS=${FUZZ_SECONDS:-600}
FUZZ_SEED=$(fuzz_seeds 1)
FUZZ_VERSION=${FUZZ_VERSION:-1}
# Caches fill up in the first part. A leak for each connection would be far larger.
MOST_KIB=4096
# Something in the guest takes or frees about 110 pages at times.
MOST_PAGES=250

link_up
modules_load
server_start
peer_ready
case $FUZZ_VERSION in
1)	fuzz=peer_fuzz ;;
2)	fuzz=peer_fuzz2
	echo both > /sys/module/svcrdma/parameters/versions ;;
*)	fail "there is no version $FUZZ_VERSION" ;;
esac
$fuzz $((FUZZ_SEED + 1000)) $((FUZZ_SECONDS / 10 + 1))
before=$(peer_server_memory /tmp/before)
$fuzz "$FUZZ_SEED" "$FUZZ_SECONDS"
after=$(peer_server_memory /tmp/after)
lone=$((${after#* } - ${before#* }))
before=${before% *}
after=${after% *}
say "kernel memory $before -> $after KiB, $lone single pages more"
[ $((after - before)) -le $MOST_KIB ] || {
	memory_leak 16 /tmp/before /tmp/after || true
	fail "kernel memory grew by $((after - before)) KiB"
}
compare "single pages that are left" $lone -le $MOST_PAGES
nfs_mount 4.2
echo word > "$MNT/word"
[ "$(cat "$EXPORT/word")" = word ] || fail "the server has another word"
finish
