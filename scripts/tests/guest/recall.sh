# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Delegations and their recall, for cases about the reverse direction.
#
# Several NFS clients run in one guest: each mount has its own port of the server and its
# own client name. So the server sees several clients, each with a connection, a session
# and a callback channel.
#
#   recall_server_start       with the lease time of a server in use
#   recall_ports COUNT        server: listen on so many ports
#   recall_mount NUMBER       client number NUMBER (from 0), with NFSv4.1
#   recall_dir NUMBER         where it is mounted
#   recall_watch              begin to record the recalls of nfsd and the clients
#   recall_report             stop, and set the variables below
#   recall_limit MS           a limit for this machine, below the time after which nfsd sends
#                             a callback again
#
# After recall_report: RECALLS_SENT   recalls that nfsd began
#                      RECALLS_DROPPED   of these, not sent because there was no callback
#                                     channel (nfsd gives up then; 6.1 does not say so, and
#                                     all that were not answered count)
#                      RECALLS_DONE   answered, according to nfsd
#                      RECALLS_SEEN   that reached a client
#                      RECALLS_TWICE  that reached it more than once
#                      RECALLS_LOST   that nfsd still waits for (6.1: always 0)
#                      RECALLS_REVOKED   delegations that nfsd took away
#                      RECALL_MEDIAN, RECALL_WORST   milliseconds until answered
#                      OUTAGES        how often a client was without a channel
#                      OUTAGE_MEDIAN, OUTAGE_WORST   for how many milliseconds

RECALL_TRACE=/sys/kernel/tracing
RECALL_LOG=/tmp/recall-trace
RECALL_EVENTS="nfsd/nfsd_cb_recall nfsd/nfsd_cb_recall_done nfsd/nfsd_stid_revoke
nfs4/nfs4_cb_recall nfs4/nfs4_cb_getattr"
# 6.1 calls the first one otherwise, and lacks the second
RECALL_STATE=nfsd/nfsd_cb_new_state
RECALL_STATE_61=nfsd/nfsd_cb_state
RECALL_END=nfsd/nfsd_cb_destroy

# nfsd waits for the answer to a callback for a tenth of the lease time. After that it
# does not know whether the client received it, and asks for a new session.
RECALL_LEASE=90

recall_server_start() {
	server_file_systems
	server_export
	server_daemons
	server_tune
	echo $RECALL_LEASE > $NFSD/nfsv4leasetime
	server_threads "$NFSD_THREADS"
	server_listen
	# lockd's grace, of nlm_timeout seconds, in which nfsd gives no delegation
	sleep 4
}

# With a longer one a lost callback would pass, if the CPU is not emulated.
recall_limit() {
	local limit most=$((RECALL_LEASE * 100))

	limit=$(scaled "$1")
	[ "$SLOW" = 1 ] || most=$limit
	echo $((limit < most ? limit : most))
}

recall_ports() {
	local number

	for ((number = 1; number < $1; number++)); do
		echo "rdma $((PORT + number))" > "$NFSD/portlist"
	done
}

recall_dir() {
	echo "/mnt/client$1"
}

recall_mount() {
	modprobe -q nfs || true
	echo "client-$1" > /sys/module/nfs/parameters/nfs4_unique_id
	PORT=$((PORT + $1)) nfs_mount "${2:-4.1}" "$(recall_dir "$1")"
}

# All clients have a session and a callback channel.
recall_channels_up() {
	[ "$(server_clients 'callback state' | grep -c '^UP$')" -eq "$1" ]
}

has_event() {
	[ -d "$RECALL_TRACE/events/$1" ]
}

recall_choose_events() {
	if has_event $RECALL_END; then
		RECALL_EVENTS+=" $RECALL_STATE $RECALL_END"
	else
		RECALL_EVENTS+=" $RECALL_STATE_61"
	fi
}

recall_watch() {
	local event

	# For their events, at the end that has no use for one of them too
	modprobe -aq nfsd nfsv4 || true
	mountpoint -q $RECALL_TRACE || mount -t tracefs tracefs $RECALL_TRACE
	echo 4096 > $RECALL_TRACE/buffer_size_kb
	echo mono > $RECALL_TRACE/trace_clock
	: > $RECALL_TRACE/trace
	recall_choose_events
	for event in $RECALL_EVENTS; do
		echo 1 > "$RECALL_TRACE/events/$event/enable"
	done
	cat $RECALL_TRACE/trace_pipe > $RECALL_LOG &
	RECALL_WATCHER=$!
}

# recalls_so_far: that nfsd began
recalls_so_far() {
	grep -c ' nfsd_cb_recall:' $RECALL_LOG || true
}

recall_unwatch() {
	local event

	# The reader is woken by a full page, or after a while.
	sleep 1
	for event in $RECALL_EVENTS; do
		echo 0 > "$RECALL_TRACE/events/$event/enable"
	done
	sleep 1
	kill "$RECALL_WATCHER"
	wait "$RECALL_WATCHER" 2> /dev/null || true
	! grep -q 'LOST.*EVENTS' $RECALL_LOG || fail "the trace has lost events"
}

recall_report() {
	local ends=no

	recall_unwatch
	! has_event $RECALL_END || ends=yes
	/usr/bin/python3 "$GUEST_DIR/recall-count" $RECALL_LOG $ends > /tmp/recall-counts ||
		fail "the trace cannot be read"
	# shellcheck disable=SC1091
	. /tmp/recall-counts
	say "recalls: $(paste -sd' ' /tmp/recall-counts)"
}

# recall_batch NAME FILES CLIENTS: make files, let all clients have delegations on
# them, and open them for writing on the server, which recalls all of these. Files
# whose recall is not answered within RECALL_SECONDS are left in RECALL_LATE; the
# caller removes the others.
recall_batch() {
	local client names pids=

	names=$(seq -f "recall-$1-%g" "$2")
	(cd "$EXPORT" && for name in $names; do echo "$name" > "$name"; done)
	for ((client = 0; client < $3; client++)); do
		(cd "$(recall_dir $client)" && limited 120 cat $names > /dev/null) &
		pids+=" $!"
	done
	for client in $pids; do
		wait "$client" || fail "a client cannot read its files"
	done
	RECALL_LATE=$(cd "$EXPORT" && "$GUEST_DIR/break-leases" \
			"$RECALL_SECONDS" $names) || true
}

recall_batch_remove() {
	(cd "$EXPORT" && rm recall-"$1"-*)
}
