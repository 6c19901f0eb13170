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

guest_up
mount_both 3 600
writers_hang
# The copies come over a new connection while nfsd works on the first ones. For Calls without an
# answer for a while, that connection begins with a NULL Call (first_call.c).
sleep 1
cut_once
connects=$(rdma_counter "$MNT" connects)
log_mark
sleep $HANG
connects=$(($(rdma_counter "$MNT" connects) - connects))
resends=$(log_since | grep -c 'connection lost: no answer in time')
say "$connects new connections in $HANG s, $resends of them to send Calls again"
fsfreeze -u "$EXPORT/hung"
writers_end
compare 'new connections' "$connects" -eq "$resends"
compare 'new connections to send Calls again' "$resends" -eq $RESENDS
guest_finish
