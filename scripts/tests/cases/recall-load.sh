#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: recalls to 16 clients while 16 streams use the same connections: none is lost or sent twice, correct data (BI-GEN-05, BI-CRED-02, BI-RTX-03)
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# lengths: short full
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 180
# in-check: yes
# lanes[full]: uml umldbg
# timeout[full]: 1500
# in-check[full]: no
# env[full]: RECALLS=10000

# RECALLS=number sets how many; "env[full]" above does so for the full run.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/recall.sh"
. "$GUEST_DIR/recall-load.sh"

RECALLS=${RECALLS:-400}
CLIENTS=16
FILES_AT_ONCE=16
# nfsd remembers recalled files by three bits of 256 for half a minute, and gives
# no delegation on a file with the same hash: more files per second have no effect.
SECONDS_PER_BATCH=4
RECALL_SECONDS=60

recall_all() {
	local batch=0 begin

	while [ "$(recalls_so_far)" -lt "$RECALLS" ]; do
		begin=$SECONDS
		batch=$((batch + 1))
		recall_batch $batch $FILES_AT_ONCE $CLIENTS
		[ -z "$RECALL_LATE" ] || fail "no answer to the recall of $RECALL_LATE"
		recall_batch_remove $batch
		load_running || load_failed
		[ $((batch % 20)) -ne 0 ] || say "$(recalls_so_far) recalls"
		while [ $((SECONDS - begin)) -lt $SECONDS_PER_BATCH ] &&
		      [ "$(recalls_so_far)" -lt "$RECALLS" ]; do
			sleep 0.5
		done
	done
}

check_counts() {
	[ "$RECALLS_SENT" -ge "$RECALLS" ] || fail "only $RECALLS_SENT recalls"
	[ "$RECALLS_DONE" -eq "$RECALLS_SENT" ] || fail "a recall was not answered"
	[ "$RECALLS_SEEN" -eq "$RECALLS_SENT" ] || fail "a recall did not reach its client"
	[ $((RECALLS_LOST + RECALLS_DROPPED + RECALLS_REVOKED)) -eq 0 ] ||
		fail "recalls are lost"
	[ "${RECALL_WORST%.*}" -lt "$(recall_limit 5000)" ] || fail "a recall took too long"
	[ "$RECALLS_TWICE" -eq 0 ] || fail "recalls reached a client twice"
}

link_up
modules_load
NFSD_THREADS=16
recall_server_start
recall_ports $CLIENTS
for ((client = 0; client < CLIENTS; client++)); do
	recall_mount $client
done
within 10 recall_channels_up $CLIENTS || fail "not every client has a callback channel"
recall_watch
load_start $CLIENTS
recall_all
load_finish
recall_report
check_counts
finish
