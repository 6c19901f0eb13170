#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: with the in-tree module loaded, make install and the demo print the command that fixes it; then modprobe, a mount and nfsd's listener load our modules; on a kernel without ours, and after make uninstall, the in-tree module loads
# lanes: stock
# provider: rxe
# guests: 1
# mods: none
# strict: it is about which modules are loaded, and the layer loads the RDMA core
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"

nothing_loaded() {
	local name

	for name in $OUR_MODULES; do
		! module_loaded "$name" || fail "$name is loaded already: $1"
	done
}

make_install() {
	say "make install"
	make -s -C "$SRC" install MODULES="$KO_DIR" > /tmp/install 2>&1 || {
		cat /tmp/install
		fail "make install"
	}
	cat /tmp/install
}

# in_updates MODULE...: modprobe would take our file, and it is the one that runs
in_updates() {
	local name file

	for name in "$@"; do
		file=$(modinfo -F filename "$name")
		[[ $file == /lib/modules/*/updates/$name.ko* ]] || fail "$name is $file"
		[ -n "$(modinfo -F srcversion "$name")" ] || fail "$name has no srcversion"
		[ "$(modinfo -F srcversion "$name")" = \
		  "$(modinfo -F srcversion "$KO_DIR/$name.ko")" ] ||
			fail "$file is not what was built"
		[ "$(cat "/sys/module/$name/srcversion")" = "$(modinfo -F srcversion "$name")" ] ||
			fail "the $name that runs is not $file"
		lsmod | grep "^$name " > /dev/null || fail "lsmod does not show $name"
	done
}

# The in-tree module first: it works. make install and the demo, which it blocks, must
# print the command that helps.
install_over_in_tree() {
	modprobe rpcrdma
	module_loaded rpcrdma || fail "the in-tree rpcrdma does not load"
	[[ $(modinfo -F filename rpcrdma) == */kernel/net/sunrpc/* ]] ||
		fail "rpcrdma is not the kernel's own to begin with"
	refused 'FAILED: .*rmmod rpcrdma' bash "$GUEST_DIR/demo.sh"
	make_install
	[ "$(grep -c 'rmmod rpcrdma' /tmp/install)" -eq 1 ] ||
		fail "make install does not print the command that helps in one line"
	rmmod rpcrdma
	nothing_loaded "after the printed command"
}

by_modprobe() {
	modprobe rpcrdma
	in_updates rpcrdma xprtrdma svcrdma
	modprobe -r rpcrdma
	nothing_loaded "after modprobe -r"
	say "modprobe and modprobe -r: ok"
}

# Another version of ours: the printed command unloads all of it.
over_an_older_one() {
	modprobe rpcrdma
	mkdir -p /tmp/newer
	sed 's/srcversion=.\{8\}/srcversion=00000000/' "$KO_DIR/rpcrdma.ko" > /tmp/newer/rpcrdma.ko
	refused 'then: rmmod svcrdma xprtrdma rpcrdma$' "$SRC/scripts/package/install/loaded" /tmp/newer
	rmmod svcrdma xprtrdma rpcrdma
	nothing_loaded "after the command printed for an older version"
}

# The server has no rdma listener, so the mount fails. It has loaded the client.
by_a_mount() {
	mkdir -p "$MNT"
	refused mount.nfs limited 60 mount -t nfs \
		-o "$(nfs_options 4.2 "$1"),retry=0" "$2:/" "$MNT"
	in_updates rpcrdma xprtrdma
	modules_unload
	say "autoload by a mount with proto=$1: ok"
}

by_the_listener() {
	server_listen
	in_updates rpcrdma svcrdma
	say "autoload by nfsd's listener: ok"
}

# svcrdma and rpcrdma stay in use, so that no soft dependency can load anything.
mount_beside_the_listener() {
	rmmod xprtrdma 2> /dev/null || true
	! module_loaded xprtrdma || fail "xprtrdma cannot be unloaded"
	nfs_mount "$1"
	in_updates rpcrdma xprtrdma svcrdma
	random_file /tmp/file 200000
	cp /tmp/file "$MNT/file"
	same_file /tmp/file "$EXPORT/file"
	nfs_umount
	say "vers=$1: autoload beside a listener: ok"
}

# modprobe.d is the same for all kernels, the modules are installed for one.
kernel_without_ours() {
	local updates

	updates=/lib/modules/$(uname -r)/updates
	mv "$updates" /tmp/updates
	depmod
	refused mount.nfs limited 60 mount -t nfs \
		-o "$(nfs_options 4.2 rdma),retry=0" "$SERVER_ADDR:/" "$MNT"
	module_loaded rpcrdma || fail "a mount does not load the in-tree rpcrdma"
	! module_loaded xprtrdma || fail "xprtrdma is still there"
	rmmod rpcrdma
	mv /tmp/updates "$updates"
	depmod
	say "a kernel without our modules: the in-tree one loads"
}

uninstalled() {
	make -s -C "$SRC" uninstall
	[[ $(modinfo -F filename rpcrdma) == */kernel/net/sunrpc/* ]] ||
		fail "after make uninstall rpcrdma is $(modinfo -F filename rpcrdma)"
	modprobe rpcrdma
	module_loaded rpcrdma || fail "the in-tree rpcrdma does not load"
	! module_loaded xprtrdma || fail "xprtrdma is still there"
	rmmod rpcrdma
	say "after make uninstall the in-tree module loads"
}

nothing_loaded "at the start"
link_up
install_over_in_tree
by_modprobe
over_an_older_one
server_file_systems
server_export
server_daemons
server_tune
server_threads "$NFSD_THREADS"
by_a_mount rdma "$SERVER_ADDR"
by_a_mount rdma6 "[$SERVER_ADDR6]"
by_the_listener
for version in 3 4.2; do
	mount_beside_the_listener $version
done
server_stop
no_leftover
modules_unload
kernel_without_ours
uninstalled
finish
