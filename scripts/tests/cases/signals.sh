#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: tasks are killed during I/O, umount -f without a server, umount -l with an open file: all end, nothing is left
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/siw kcsan/rxe
# timeout: 120
# in-check: yes
# Proves V1-MEM-04, V1-MEM-09, V1-RTX-09.

. "${GUEST_LIB:?}"

TASKS=6

# Half of them write, half of them read, until they are killed.
start_tasks() {
	local number task

	tasks=()
	for number in $(seq $TASKS); do
		background dd if=/dev/zero of="$MNT/kill-$number" bs=1M oflag=direct
		background dd if="$MNT/source" of=/dev/null bs=1M iflag=direct,fullblock
	done
	sleep 1
	for task in "${tasks[@]}"; do
		kill -0 "$task" || fail "a task ended by itself"
	done
}

# Disowned, so that bash does not report that they were killed.
background() {
	"$@" status=none count=1000000 &
	tasks+=($!)
	disown
}

tasks_gone() {
	! kill -0 "${tasks[@]}" 2> /dev/null
}

kill_tasks() {
	local name=$1 begin

	begin=$(now_ms)
	kill -9 "${tasks[@]}" 2> /dev/null || true
	promptly "$(scaled 20)" tasks_gone || fail "killed tasks do not end"
	recovery "$name" "$begin"
}

# The mount must still work afterwards.
killed_during_io() {
	nfs_mount "$1"
	start_tasks
	kill_tasks kill
	rm "$MNT"/kill-*
	echo alive > "$MNT/alive"
	[ "$(cat "$EXPORT/alive")" = alive ] || fail "the mount does not work after kills"
	nfs_umount
	say "vers=$1: kill -9 during I/O: ok"
}

killed_without_server() {
	local begin

	nfs_mount "$1"
	start_tasks
	server_stop
	sleep 1
	kill_tasks kill-without-server
	begin=$(now_ms)
	# The first one may only end the RPCs that wait.
	limited 20 umount -f "$MNT" || limited 20 umount -f "$MNT" ||
		fail "vers=$1: umount -f fails twice"
	! mountpoint -q "$MNT" || fail "vers=$1: still mounted after umount -f"
	recovery umount-force "$begin"
	say "vers=$1: umount -f without a server: ok"
	server_threads "$NFSD_THREADS"
	server_listen
	rm -f "$EXPORT"/kill-*
}

lazy_unmount() {
	local begin

	nfs_mount "$1"
	echo before > "$MNT/lazy"
	exec 8<> "$MNT/lazy"
	begin=$(now_ms)
	umount -l "$MNT"
	echo after >&8
	exec 8>&-
	promptly 10 lazy_done || fail "vers=$1: the write after umount -l is lost"
	recovery umount-lazy "$begin"
}

lazy_done() {
	[ "$(cat "$EXPORT/lazy")" = after ]
}

link_up
modules_load
server_start
truncate -s 1T "$EXPORT/source"
in_turns killed_during_io 3 4.2
in_turns killed_without_server 3 4.2
in_turns lazy_unmount 3 4.2
recovery_report
finish
