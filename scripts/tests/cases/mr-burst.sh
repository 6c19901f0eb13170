#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a burst of large Calls that finds a small pool of memory regions, on a device that makes regions slowly, delays no Call that needs none, or only a small one
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

CALLS=40
# Time to make one region, and what no small Call may wait: some regions, not all of them
DELAY_US=$(scaled 20000)
WORST_MS=$(scaled 400)
# The last region is made long before that
SECONDS_OF_BURST=$(scaled 3)

VERBS=/sys/module/test_verbs/parameters/mr_delay_us

regions_used() {
	[ "$(shown client mrs_used)" -ge $CALLS ]
}

# Replies of 1 MiB need regions too, and each READ waits for its own before it is queued.
reads_wait_too() {
	local shortages

	shortages=$(shown client counters/mr_shortages)
	echo $DELAY_US > $VERBS
	"$GUEST_DIR/burst" read "$MNT/file" $CALLS 1 > /tmp/burst || fail "a READ failed"
	echo 0 > $VERBS
	shortages=$(($(shown client counters/mr_shortages) - shortages))
	compare 'READs that were queued without memory regions' "$shortages" -eq 0
}

burst_said() {
	[ -s /tmp/burst ]
}

# The frozen file system keeps all WRITEs, and their regions, until it is thawed.
writes_wait_alone() {
	local calls worst burst shortages

	shortages=$(shown client counters/mr_shortages)
	echo $DELAY_US > $VERBS
	fsfreeze -f "$EXPORT"
	: > /tmp/burst
	"$GUEST_DIR/burst" write "$MNT/file" $CALLS $SECONDS_OF_BURST > /tmp/burst &
	burst=$!
	within "$(scaled 15)" burst_said || fail "small Calls do not end"
	within "$(scaled 15)" regions_used || fail "the burst needs too few regions: $(shown client mrs_used)"
	fsfreeze -u "$EXPORT"
	wait $burst || fail "a WRITE failed"
	echo 0 > $VERBS
	read -r calls worst < /tmp/burst
	shortages=$(($(shown client counters/mr_shortages) - shortages))
	say "$calls small Calls, the longest took $worst ms; $shortages shortages, $(shown client counters/mr_waits) waits, $(shown client mrs) regions"
	[ "$worst" -le $WORST_MS ] || fail "a Call without chunks waited $worst ms for the memory regions of others"
	[ "$shortages" -eq 0 ] || fail "$shortages Calls were queued without memory regions"
	same_file "$EXPORT/file" "$MNT/file"
}

# Long before the last of them is made the READ has its Reply.
SLOWER_US=$((DELAY_US * 10))

most_wait() {
	[ $(($(shown client counters/mr_waits) - waits)) -ge $((CALLS / 2)) ]
}

# WRITEs of 1 MiB wait for large regions. A READ of 16 KiB needs a small one, and some are idle: it is
# not queued behind those WRITEs.
small_one_passes() {
	local waits burst used

	waits=$(shown client counters/mr_waits)
	echo $SLOWER_US > $VERBS
	fsfreeze -f "$EXPORT"
	"$GUEST_DIR/burst" write "$MNT/file" $CALLS 0 > /tmp/burst &
	burst=$!
	within "$(scaled 15)" most_wait || fail "no burst of WRITEs waits for regions"
	dd if="$MNT/file" of=/dev/null bs=16k count=1 iflag=direct status=none
	used=$(shown client mrs_used)
	echo 0 > $VERBS
	fsfreeze -u "$EXPORT"
	wait $burst || fail "a WRITE failed"
	compare 'regions of WRITEs when the READ has its Reply' "$used" -lt $CALLS
}

link_up
insmod "$TESTMOD_DIR/test_verbs.ko"
modules_load
server_export_on_disk
random_file "$EXPORT/file" $((CALLS << 20))
server_start
server_threads $((CALLS + 16))
nfs_mount 3
reads_wait_too
# Again with few regions
nfs_umount
nfs_mount 3
writes_wait_alone
nfs_umount
nfs_mount 3
small_one_passes
finish
