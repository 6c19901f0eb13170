#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: connections are cut at random moments during recalls to 8 clients and 16 verified streams: callbacks and I/O recover, nothing is lost or left (BI-BUF-08, BI-BUF-09, BI-RTX-02, BI-RTX-05)
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# versions: 1 2
# lengths: short full
# lengths[v2]: short
# guests: 1
# mods: ours
# every: uml/siw umldbg/siw smpdbg/siw kcsan/rxe
# timeout: 180
# in-check: yes
# strict-run: rxe/bnxt_re siw/qedr_iwarp
# lanes[strict]: uml
# lanes[v2]: uml umldbg
# every[v2]: uml/rxe umldbg/rxe
# lanes[full]: uml umldbg
# timeout[full]: 1500
# in-check[full]: no
# env[full]: CUTS=200
# Proves at version 2 V2-NEG-25, V2-NEG-29, V2-RI-12.

# CUTS=number sets how many; "env[full]" above does so for the full run.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/recall.sh"
. "$GUEST_DIR/recall-load.sh"

CUTS=${CUTS:-10}
CLIENTS=8
FILES_AT_ONCE=4
# The timeout of an RPC: nothing may hang for longer. fio checks that for WRITE and READ.
RPC_TIMEOUT=60
# From a cut until all goes on. Nothing may need that timeout for it, so this grows with a slow machine
# only up to it
RECOVERY_SECONDS=$(scaled 15)
[ "$RECOVERY_SECONDS" -lt $RPC_TIMEOUT ] || RECOVERY_SECONDS=$((RPC_TIMEOUT - 2))
# The wait for a recall that nfsd has dropped is shorter.
RECALL_SECONDS=$(scaled 6)
RECALL_STOP=/run/recall-stop
RESCUED=/tmp/rescued

# nfsd 6.12 forgets a recall that it begins while a client has no callback channel,
# and never tries again; a process that opens the file waits forever. So the clients
# return their delegations by themselves, as before any change of attributes.
rescue() {
	local client name pids=

	for name in $RECALL_LATE; do
		echo "$name" >> $RESCUED
		for ((client = 0; client < CLIENTS; client++)); do
			limited $RPC_TIMEOUT chmod 600 "$(recall_dir $client)/$name" &
			pids+=" $!"
		done
	done
	for client in $pids; do
		wait "$client" || fail "a delegation cannot be given back"
	done
}

recall_rounds() {
	local round=0

	while [ ! -e $RECALL_STOP ]; do
		round=$((round + 1))
		recall_batch $round $FILES_AT_ONCE $CLIENTS
		rescue
		recall_batch_remove $round
	done
}

# A queue pair of the client or the server, of any connection, at any moment.
cut() {
	sleep "0.$((RANDOM % 900 + 100))"
	within 10 cut_now || fail "there is no connection to cut"
	CUT_AT=$(date +%s%3N)
}

cut_now() {
	echo $RANDOM > /sys/module/test_cut/parameters/cut
} 2> /dev/null

# An RPC of each client, because the streams may have none in flight.
io_goes_on() {
	local client pids=

	for ((client = 0; client < CLIENTS; client++)); do
		limited $RPC_TIMEOUT stat -f "$(recall_dir $client)" > /dev/null &
		pids+=" $!"
	done
	for client in $pids; do
		wait "$client" || return 1
	done
}

# wait_for NAME COMMAND...: after a cut, and record how long that took
wait_for() {
	local name=$1 took late=no
	shift

	within "$RECOVERY_SECONDS" "$@" || late=yes
	took=$(($(date +%s%3N) - CUT_AT))
	if [ $late = yes ] || [ $took -gt $((RECOVERY_SECONDS * 1000)) ]; then
		server_clients 'callback state'
		fail "no $name, or only $took ms after a cut; the limit is $RECOVERY_SECONDS s"
	fi
	echo $took >> "/tmp/recovery-$name"
}

# report_recovery NAME: from milliseconds, one a line
report_recovery() {
	sort -n "/tmp/recovery-$1" > /tmp/sorted
	say "$CUTS cuts, $1 after: median $(sed -n "$(((CUTS + 1) / 2))p" /tmp/sorted), worst $(tail -n 1 /tmp/sorted) ms"
}

all_cuts() {
	local number

	for ((number = 1; number <= CUTS; number++)); do
		cut
		wait_for io io_goes_on
		wait_for callbacks recall_channels_up $CLIENTS
		load_running || load_failed
		kill -0 $RECALLER 2> /dev/null || fail "the recalls have ended"
		[ $((number % 20)) -ne 0 ] || say "$number cuts, $(recalls_so_far) recalls"
	done
	report_recovery io
	report_recovery callbacks
}

connects() {
	local client sum=0

	for ((client = 0; client < CLIENTS; client++)); do
		sum=$((sum + $(rdma_counter "$(recall_dir $client)" connects)))
	done
	echo $sum
}

# A cut is a new connection at least, unless it hit one that was closing anyway.
check_counts() {
	local rescued

	rescued=$(wc -l < $RESCUED)
	say "connects: $(connects), files rescued from nfsd: $rescued"
	[ "$(connects)" -ge $((CLIENTS + CUTS * 9 / 10)) ] || fail "the cuts had no effect"
	[ "$RECALLS_SENT" -ge "$CUTS" ] || fail "only $RECALLS_SENT recalls"
	[ "$OUTAGES" -ge $((CUTS * 9 / 10)) ] || fail "nfsd has noticed only $OUTAGES cuts"
	[ "$RECALLS_LOST" -eq 0 ] || fail "recalls are lost"
	[ $((rescued + RECALLS_REVOKED)) -le "$RECALLS_DROPPED" ] ||
		fail "recalls have failed that nfsd has not dropped"
}

link_up
insmod "$TESTMOD_DIR/test_cut.ko"
modules_load
NFSD_THREADS=16
recall_server_start
echo $RPC_TIMEOUT > /proc/sys/kernel/hung_task_timeout_secs
recall_ports $CLIENTS
for ((client = 0; client < CLIENTS; client++)); do
	recall_mount $client
done
within 10 recall_channels_up $CLIENTS || fail "not every client has a callback channel"
: > $RESCUED
recall_watch
load_start $CLIENTS
recall_rounds &
RECALLER=$!
all_cuts
touch $RECALL_STOP
wait $RECALLER || fail "the recalls failed"
load_finish
recall_report
check_counts
umount_all
server_stop
within 10 no_connected_qp || fail "a connection stays"
rmmod test_cut
finish
