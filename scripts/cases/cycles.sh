#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: 50 mount and unmount cycles and 20 module load and unload cycles leave no RDMA object, module reference or memory behind
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"

amount MOUNT_CYCLES 50 16
amount MODULE_CYCLES 20 6
WARM_CYCLES=10
# Caches fill up by half of this; a connection that leaks is far more.
MOST_KIB_PER_CYCLE=32

# mount_cycle NUMBER: the versions in turn
mount_cycle() {
	local version

	version=$(cut -d' ' -f$(($1 % 4 + 1)) <<< "$VERSIONS")
	nfs_mount "$version"
	echo "$1" > "$MNT/cycle"
	[ "$(cat "$EXPORT/cycle")" = "$1" ] || fail "cycle $1: the file differs"
	nfs_umount
}

# Kernel memory that cannot be reclaimed, in KiB.
kernel_memory() {
	drop_caches
	awk '/^(SUnreclaim|KernelStack|PageTables|Percpu|VmallocUsed):/ { n += $2 }
	     END { print n }' /proc/meminfo
}

mount_cycles() {
	local number before after grown

	for number in $(seq "$MOUNT_CYCLES"); do
		mount_cycle "$number"
		[ "$number" -ne $WARM_CYCLES ] || before=$(settled_memory)
	done
	after=$(settled_memory)
	grown=$((after - before))
	say "$MOUNT_CYCLES mount cycles, kernel memory $before -> $after KiB"
	[ $grown -le $(((MOUNT_CYCLES - WARM_CYCLES) * MOST_KIB_PER_CYCLE)) ] ||
		fail "kernel memory grew by $grown KiB"
}

# Wait for the server's side of the last connection.
settled_memory() {
	within 15 no_connected_qp || fail "a connection stays after the unmount"
	kernel_memory
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
mount_cycles
server_stop
modules_unload
module_cycles
finish
