#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: NFSv3 WRITEs hang in nfsd for 40 minutes, their copies wait in the transport, and nothing else comes: sunrpc does not take the connection for an idle one
# lanes: uml
# provider: rxe
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 150
# in-check: yes

# On iWARP the pings of the client bring sunrpc something.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/hung-export.sh"

# sunrpc looks every six minutes, and closes what is idle when it looks for the second time. The
# client sends an NFSv3 Call that has no answer over a new connection, after 3 minutes, 6 more, 12
# more and so on.
HANG=2400	# seconds
RESENDS=3

reconnected() {
	[ "$(rdma_counter "$MNT" connects)" -gt "$1" ]
}

# The copies come over a new connection while nfsd works on the first ones. For Calls without an
# answer for a while, that connection begins with a NULL Call (first_call.c).
copies_wait() {
	local connects

	sleep 1
	connects=$(rdma_counter "$MNT" connects)
	echo 0 > /sys/module/test_cut/parameters/cut
	within 20 reconnected "$connects" || fail "no new connection"
}

echo $((HANG + 300)) > /proc/sys/kernel/hung_task_timeout_secs
link_up
insmod "$TESTMOD_DIR/test_cut.ko"
modules_load
random_file /tmp/source $FILE_BYTES
server_file_systems
disk_up
server_start
disk_export
mount_both 3 600
for ((number = 0; number < WRITERS; number++)); do
	: > "$HUNG/file$number"
done
fsfreeze -f "$EXPORT/hung"
writers_start
within 10 threads_blocked || fail "no thread of nfsd works on the WRITEs"
copies_wait
connects=$(rdma_counter "$MNT" connects)
log_mark
sleep $HANG
connects=$(($(rdma_counter "$MNT" connects) - connects))
resends=$(log_since | grep -c 'connection lost: no answer in time')
say "$connects new connections in $HANG s, $resends of them to send Calls again"
fsfreeze -u "$EXPORT/hung"
for ((number = 0; number < WRITERS; number++)); do
	wait "${WRITING[number]}" || fail "a write failed"
	same_file /tmp/source "$EXPORT/hung/file$number"
done
compare 'new connections' "$connects" -eq "$resends"
compare 'new connections to send Calls again' "$resends" -eq $RESENDS
umount_all
clients_gone
server_stop
umount "$EXPORT/hung"
within 10 no_connected_qp || fail "a connection stays"
rmmod test_cut
finish
