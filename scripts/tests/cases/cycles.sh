#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: 50 mount and unmount cycles and 20 module load and unload cycles leave no RDMA object, module reference or memory behind
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 150
# cpus: 1
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/memory.sh"

# 50 mounts: some to warm up, then three groups that are measured. A leak of one object
# for each mount is found; on a fast machine also one for every fourth mount.
amount WARM_CYCLES 8 4
amount STRETCH 14 4
amount LEAST_LEAK 3 4
amount MODULE_CYCLES 20 6

# mount_cycle NUMBER: the versions in turn
mount_cycle() {
	local version

	version=$(cut -d' ' -f$(($1 % 4 + 1)) <<< "$VERSIONS")
	nfs_mount "$version"
	echo "$1" > "$MNT/cycle"
	[ "$(cat "$EXPORT/cycle")" = "$1" ] || fail "cycle $1: the file differs"
	nfs_umount
}

# mount_cycles COUNT FILE: and write the number of live objects to FILE. The server is
# stopped for that, because it caches its last replies for two minutes.
mount_cycles() {
	local number

	server_again
	for number in $(seq "$1"); do
		mount_cycle "$number"
	done
	within 15 no_connected_qp || fail "a connection stays after the unmount"
	server_stop
	memory_note "$2"
}

mounts_leak_nothing() {
	# Closed TCP connections would live on for a minute.
	sysctl -qw net.ipv4.tcp_max_tw_buckets=0
	mount_cycles "$WARM_CYCLES" /tmp/warm
	mount_cycles "$STRETCH" /tmp/first
	mount_cycles "$STRETCH" /tmp/second
	mount_cycles "$STRETCH" /tmp/third
	say "$((WARM_CYCLES + 3 * STRETCH)) mount cycles"
	if [ -e /sys/kernel/debug/kmemleak ]; then
		say "here kmemleak finds leaks; its own objects would be counted"
		return
	fi
	if [ -n "${STRICT:-}" ]; then
		say "not compared: the layer learns of the RDMA core's Receives one by one"
		return
	fi
	if [ "$(nproc)" -gt 1 ]; then
		say "not compared: each CPU keeps freed memory of its own"
		return
	fi
	! memory_leak "$LEAST_LEAK" /tmp/warm /tmp/first /tmp/second /tmp/third ||
		fail "something leaks with each mount"
}

# The listener is there in half of them, a mount in a quarter.
module_cycles() {
	local number

	for number in $(seq "$MODULE_CYCLES"); do
		modules_load
		case $((number % 4)) in
		1)	server_again && mount_cycle "$number" && server_stop ;;
		3)	server_again && server_stop ;;
		esac
		no_leftover
		modules_unload
		! modules_present || fail "modules stay after cycle $number"
	done
	say "$MODULE_CYCLES module cycles"
}

server_again() {
	server_threads "$NFSD_THREADS"
	server_listen
}

modules_present() {
	module_loaded rpcrdma || module_loaded xprtrdma || module_loaded svcrdma
}

link_up
modules_load
server_start
server_stop
mounts_leak_nothing
modules_unload
module_cycles
finish
