#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: after OPERATIONS operations the counters of Calls, Replies, messages, doorbells, completions, chunks and memory regions agree on client and server, and those of errors are 0
# lanes: uml umldbg stock
# provider: rxe siw
# lengths: short full
# guests: 1
# mods: ours
# every: uml
# timeout: 200
# in-check: yes
# lanes[full]: uml stock
# timeout[full]: 7200
# in-check[full]: no
# env[full]: OPERATIONS=2200000

# OPERATIONS=number sets how many; "env[full]" above does so for the full run.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

amount OPERATIONS "${OPERATIONS:-20000}" "${OPERATIONS:-4000}"
READERS=4
BLOCK=512

# count SIDE NAME: what has been added since counters_mark
count() {
	echo $(($(shown "$1" "counters/$2") - $(line_of "/tmp/mark/$1/$2")))
}

counters_mark() {
	local side

	mkdir -p /tmp/mark
	for side in client server; do
		shown $side counters > /tmp/mark/$side
	done
	histogram client post_to_completion > /tmp/mark/times
	op_count "$MNT" READ > /tmp/mark/reads
}

# Each operation is a READ of one block that bypasses the page cache.
operations() {
	local i pid pids=() each=$((OPERATIONS / READERS))

	for i in $(seq $READERS); do
		dd if="$MNT/block" of=/dev/null bs=$BLOCK iflag=direct,fullblock count=$each \
			status=none &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		wait "$pid" || fail "a reader failed"
	done
}

# same NAME NUMBER NUMBER
same() {
	[ "$2" -eq "$3" ] || fail "$1: $2 and $3"
}

# Neither side sends, so each message sent has also been received.
counters_are_right() {
	local calls reads

	calls=$(count client calls_inline)
	reads=$(($(op_count "$MNT" READ) - $(cat /tmp/mark/reads)))
	[ "$reads" -ge "$OPERATIONS" ] || fail "$reads READs, not $OPERATIONS"
	[ "$calls" -ge "$OPERATIONS" ] && [ "$calls" -lt $((OPERATIONS + 1000)) ] ||
		fail "$calls Calls for $OPERATIONS operations"
	same 'Sends of the client are Calls' "$(count client sends)" "$calls"
	same 'the server got what the client sent' "$(count server receives)" "$(count client sends)"
	same 'the client got what the server sent' "$(count client receives)" "$(count server sends)"
	same 'Calls' "$(count server calls_inline)" "$calls"
	same 'Replies' "$(count server replies_inline)" "$(count client replies_inline)"
	same 'one Reply for each Call' "$(count client replies_inline)" "$calls"
	same 'doorbells of the client' "$(count client post_sends)" \
		$(($(count client sends) + $(count client keepalives)))
	# On Soft-iWARP every Send is signaled.
	if [ "$PROVIDER" = siw ]; then
		same 'completions' "$(count client completions)" "$(count client post_sends)"
	else
		[ "$(count client completions)" -gt $((calls / 20)) ] &&
			[ "$(count client completions)" -lt "$calls" ] ||
			fail "$(count client completions) completions"
	fi
	same 'times in the histogram' \
		$(($(histogram client post_to_completion) - $(cat /tmp/mark/times))) \
		"$(count client completions)"
	others_are_zero
}

# Counters that this load must leave at 0, on both sides.
others_are_zero() {
	local side name

	for side in client server; do
		for name in connects closes calls_long replies_long read_chunks read_bytes \
			    reply_chunks reply_bytes mr_shortages local_invalidations send_queue_waits \
			    rdma_errors_sent rdma_errors_received messages_dropped \
			    version_fallbacks version_timeouts calls_rebuilt; do
			same "$side $name" "$(count $side $name)" 0
		done
		! shown $side refusals | grep -v ' 0$' || fail "something was refused"
	done
}

