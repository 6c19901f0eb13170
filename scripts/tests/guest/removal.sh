# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Removal of the RDMA device of one side under load, and unloading of the modules
# right after it, for the cases removal-*. Time limits are those that the
# documentation promises.
#
#   removal_rounds SIDE COUNT    SIDE is client or server. Half of them end with the
#                                modules unloaded, unless these are the in-tree ones

REMOVAL_TASKS=4

# The device is removed and added again: the I/O continues with correct data.
removal_comes_back() {
	local side=$1 version=$2 begin

	nfs_mount "$version" "$MNT" "$REMOVAL_OPTIONS"
	steady_start 5
	removal_remove "$side"
	sleep 0.5
	steady_count
	sleep 1
	! steady_moved 1 || fail "data moved without a device"
	begin=$(now_ms)
	wire_add "$side"
	removal_goes_on
	recovery "removal-$side-back" "$begin"
	steady_finish 60
	rm "$EXPORT"/steady*
	nfs_umount
}

removal_remove() {
	local begin

	begin=$(now_ms)
	rdma_link_remove "$(wire_device "$1")"
	recovery "removal-$1" "$begin"
}

# One more WRITE was answered, or all data has been written and read back.
removal_goes_on() {
	promptly "$(scaled 30)" removal_moved || fail "the I/O does not go on"
}

removal_moved() {
	steady_moved 1 || steady_ended
}

# The device is removed and does not return: tasks can be killed, the mount and the module
# can be removed. The mount is soft, because NFS closes its opens and its session over the
# dead transport.
removal_unloads_client() {
	local version=$1 number begin

	nfs_mount "$version" "$MNT" soft,timeo=10,retrans=1
	removal_tasks=()
	for number in $(seq $REMOVAL_TASKS); do
		dd if=/dev/zero of="$MNT/task-$number" bs=256k oflag=direct \
			status=none count=1000000 2> /dev/null &
		removal_tasks+=($!)
		disown
	done
	within 10 removal_flows || fail "the I/O does not begin"
	removal_remove client
	kill -9 "${removal_tasks[@]}" 2> /dev/null || true
	begin=$(now_ms)
	within "$(scaled 20)" removal_tasks_gone || fail "killed tasks do not end"
	limited 20 umount -f "$MNT" || limited 20 umount -l "$MNT"
	within "$(scaled 30)" try_rmmod xprtrdma || fail "xprtrdma stays in use"
	recovery removal-client-unload "$begin"
	rm -f "$EXPORT"/task-*
	insmod "$KO_DIR/xprtrdma.ko"
	wire_add client
}

# The server's module is unloaded after the device is removed, and both return: the client
# does not notice.
removal_unloads_server() {
	local version=$1 begin

	nfs_mount "$version"
	steady_start 5
	removal_remove server
	begin=$(now_ms)
	server_stop
	within "$(scaled 10)" try_rmmod svcrdma || fail "svcrdma stays in use"
	recovery removal-server-unload "$begin"
	insmod "$KO_DIR/svcrdma.ko"
	wire_add server
	server_threads "$NFSD_THREADS"
	server_listen
	steady_count
	removal_goes_on
	steady_finish 60
	rm "$EXPORT"/steady*
	nfs_umount
}

removal_flows() {
	[ "$(op_count "$MNT" WRITE)" -gt 20 ]
}

removal_tasks_gone() {
	! kill -0 "${removal_tasks[@]}" 2> /dev/null
}

removal_rounds() {
	local side=$1 count=$2 round version

	mkdir -p "$MNT"
	REMOVAL_OPTIONS=$(fatal_neterrors "$SERVER_ADDR")
	say "options of the mounts: ${REMOVAL_OPTIONS:-none}"
	for ((round = 1; round <= count; round++)); do
		version=$(cut -d' ' -f$((round / 2 % 4 + 1)) <<< "$VERSIONS")
		if [ $((round % 2)) -eq 1 ]; then
			removal_comes_back "$side" "$version"
		else
			[ "$MODS" != ours ] || removal_unloads_"$side" "$version"
		fi
		[ $((round % 10)) -ne 0 ] || say "$round removals"
	done
	say "$count removals of the $side's device"
	recovery_report
}
