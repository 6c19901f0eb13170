#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Which RPC-over-RDMA transport runs, the kernel's own or the one of this package.
#
# usage: transport switch      run the one that modprobe would load, if nobody uses the
#                              other one; if somebody does, say what to do
#        transport check       is that the one that runs? Fails with a sentence if not
#        transport initramfs   make those initramfs images anew that have it in them
#
# The package calls it after it was installed and after it was removed.

say() {
	echo "rpcrdma: $*"
}

loaded() {
	[ -d "/sys/module/$1" ]
}

# The source version that runs, and the one that modprobe would load. The kernel's own
# module has none on many distributions.
running() {
	cat /sys/module/rpcrdma/srcversion 2> /dev/null || echo none
}

installed() {
	file=$(modinfo -n rpcrdma 2> /dev/null) || return
	version=$(modinfo -F srcversion "$file") || return
	echo "${version:-none}"
}

in_order() {
	for module in svcrdma xprtrdma rpcrdma; do
		! loaded $module || printf '%s ' $module
	done
}

# Nothing is mounted and nobody listens, in any network namespace.
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

# What is loaded belongs to the machine, not to a tree that an image is made of.
in_chroot() {
	[ "$(stat -Lc %d:%i /)" != "$(stat -Lc %d:%i /proc/1/root/.)" ]
}

load() {
	modprobe rpcrdma || true
	if loaded rpcrdma && [ "$(running)" = "$wanted" ]; then
		say "changed over to $(modinfo -n rpcrdma)"
		return
	fi
	# Its dependencies are still there
	own=$(find "/lib/modules/$(uname -r)/kernel" -name 'rpcrdma.ko*' | head -n 1)
	loaded rpcrdma || [ -z "$own" ] || insmod "$own" || true
	left="the kernel's own transport stays in use"
	loaded rpcrdma || left="no transport is loaded"
	say "$(modinfo -n rpcrdma) cannot be loaded, so $left; dmesg says why (with Secure Boot: enroll the key of DKMS)"
}

change_over() {
	loaded rpcrdma || return 0
	! in_chroot || return 0
	wanted=$(installed) || return 0
	[ "$(running)" != "$wanted" ] || return 0
	cure="rmmod $(in_order)&& modprobe rpcrdma"
	if idle && unload; then
		load
	else
		say "the transport that was loaded before stays in use, because NFS over RDMA is mounted or served; to change over, reboot, or stop nfs-server, unmount what uses proto=rdma, and run: $cure"
	fi
}

check() {
	loaded rpcrdma || return 0
	wanted=$(installed) || {
		say "there is no rpcrdma for kernel $(uname -r), yet one is loaded; reboot"
		return 1
	}
	case $(modinfo -n rpcrdma) in
	*/kernel/net/sunrpc/*)
		say "kernel $(uname -r) uses its own transport, because the package has not been built for it; run: dkms autoinstall -k $(uname -r) && /usr/lib/rpcrdma/transport switch"
		return 1 ;;
	esac
	[ "$(running)" != "$wanted" ] || return 0
	say "another transport runs ($(running)) than is installed ($wanted); run: /usr/lib/rpcrdma/transport switch"
	return 1
}

has_transport() {
	"$1" "$2" 2> /dev/null | grep -q '/rpcrdma\.ko'
}

not_made() {
	say "$1 could not be made anew and still has the old transport in it; make room in /boot, then run: $2"
}

initramfs() {
	if command -v lsinitramfs > /dev/null; then
		for image in /boot/initrd.img-*; do
			[ -d "/lib/modules/${image#/boot/initrd.img-}" ] || continue
			! has_transport lsinitramfs "$image" ||
				update-initramfs -u -k "${image#/boot/initrd.img-}" ||
				not_made "$image" "update-initramfs -u -k ${image#/boot/initrd.img-}"
		done
	elif command -v lsinitrd > /dev/null; then
		for image in /boot/initramfs-*.img; do
			kernel=${image#/boot/initramfs-}
			kernel=${kernel%.img}
			[ -d "/lib/modules/$kernel" ] || continue
			! has_transport lsinitrd "$image" ||
				dracut --force "$image" "$kernel" ||
				not_made "$image" "dracut --force $image $kernel"
		done
	fi
}

case ${1:-} in
switch)		change_over ;;
check)		check ;;
initramfs)	initramfs ;;
*)		echo "usage: transport switch|check|initramfs" >&2; exit 2 ;;
esac
