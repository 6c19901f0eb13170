#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: direct I/O to GPU memory, from a provider whose pages no CPU may touch: data of every size goes by chunks and arrives; mappings are balanced after load, mappings that fail half-way, lost connections and a provider that sleeps or leaves during I/O, also when an RPC hangs, in its own operation, or with a lock that its operation needs; small I/O waits for memory regions; other memory mixed with it is refused
# lanes: uml umldbg
# provider: rxe siw
# every: uml
# guests: 1
# mods: ours
# timeout: 180
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

GPU=/sys/module/test_gpu/parameters
FILE=/sys/kernel/debug/rpcrdma/gpu_memory
STOP=/tmp/stop
LOADS=3
# Small WRITEs at once: more than a connection begins with memory regions
BURST=24
# What nvidia-fs can do: no devices of software
ONLY_PCI=15

gpu() {
	cat "$GPU/$1"
}

gpu_in_use() {
	sed -n 's/^in_use: //p' $FILE
}

# Memory regions that were mapped so far
gpu_regions() {
	sed -n 's/^mapped: //p' $FILE
}

# Mappings end with their RPCs, and an RPC may end a little after its program.
balanced() {
	[ "$(gpu maps)" -eq "$(gpu unmaps)" ] && [ "$(gpu_in_use)" -eq 0 ]
}

must_be_balanced() {
	within 5 balanced ||
		fail "after $1: $(gpu maps) pages mapped, $(gpu unmaps) unmapped, $(gpu_in_use) in use"
	[ "$(gpu wrong)" -eq 0 ] || fail "after $1: $(gpu wrong) calls of the provider are wrong"
}

untouched() {
	must_be_balanced "$1"
	[ "$(gpu touched)" -eq 0 ] || fail "after $1: a CPU has written to $(gpu touched) pages"
	say "$1: $(gpu maps) pages mapped, and unmapped; $(gpu failed) failures; no page touched"
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
	REGIONS_BEFORE=$(gpu_regions)
	LOAD_PIDS=()
	for ((region = 1; region <= LOADS; region++)); do
		"$GUEST_DIR/gpu-io" "$1" "$MNT" "$EXPORT" $region $STOP ${2:+"$2"} \
			> /tmp/load$region &
		LOAD_PIDS+=($!)
	done
}

# Each load has done some transfers, however slow the machine is.
loads_move() {
	[ $(($(gpu_regions) - REGIONS_BEFORE)) -ge $((20 * LOADS)) ]
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
	local regions

	regions=$(gpu_regions)
	gpu_io verify "$MNT" "$EXPORT"
	regions=$(($(gpu_regions) - regions))
	[ $regions -ge "$TRANSFERS" ] || fail "$TRANSFERS transfers and $regions memory regions"
	gpu_io mixed "$MNT"
	untouched "NFS $1"
}

# Not each failure is an error of a program: a transfer of several RPCs may be a short one.
failures_and_moves() {
	[ "$(gpu failed)" -ge 10 ] && loads_move
}

# The pages before the one that fails stay mapped until they are unmapped.
failing_mappings() {
	echo 101 > $GPU/fail_every
	loads_start load errors
	within 30 failures_and_moves || fail "the load does not move, or no mapping fails"
	loads_finish
	echo 0 > $GPU/fail_every
	[ "$ERRORS" -gt 0 ] || fail "no error, and $(gpu failed) mappings failed"
	untouched "failing mappings, $TRANSFERS transfers, $ERRORS errors"
}

