#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: one export hangs with WRITEs in nfsd: the other export of the same client is answered within a second all the time, also after the connection was cut (NFSv3 and 4.0), and when the first one goes on, its Calls are answered (ULB-KA-05)
# lanes: uml umldbg
# provider: rxe siw
# lengths: short full
# env[full]: HANG=300 TURNS=3-30,3-600,4.0-30,4.0-600,4.1-30,4.1-600,4.2-30,4.2-600
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 150
# timeout[full]: 3600
# in-check: yes
# in-check[full]: no

. "${GUEST_LIB:?}"
. "$GUEST_DIR/hung-export.sh"

# Both exports use one connection: they are one server to the client. After a reconnect nfsd
# says that the callback path is down, and an NFS client with a session begins no Call before
# the earlier ones have ended, over TCP too. So with NFSv4.1 the connection is not cut.
HANG=${HANG:-12}		# seconds
TURNS=${TURNS:-3-30,3-600,4.0-30,4.1-30,4.2-30}	# NFS version, timeo in tenths of a second
MOST_MS=1000
SECONDS_TO_GO_ON=25
# After so many seconds without an answer an NFSv3 Call is sent again, once
DROPPED=180

# goes_on VERSION
goes_on() {
	local begin took

	begin=$(now_ms)
	fsfreeze -u "$EXPORT/hung"
	writers_end
	took=$(($(now_ms) - begin))
	say "vers=$1: the WRITEs are answered $took ms after the export goes on"
	[ $took -lt $((SECONDS_TO_GO_ON * 1000)) ] || [ "$MODS" = intree ] ||
		fail "vers=$1: that is too late"
}

# resends VERSION: connections that are closed for a Call without an answer
resends() {
	echo $((${1%.*} == 3 && HANG > DROPPED))
}

hangs() {
	local version=${1%-*} timeo=${1#*-} worst connects

	mount_both "$version" "$timeo"
	: > "$MNT/healthy"
	connects=$(rdma_counter "$MNT" connects)
	writers_hang
	reader_start
	sleep "$HANG"
	worst=$(reader_worst)
	connects=$(($(rdma_counter "$MNT" connects) - connects))
	say "vers=$version timeo=$timeo: worst answer $worst ms, $connects new connections in $HANG s"
	[ "$MODS" = intree ] || [ "$connects" -eq "$(resends "$version")" ] ||
		fail "vers=$version timeo=$timeo: $connects new connections"
	case $version in
	3|4.0)	cut_once
		sleep 3
		worst=$(reader_worst)
		say "vers=$version timeo=$timeo: worst answer $worst ms after the connection was cut" ;;
	esac
	kill $READER
	goes_on "$version"
	[ "$worst" -lt $MOST_MS ] || [ "$MODS" = intree ] ||
		fail "vers=$version timeo=$timeo: an answer of the healthy export took $worst ms"
	rm "$MNT/healthy"
	nfs_umount $HUNG
	nfs_umount
}

guest_up
for turn in ${TURNS//,/ }; do
	hangs "$turn"
done
guest_finish
