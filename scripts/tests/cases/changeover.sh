#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: with the files of the package installed, the package replaces the loaded transport when it is not in use, and restores the in-tree one on removal; a transport in use stays, and the printed command that replaces it works
# lanes: stock
# also: stock61
# provider: rxe
# guests: 1
# mods: none
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/installed.sh"

# After removal the package uses its own copy.
kept=/root/transport

package_goes() {
	rm -rf "$PACKAGE_MODULES" $TRANSPORT /usr/lib/modprobe.d/rpcrdma.conf \
		/usr/lib/depmod.d/rpcrdma.conf
	depmod
}

intree_runs() {
	module_loaded rpcrdma && [ ! -e /sys/module/rpcrdma/srcversion ] &&
		! module_loaded xprtrdma && ! module_loaded svcrdma
}

there_when_idle() {
	package_comes
	cp $TRANSPORT $kept
	intree_runs || fail "installing the files changed what runs"
	refused 'is not the installed one' $TRANSPORT check
	says "^rpcrdma: changed over to .*/updates/dkms/rpcrdma\.ko" $TRANSPORT switch
	modules_are_ours || fail "the transport was replaced, but ours do not run"
	silent $TRANSPORT switch
	silent $TRANSPORT check
}

# stays_in_use WHAT: the printed command cannot work yet
stays_in_use() {
	says '^rpcrdma: .*stays in use, .*, and run: rmmod ' $kept switch
	modules_are_ours || fail "$1: ours are gone"
	cure=$(printed_step)
	[ -n "$cure" ] || fail "$1: no command is printed"
}

back_when_in_use() {
	server_of_the_package
	nfs_mount 4.2
	package_goes
	stays_in_use "mounted and served"
	echo works > "$MNT/word"
	[ "$(cat "$EXPORT/word")" = works ] || fail "the mount does not work any more"
	nfs_umount
	stays_in_use "served"
	server_stop
	within 20 bash -c "$cure" || fail "the printed command does not help: $cure"
	intree_runs || fail "after the printed command other modules run"
	refused 'has not been built for it .*; run: dkms autoinstall' $kept check
}

back_when_idle() {
	package_comes
	says 'changed over to .*/updates/dkms/' $TRANSPORT switch
	package_goes
	says 'changed over to .*/kernel/net/sunrpc/' $kept switch
	intree_runs || fail "the package is removed, and the in-tree module does not run"
}

link_up
modprobe rpcrdma
intree_runs || fail "the in-tree rpcrdma does not load"
there_when_idle
back_when_in_use
back_when_idle
silent rmmod rpcrdma
silent $kept switch
! module_loaded rpcrdma || fail "where nothing was loaded, something is loaded now"
finish