provider_sleeps() {
	echo 1000 > $GPU/sleep_us
	gpu_io verify "$MNT" "$EXPORT" 65536
	echo 0 > $GPU/sleep_us
	untouched "a provider that sleeps"
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
	balanced || fail "the provider has left: $(gpu maps) pages mapped, $(gpu unmaps) unmapped"
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

writer_has_eio() {
	grep -q "Errno 5" /tmp/writer || fail "the WRITE failed with: $(cat /tmp/writer)"
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
	# So long the RPC could have ended by itself
	compare 'ms until a provider left while an RPC hung' $(($(now_ms) - begin)) -ge 4900
	balanced || fail "the provider has left, and $(gpu_in_use) mappings are in use"
	log_has "their connections are closed" && log_has "the provider of GPU memory left" ||
		fail "no log line says that connections close"
	fsfreeze -u "$EXPORT"
	! wait $writer || fail "the WRITE did not fail when its provider had left"
	writer_has_eio
	echo 1 > $GPU/registered
	gpu_io verify "$MNT" "$EXPORT" 1024
	untouched "an RPC hung"
}

provider_is_gone() {
	grep -qx "provider: no" $FILE
}

write_must_fail() {
	! limited 20 "$GUEST_DIR/gpu-io" write "$MNT" > /tmp/writer 2>&1 || fail "the WRITE did not fail"
	writer_has_eio
}

# The last reference to the provider is dropped in one of its own operations.
provider_leaves_inside() {
	log_mark
	echo 1 > $GPU/leave_inside
	write_must_fail
	provider_is_gone || fail "the provider has left inside its operation, and $FILE shows it"
	log_has "its provider has left" || fail "no log line says that the provider has left"
	! log_has "still in one of its operations" || fail "it was waited for the operation that it left in"
	! log_has "cannot be unmapped" || fail "regions that were not mapped count as not unmapped"
	must_be_balanced "the provider left inside its operation"
	echo 1 > $GPU/registered
	gpu_io verify "$MNT" "$EXPORT" 1024
	untouched "the provider left inside its operation"
}

question_waits() {
	[ "$(gpu waiting)" -ge 1 ]
}

no_question_waits() {
	[ "$(gpu waiting)" -eq 0 ]
}

# The provider has a lock while it leaves, and its operation waits for that.
provider_leaves_locked() {
	local writer begin

	log_mark
	echo 1 > $GPU/locked
	"$GUEST_DIR/gpu-io" write "$MNT" > /tmp/writer 2>&1 &
	writer=$!
	within 5 question_waits || fail "the provider is not asked"
	begin=$(now_ms)
	echo 0 > $GPU/registered
	say "a provider left in $(($(now_ms) - begin)) ms with a lock that its operation needs"
	log_has "still in one of its operations" || fail "no log line says that an operation has not ended"
	echo 0 > $GPU/locked
	! wait $writer || fail "the WRITE did not fail when its provider had left"
	writer_has_eio
	within 5 no_question_waits || fail "an operation has not ended"
	echo 1 > $GPU/registered
	gpu_io verify "$MNT" "$EXPORT" 1024
	untouched "the provider left with a lock"
}

all_in_use() {
	[ "$(gpu_in_use)" -ge $BURST ]
}

# A small WRITE waits for its memory region before it is queued, as a large one does. The
# file system is frozen, so that no WRITE returns its region.
small_writes_wait() {
	local writer shortages

	: > "$MNT/burst"
	shortages=$(shown client counters/mr_shortages)
	fsfreeze -f "$EXPORT"
	"$GUEST_DIR/gpu-io" burst "$MNT" $BURST > /tmp/burst &
	writer=$!
	within "$(scaled 15)" all_in_use || fail "$(gpu_in_use) of $BURST WRITEs have their regions"
	fsfreeze -u "$EXPORT"
	wait $writer || fail "a WRITE failed"
	shortages=$(($(shown client counters/mr_shortages) - shortages))
	[ "$shortages" -eq 0 ] || fail "$shortages small WRITEs were queued without memory regions"
	untouched "$BURST small WRITEs at once"
}

# It would take the struct device of any device for that of a PCI device.
provider_for_pci_only() {
	insmod "$TESTMOD_DIR/test_gpu.ko" features=$ONLY_PCI
	nfs_mount 3
	write_must_fail
	[ "$(gpu failed)" -eq 0 ] || fail "the provider was asked to map for a device without PCI"
	untouched "a provider for PCI devices only"
	nfs_umount
	rmmod test_gpu
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
provider_sleeps
lost_connections
provider_leaves
nfs_umount
# With NFSv4.1 and later the client would wait 15 s for the slot of the WRITE that failed
nfs_mount 3
provider_leaves_hung
provider_leaves_inside
provider_leaves_locked
small_writes_wait
nfs_umount
rmmod test_gpu
provider_is_gone || fail "$FILE shows a provider"
provider_for_pci_only
finish