# Chunks: what the client offers is what the server writes and reads.
chunks() {
	local times

	counters_mark
	times=$(histogram client registration)
	cp /tmp/file "$MNT/file"
	sync
	drop_caches
	same_file /tmp/file "$MNT/file"
	same 'bytes read' "$(count client read_bytes)" "$(count server read_bytes)"
	same 'bytes of the file' "$(count client read_bytes)" 8000000
	same 'bytes written' "$(count client write_bytes)" "$(count server write_bytes)"
	[ "$(count client write_bytes)" -ge 8000000 ] || fail "$(count client write_bytes) bytes written"
	same 'Read chunks' "$(count client read_chunks)" "$(count server read_chunks)"
	[ "$(count client registrations)" -ge $(($(count client read_chunks) +
		$(count client write_chunks))) ] || fail "$(count client registrations) registrations"
	same 'times of registrations' $(($(histogram client registration) - times)) \
		$(($(count client read_chunks) + $(count client write_chunks) + $(count client reply_chunks)))
	# After a bad Reply the file is still read, page by page.
	same 'bad Replies' "$(rdma_counter "$MNT" bad_replies)" 0
	same 'MRs are given back' "$(count client mrs_recycled)" "$(count client registrations)"
	same 'MRs are invalidated' "$(count client registrations)" \
		$(($(count client remote_invalidations) + $(count client local_invalidations)))
	[ "$(count client remote_invalidations)" -gt 0 ] || fail "the server invalidates nothing"
	same 'Sends with invalidation' "$(count client remote_invalidations)" \
		"$(count server sends_with_invalidate)"
}

# The RDMA Writes into all segments of a Reply and its Send are one chain: one doorbell.
doorbells_of_replies() {
	nfs_umount
	echo 4 > /sys/module/xprtrdma/parameters/mr_pages
	nfs_mount 3
	counters_mark
	same_file /tmp/file "$MNT/file"
	[ "$(count client registrations)" -gt $(($(count server write_chunks) * 2)) ] ||
		fail "$(count client registrations) segments for $(count server write_chunks) Write chunks"
	same 'doorbells of the server' "$(count server post_sends)" "$(count server sends)"
}

# 64 bits: a counter of 32 has wrapped long before, one of six digits is full.
values_are_shown() {
	! shown client counters | grep -vE '^[a-z_]+ [0-9]{1,20}$' || fail "a counter cannot be read"
	mountstats "$MNT" | grep -E '^[[:space:]]*xprt:[[:space:]]*rdma( -?[0-9]+){27}$' > /dev/null ||
		fail "mountstats cannot be read"
}

# file_mode SIDE/NAME: the permissions that Documentation/ABI tells of
file_mode() {
	case $1 in
	*/disconnect)
		echo 200 ;;
	*/credits_limit|client/idle_timeout_seconds|client/connect_timeout_seconds)
		echo 644 ;;
	*)
		echo 444 ;;
	esac
}

# Each file has the mode of Documentation/ABI. Files of one side only are not on the other.
files_are_right() {
	local side dir file name

	for side in client server; do
		dir=$(connection_dir $side)
		for file in "$dir"/*; do
			[ ! -f "$file" ] || same "mode of $side/${file##*/}" \
				"$(stat -c %a "$file")" "$(file_mode "$side/${file##*/}")"
		done
	done
	for name in path_address sunrpc_xprt idle_timeout_seconds connect_timeout_seconds; do
		[ -e "$(connection_dir client)/$name" ] || fail "the client has no $name"
		[ ! -e "$(connection_dir server)/$name" ] || fail "the server has $name"
	done
	[ -e "$(connection_dir server)/rdma_reads_max" ] || fail "the server has no rdma_reads_max"
	[ ! -e "$(connection_dir client)/rdma_reads_max" ] || fail "the client has rdma_reads_max"
}

link_up
random_file /tmp/file 8000000
modules_load
# No message that the load does not cause: no keepalive, and without a session no RPC
# of the NFS client itself.
echo 0 > /sys/module/rpcrdma/parameters/keepalive_seconds
server_start
nfs_mount 3
head -c $BLOCK /tmp/file > "$MNT/block"
truncate -s 1G "$MNT/block"
sync
# What happens only once, happens now.
dd if="$MNT/block" of=/dev/null bs=$BLOCK iflag=direct count=1 status=none
sleep 1
counters_mark
operations
sleep 1
counters_are_right
values_are_shown
files_are_right
say "$(count client calls_inline) Calls counted on both ends"
chunks
doorbells_of_replies
finish
