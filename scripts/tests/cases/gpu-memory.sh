#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: direct I/O to GPU memory, from a provider whose pages no CPU may touch: data of every size goes by chunks and arrives; mappings are balanced after load, failing mappings, lost connections and a provider that leaves during I/O, also when an RPC hangs; other memory mixed with it is refused
# lanes: uml umldbg
# provider: rxe siw
# every: uml
# turn: provider
# guests: 1
# mods: ours
# timeout: 120
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

GPU=/sys/module/test_gpu/parameters
FILE=/sys/kernel/debug/rpcrdma/gpu_memory
STOP=/tmp/stop
LOADS=3

gpu() {
	cat "$GPU/$1"
}

gpu_in_use() {
	sed -n 's/^in_use: //p' $FILE
}

# Mappings end with their RPCs, and an RPC may end a little after its program.
balanced() {
	[ "$(gpu maps)" -eq "$(gpu unmaps)" ] && [ "$(gpu_in_use)" -eq 0 ]
}

must_be_balanced() {
	within 5 balanced ||
		fail "after $1: $(gpu maps) mappings, $(gpu unmaps) undone, $(gpu_in_use) in use"
	[ "$(gpu wrong)" -eq 0 ] || fail "after $1: $(gpu wrong) calls of the provider are wrong"
}

untouched() {
	must_be_balanced "$1"
	[ "$(gpu touched)" -eq 0 ] || fail "after $1: a CPU has written to $(gpu touched) pages"
	say "$1: $(gpu maps) mappings, all undone; $(gpu failed) failed; no page touched"
}

# gpu_io MODE ARGUMENT...: sets TRANSFERS and ERRORS
gpu_io() {
	limited 60 "$GUEST_DIR/gpu-io" "$@" > /tmp/gpu-io || fail "gpu-io $1 failed"
	read -r TRANSFERS ERRORS < /tmp/gpu-io
}

# loads_start MODE [WORD]
loads_start() {
	local region

	rm -f $STOP
	MAPS_BEFORE=$(gpu maps)
	LOAD_PIDS=()
	for ((region = 1; region <= LOADS; region++)); do
		"$GUEST_DIR/gpu-io" "$1" "$MNT" "$EXPORT" $region $STOP ${2:+"$2"} \
			> /tmp/load$region &
		LOAD_PIDS+=($!)
	done
}

# Each load has done some transfers, however slow the machine is.
loads_move() {
	[ $(($(gpu maps) - MAPS_BEFORE)) -ge $((20 * LOADS)) ]
}

# Sets TRANSFERS and ERRORS
loads_finish() {
	local pid

	touch $STOP
	for pid in "${LOAD_PIDS[@]}"; do
		wait "$pid" || fail "a load failed"
	done
	read -r TRANSFERS ERRORS < <(awk '{ n += $1; e += $2 } END { print n, e }' /tmp/load*)
	[ "$TRANSFERS" -gt 0 ] || fail "the load has moved nothing"
}

provider_must_be_complete() {
	refused "Operation not supported" insmod "$TESTMOD_DIR/test_gpu.ko" features=1
	insmod "$TESTMOD_DIR/test_gpu.ko"
	refused "busy" bash -c "echo 1 > $GPU/registered"
	grep -qx "provider: yes" $FILE || fail "$FILE shows no provider"
}

every_size() {
	local maps

	maps=$(gpu maps)
	gpu_io verify "$MNT" "$EXPORT"
	[ $(($(gpu maps) - maps)) -ge "$TRANSFERS" ] ||
		fail "$TRANSFERS transfers and $(($(gpu maps) - maps)) mappings"
	gpu_io mixed "$MNT"
	untouched "NFS $1"
}

failing_mappings() {
	echo 7 > $GPU/fail_every
	loads_start load errors
	within 30 loads_move || fail "the load does not move"
	loads_finish
	echo 0 > $GPU/fail_every
	[ "$ERRORS" -gt 0 ] && [ "$(gpu failed)" -gt 0 ] ||
		fail "$ERRORS errors, $(gpu failed) mappings failed"
	untouched "failing mappings, $TRANSFERS transfers, $ERRORS errors"
}

lost_connections() {
	local i

	loads_start load
	for ((i = 0; i < 4; i++)); do
		sleep 0.5
		shown client state > /dev/null
		echo 1 > "$NEWEST/disconnect"
	done
	within 30 loads_move || fail "the load does not move"
	loads_finish
	untouched "lost connections, $TRANSFERS transfers"
}

# Then the shadow pages are ordinary memory.
provider_leaves() {
	loads_start unchecked
	within 30 loads_move || fail "the load does not move"
	refused "in use" rmmod test_gpu
	echo 0 > $GPU/registered
	balanced || fail "the provider has left: $(gpu maps) mappings, $(gpu unmaps) undone"
	loads_finish
	must_be_balanced "the provider has left"
	echo 1 > $GPU/touched
	echo 1 > $GPU/registered
	gpu_io verify "$MNT" "$EXPORT" 1024
	untouched "the provider left during I/O"
}

one_in_use() {
	[ "$(gpu_in_use)" -ge 1 ]
}

# The file system is frozen, so the WRITE has no Reply.
provider_leaves_hung() {
	local writer begin

	: > "$MNT/write"
	fsfreeze -f "$EXPORT"
	log_mark
	"$GUEST_DIR/gpu-io" write "$MNT" > /tmp/writer 2>&1 &
	writer=$!
	within 5 one_in_use || fail "no WRITE hangs"
	begin=$(now_ms)
	echo 0 > $GPU/registered
	say "a provider left in $(($(now_ms) - begin)) ms while an RPC hung"
	balanced || fail "the provider has left, and $(gpu_in_use) mappings are in use"
	log_has "their connections are closed" || fail "no log line says that connections close"
	fsfreeze -u "$EXPORT"
	! wait $writer || fail "the WRITE did not fail when its provider had left"
	grep -q "Errno 5" /tmp/writer || fail "the WRITE failed with: $(cat /tmp/writer)"
	echo 1 > $GPU/registered
	gpu_io verify "$MNT" "$EXPORT" 1024
	untouched "an RPC hung"
}

link_up
modules_load
server_export_on_disk
server_start
provider_must_be_complete
for version in 3 4.2; do
	nfs_mount $version
	every_size $version
	[ $version = 4.2 ] || nfs_umount
done
failing_mappings
lost_connections
provider_leaves
nfs_umount
# With NFSv4.1 and later the client would wait 15 s for the slot of the WRITE that failed
nfs_mount 3
provider_leaves_hung
nfs_umount
rmmod test_gpu
grep -qx "provider: no" $FILE || fail "$FILE shows a provider"
finish
