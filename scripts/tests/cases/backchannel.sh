#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: an NFSv4.1 and a 4.2 client get a delegation, the server recalls it over the reverse direction of the connection, and the client returns it
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# versions: 1 2
# guests: 1
# mods: ours
# every: uml umldbg stock smpdbg/rxe kcsan/siw
# timeout: 90
# in-check: yes
# lanes[v2]: uml umldbg smpdbg kcsan
# every[v2]: uml umldbg smpdbg/siw kcsan/rxe
# Proves at version 2 V2-BRS-02, V2-BRS-08, V2-NEG-15.
# Proves BI-GEN-02, BI-GEN-09, ULB-CB-05.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

# The server tests the callback path when the session begins; a mount does not wait
# for that.
callback_is_up() {
	[ "$(server_clients 'callback state')" = UP ]
}

client_holds_delegation() {
	grep -qs 'type: deleg' "$NFSD"/clients/*/states
}

# A delegation is given on open, unless nfsd remembers a conflict on a file with
# the same hash: try another file then.
get_delegation() {
	attempt=$((attempt + 1))
	FILE=shared-$attempt
	echo content > "$EXPORT/$FILE"
	cat "$MNT/$FILE" > /dev/null
	client_holds_delegation
}

# A local writer breaks the lease: its open waits for the client to return it.
conflicting_open() {
	limited 20 dd if=/dev/zero of="$EXPORT/$FILE" bs=1 count=1 conv=notrunc status=none
}

# The client counts a Reply when it has posted it: the server may have it earlier.
client_has_answered() {
	calls=$(shown client counters/reverse_calls)
	replies=$(shown client counters/reverse_replies)
	[ "$calls" -gt 0 ] && [ "$replies" -eq "$calls" ]
}

recall_works() {
	local version=$1 returns begin

	nfs_mount "$version"
	within "$(scaled 10)" callback_is_up || {
		cat "$NFSD"/clients/*/info
		fail "vers=$version: the callback channel is not up"
	}
	within "$(scaled 10)" get_delegation || fail "vers=$version: no delegation"
	returns=$(op_count "$MNT" DELEGRETURN)
	begin=$SECONDS
	conflicting_open || fail "vers=$version: the recall is not answered"
	[ "$(op_count "$MNT" DELEGRETURN)" -gt "$returns" ] ||
		fail "vers=$version: the client did not return its delegation"
	callback_is_up || fail "vers=$version: the callback channel is down after a recall"
	within "$(scaled 10)" client_has_answered ||
		fail "vers=$version: the client counts $calls reverse Calls and $replies Replies"
	say "vers=$version: recalled after $((SECONDS - begin)) s"
	nfs_umount
}

attempt=0
link_up
modules_load
server_start
for version in 4.1 4.2; do
	recall_works $version
done
finish
