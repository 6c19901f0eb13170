#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: WRITEs hang in nfsd for an hour, and then the connection is lost: their time begins again, so sunrpc does not take them for late once more; they are sent again, and answered
# lanes: uml
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/hung-export.sh"

HANG=3600	# seconds
TIMEO=20	# tenths of a second

late_calls() {
	log_since | grep -c 'nfs: server .* not responding, still trying' || true
}

guest_up
mount_both 4.0 $TIMEO
writers_hang
log_mark
sleep $HANG
late=$(late_calls)
compare 'Calls that are late' "$late" -ge 1
cut_once
sleep 10
compare 'Calls that are late after the connection was lost' "$(late_calls)" -eq "$late"
fsfreeze -u "$EXPORT/hung"
writers_end
guest_finish
