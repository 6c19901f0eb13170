#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a connection is lost while one of its Calls hangs in nfsd: the server frees the memory of all others, and that of a copy that nfsd drops (V1-SEC-15)
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# memory: 1G
# every: uml umldbg/rxe
# timeout: 120
# in-check: yes

# What waits stays in the share of the client's address, whose new connection needs it, and
# the Call may hang for ever.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"
. "$GUEST_DIR/lost.sh"
. "$GUEST_DIR/memory.sh"

CALLS=8
CALL_KIB=1028

# Of the 257 pages of a copy. Something else in the guest takes or frees about 110 pages at times
MOST_PAGES=120

lose() {
	modules_load
	server_threads $NFSD_THREADS
	server_listen
	echo 64 > /sys/module/svcrdma/parameters/read_memory
	echo 32 > /sys/module/svcrdma/parameters/read_memory_client
	first_hangs lost-calls calls
	step copy
	uses $((CALLS + 1)) "before the loss"
	step loss
	uses 2 "one Call hangs, its copy waits, and the connection of the others is lost"
	# The other thread gets the copy. The duplicate reply cache of nfsd drops it.
	echo 2 > $NFSD/threads
	uses 1 "one Call hangs, and its copy is dropped"
	step end
	fsfreeze -u "$EXPORT"
	wait $PEER_PID || fail "the raw peer found something wrong: $(cat $LOG)"
	uses 0 "all Calls have ended"
	server_stop
	modules_unload
	rm -rf "$PEER_STEPS"
	memory_quiet
}

loses_pages() {
	local before

	before=$(memory_lone_pages)
	lose
	more=$(($(memory_lone_pages) - before))
	say "pages that are left by another round: $more"
	[ $more -gt $MOST_PAGES ]
}

link_up
modules_load
server_export_on_disk
NFSD_THREADS=1
server_start
peer_ready
server_stop
modules_unload
lose
# The strict layer and debug kernels take such pages, too. What is lost must be lost twice: rarely something
# else in the guest takes some hundreds.
if [ -z "${STRICT:-}" ] && [[ $LANE != umldbg* ]]; then
	! loses_pages || ! loses_pages || fail "$more pages are left"
else
	say "left out: pages that are left; the strict layer or the debug kernel takes such pages"
fi
finish
