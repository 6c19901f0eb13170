#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the device cannot drain a connection, and its completions come when the queue pair is destroyed: no handler runs any more, and nothing is used after it was freed; the next connection works
# lanes: umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 90
# strict-run: rxe/mlx5 siw/irdma_iwarp
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

UNDRAINED=/sys/module/test_undrained/parameters

both_destroyed() {
	[ "$(cat $UNDRAINED/destroyed)" -ge 2 ]
}

undrained() {
	nfs_mount 4.1
	echo word > "$MNT/word"
	# shellcheck disable=SC2119
	shown client state
	echo 1 > $UNDRAINED/hold
	echo 1 > "$NEWEST/disconnect"
	within 30 both_destroyed || fail "client and server still have the connection"
	# A handler could use what its owner has freed
	compare 'polls for late completions' "$(cat $UNDRAINED/polled)" -eq 0
	# A QP of the client that is not drained could send from memory without MRs
	[ "$(cat $UNDRAINED/registered)" -ge 1 ] || fail "the client's MRs went before its QP"
	limited 30 cat "$MNT/word"
	echo words > "$MNT/word"
	[ "$(cat "$EXPORT/word")" = words ] || fail "the mount does not work"
	rm "$MNT/word"
	nfs_umount
}

link_up
insmod "$TESTMOD_DIR/test_undrained.ko"
modules_load
server_start
undrained
finish
