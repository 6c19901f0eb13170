#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Chooses between the RPC-over-RDMA transport of the kernel and that of this package.
#
# usage: transport switch      load the one that modprobe chooses, if the loaded one is not
#                              in use; if it is, print what to do
#        transport check       fail with a message if another one is loaded
#        transport initramfs   rebuild the initramfs images that contain a transport
#
# The package calls this after it was installed and after it was removed.

say() {
	echo "rpcrdma: $*"
}

loaded() {
	[ -d "/sys/module/$1" ]
}

# In many distributions the kernel's own module has neither.
versions() {
	echo "${1:-no version}, ${2:-no source version}"
}

of_loaded() {
	versions "$(cat "/sys/module/$1/version" 2> /dev/null)" "$(cat "/sys/module/$1/srcversion" 2> /dev/null)"
}

of_file() {
	versions "$(modinfo -F version "$1")" "$(modinfo -F srcversion "$1")"
}

in_order() {
	for module in svcrdma xprtrdma rpcrdma; do
		! loaded $module || printf '%s ' $module
	done
}

# Each loaded module is the one that modprobe would load. The source version alone does not
# tell: it leaves out headers of other directories, such as include/rpcrdma.
current() {
	for module in $(in_order); do
		file=$(modinfo -n "$module" 2> /dev/null) || return 1
		runs=$(of_loaded "$module")
		installed=$(of_file "$file")
		[ "$runs" = "$installed" ] || return 1
	done
}

# There is no mount and no listener, in any network namespace.
idle() {
	sides=0
	for side in svcrdma xprtrdma; do
		loaded $side || continue
		[ "$(cat /sys/module/$side/refcnt)" -eq 0 ] || return 1
		sides=$((sides + 1))
	done
	[ "$(cat /sys/module/rpcrdma/refcnt)" -eq $sides ]
}

unload() {
	for module in $(in_order); do
		rmmod "$module" || return
	done
}

# The loaded modules belong to the host, not to the root that an image is made from.
in_chroot() {
	[ "$(stat -Lc %d:%i /)" != "$(stat -Lc %d:%i /proc/1/root/.)" ]
}

# A module of this package has a transport for one side, that of the kernel for both.
has_transport_loaded() {
	case $(modinfo -n rpcrdma) in
	*/kernel/net/sunrpc/*)	loaded rpcrdma ;;
	*)			loaded xprtrdma || loaded svcrdma ;;
	esac
}

# DKMS may have moved it there.
kernels_own() {
	find "/lib/modules/$(uname -r)/kernel" "/var/lib/dkms/rpcrdma/original_module/$(uname -r)" \
		-name 'rpcrdma.ko*' ! -name '*.origin' 2> /dev/null | head -n 1
}

load() {
	modprobe rpcrdma || true
	if has_transport_loaded && current; then
		say "changed over to $(modinfo -n rpcrdma)"
		return
	fi
	# The core alone is of no use. The dependencies of the kernel's own are still loaded.
	has_transport_loaded || unload || true
	own=$(kernels_own)
	loaded rpcrdma || [ -z "$own" ] || insmod "$own" || true
	left="the kernel's own transport stays in use"
	loaded rpcrdma || left="no transport is loaded"
	say "$(modinfo -n rpcrdma) cannot be loaded, so $left; dmesg says why (with Secure Boot: enroll the key of DKMS)"
}

change_over() {
	loaded rpcrdma || return 0
	! in_chroot || return 0
	modinfo -n rpcrdma > /dev/null 2>&1 || return 0
	! current || return 0
	command="rmmod $(in_order)&& modprobe rpcrdma"
	if idle && unload; then
		load
	else
		say "the transport that was loaded before stays in use, because NFS over RDMA is mounted or served; to change over, reboot, or stop nfs-server, unmount what uses proto=rdma, and run: $command"
	fi
}

# The command that gets modules for the running kernel
build_command() {
	if [ -e /etc/depmod.d/kmod-rpcrdma.conf ]; then
		echo "dnf install kmod-rpcrdma-FOR-THIS-KERNEL.rpm"
	else
		echo "dkms autoinstall -k $(uname -r)"
	fi
}

check() {
	loaded rpcrdma || return 0
	modinfo -n rpcrdma > /dev/null 2>&1 || {
		say "rpcrdma is loaded, but there is no such module for kernel $(uname -r); reboot"
		return 1
	}
	case $(modinfo -n rpcrdma) in
	*/kernel/net/sunrpc/*)
		say "kernel $(uname -r) uses its own transport, because the package has not been built for it (rpcrdmactl doctor says whether it can be); run: $(build_command) && /usr/lib/rpcrdma/transport switch"
		return 1 ;;
	esac
	! current || return 0
	say "the loaded $module ($runs) is not the installed one ($installed); run: /usr/lib/rpcrdma/transport switch"
	return 1
}

has_transport() {
	"$1" "$2" 2> /dev/null | grep -q '/rpcrdma\.ko'
}

not_rebuilt() {
	say "$1 could not be rebuilt and still contains the old transport; free some space in /boot, then run: $2"
}

initramfs() {
	if command -v lsinitramfs > /dev/null; then
		for image in /boot/initrd.img-*; do
			[ -d "/lib/modules/${image#/boot/initrd.img-}" ] || continue
			! has_transport lsinitramfs "$image" ||
				update-initramfs -u -k "${image#/boot/initrd.img-}" ||
				not_rebuilt "$image" "update-initramfs -u -k ${image#/boot/initrd.img-}"
		done
	elif command -v lsinitrd > /dev/null; then
		for image in /boot/initramfs-*.img; do
			kernel=${image#/boot/initramfs-}
			kernel=${kernel%.img}
			[ -d "/lib/modules/$kernel" ] || continue
			! has_transport lsinitrd "$image" ||
				dracut --force "$image" "$kernel" ||
				not_rebuilt "$image" "dracut --force $image $kernel"
		done
	fi
}

case ${1:-} in
switch)		change_over ;;
check)		check ;;
initramfs)	initramfs ;;
*)		echo "usage: transport switch|check|initramfs" >&2; exit 2 ;;
esac
