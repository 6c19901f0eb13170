#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: send queues are full: senders wait, and the I/O continues with correct data; when nothing completes any more, nfsd's threads and killed tasks end in time
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml/siw smpdbg/siw kcsan/siw
# timeout: 200
# in-check: yes

# The devices' queues are short (test_smallq), and the link is slow, so that many READs of
# 1 MiB fill the queues. Keepalives are off, so a silent peer is detected by
# the limit of a waiting sender: 30 s for send queue slots, and some time to close the
# connection. The queue pair of rxe gives up earlier, TCP below siw much later.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"
. "$GUEST_DIR/steady-io.sh"

READERS=28
SECONDS_TO_END=35

small_queues() {
	insmod "$TESTMOD_DIR/test_smallq.ko"
	modules_load
	echo 0 > /sys/module/rpcrdma/parameters/keepalive_seconds
}

# Large READs, all at once, until they are killed.
start_readers() {
	local number

	readers=()
	for ((number = 0; number < READERS; number++)); do
		while dd if="$MNT/source" of=/dev/null bs=1M iflag=direct count=64 \
				status=none 2> /dev/null; do :; done &
		readers+=($!)
		disown
	done
}

# The loops first, so that they start no other dd.
end_readers() {
	kill "${readers[@]}" 2> /dev/null || true
	pkill -9 -f "dd if=$MNT/source" || true
}

readers_gone() {
	! pgrep -f "dd if=$MNT/source" > /dev/null
}

waits() {
	connections "$1" count_send_queue_waits | awk '{ n += $1 } END { print n + 0 }'
}

senders_wait() {
	[ "$(waits server)" -gt "${1:-0}" ]
}

full_in_use() {
	nfs_mount 3
	steady_start 3
	start_readers
	within "$(scaled 20)" senders_wait || fail "no sender had to wait"
	steady_finish 90
	end_readers
	within "$(scaled 20)" readers_gone || fail "readers do not end"
	say "send queue waits: client $(waits client), server $(waits server)"
	rm "$EXPORT"/steady*
	nfs_umount
}

# Replies wait without a thread, so that nfsd can serve other clients.
threads_asleep() {
	ps -eo stat,comm | grep -c '^D.* nfsd' || true
}

server_gives_up() {
	! connections server state | grep -q established
}

# Nothing completes on either side while the queues are full.
nothing_completes() {
	local begin

	nfs_mount 3
	start_readers
	within "$(scaled 20)" senders_wait || fail "no sender had to wait"
	begin=$(now_ms)
	wire_mute
	sleep 3
	say "nfsd threads that sleep in the transport: $(threads_asleep) of $NFSD_THREADS"
	[ "$(threads_asleep)" -eq 0 ] || fail "nfsd threads wait for send queue slots"
	promptly "$(scaled $SECONDS_TO_END)" server_gives_up ||
		fail "the server does not give up"
	recovery sendq-full-server "$begin"
	begin=$(now_ms)
	end_readers
	promptly "$(scaled $SECONDS_TO_END)" readers_gone || fail "killed tasks do not end"
	recovery sendq-full-killed "$begin"
	wire_slow
	limited 60 ls -l "$MNT" > /dev/null || fail "the mount does not work any more"
	nfs_umount
}

wire_up
wire_slow
small_queues
server_start
truncate -s 1T "$EXPORT/source"
full_in_use
every_round nothing_completes
recovery_report
umount_all
clients_gone
server_stop
modules_unload
rmmod test_smallq
finish
