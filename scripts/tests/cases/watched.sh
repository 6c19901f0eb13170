#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: some CPUs read everything that the modules show and write their settings, while on others verified I/O runs and connections are cut: correct data, nothing left
# lanes: umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: umldbg/siw smpdbg/siw kcsan
# timeout: 150
# in-check: yes

# Mainly for kernels that detect data races between CPUs.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/recall.sh"
. "$GUEST_DIR/recall-load.sh"

WATCHED_SECONDS=${WATCHED_SECONDS:-30}
CLIENTS=2
VIEW=/sys/kernel/rpcrdma/connections
PARAMETERS="/sys/module/*rdma/parameters"
STOP=/run/watched-stop

moved_since() {
	[ "$(load_count)" -gt "$1" ]
}

trace_all() {
	local system

	for system in rpcrdma_core xprtrdma svcrdma; do
		echo "$1" > /sys/kernel/tracing/events/$system/enable
	done
}

watchers_gone() {
	local watcher

	for watcher in $watchers; do
		! kill -0 "$watcher" 2> /dev/null || return 1
	done
}

# Both end by themselves, after a last look, and have done their work until then.
watchers_end() {
	local watcher act

	within "$(scaled 60)" watchers_gone || fail "what reads or writes the files hangs"
	for watcher in $watchers; do
		wait "$watcher" || fail "what reads or writes the files has failed"
	done
	for act in read write; do
		say "$(cat /tmp/watched-$act)"
		[ "$(cut -d' ' -f1 /tmp/watched-$act)" -ge "$WATCHED_SECONDS" ] ||
			fail "too little was done: $act"
	done
}

link_up
insmod "$TESTMOD_DIR/test_cut.ko"
modules_load
recall_server_start
recall_ports $CLIENTS
for ((client = 0; client < CLIENTS; client++)); do
	recall_mount $client
done
trace_all 1
load_start $CLIENTS
watchers=
"$GUEST_DIR/over-and-over" read $STOP "$VIEW/**" /sys/kernel/debug/rpcrdma/connections \
	/proc/self/mountstats "/proc/sys/sunrpc/**/*rdma_*" "$PARAMETERS/*" > /tmp/watched-read &
watchers+=" $!"
"$GUEST_DIR/over-and-over" write $STOP "$VIEW/*/*_limit" "$VIEW/*/*_timeout_seconds" \
	"$PARAMETERS/*" > /tmp/watched-write &
watchers+=" $!"
begin=$SECONDS
while [ $((SECONDS - begin)) -lt "$WATCHED_SECONDS" ]; do
	sleep $((RANDOM % 4 + 1))
	echo $RANDOM > /sys/module/test_cut/parameters/cut
	count=$(load_count)
	within "$(scaled 60)" moved_since "$count" || load_stuck "the I/O does not go on"
done
touch $STOP
watchers_end
load_finish
trace_all 0
umount_all
server_stop
within 10 no_connected_qp || fail "a connection stays"
rmmod test_cut
finish
