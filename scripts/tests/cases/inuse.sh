#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: modules in use by a mount or a listener refuse to unload, and unload when it is gone
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe
# guests: 1
# mods: ours
# timeout: 60
# in-check: yes

. "${GUEST_LIB:?}"

client_module() {
	case $MODS in
	ours)	echo xprtrdma ;;
	*)	echo rpcrdma ;;
	esac
}

server_module() {
	case $MODS in
	ours)	echo svcrdma ;;
	*)	echo rpcrdma ;;
	esac
}

stays() {
	local begin

	begin=$(now_ms)
	refused 'in use' rmmod "$1"
	recovery unload-in-use "$begin"
	module_loaded "$1" || fail "$1 is gone although it was in use"
}

goes() {
	local begin

	begin=$(now_ms)
	modules_unload
	recovery unload-after "$begin"
}

in_use() {
	modules_load
	server_start
	stays "$(server_module)"
	nfs_mount 4.2
	stays "$(client_module)"
	stays rpcrdma
	exec 8> "$MNT/open"
	stays "$(client_module)"
	echo word >&8
	exec 8>&-
	nfs_umount
	stays "$(server_module)"
	server_stop
	goes
}

link_up
every_round in_use
recovery_report
finish
