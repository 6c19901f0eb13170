# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The initramfs of the QEMU guests: busybox, the modules that reach the host's
# root over 9p unless the kernel has them built in, and an init that hands over to stage1. Sourced by boot-qemu.sh.

initramfs_modules=(virtio_pci virtio_rng virtio_net 9pnet_virtio 9p overlay)

# make_initramfs BASE RELEASE FILE: BASE is the directory above lib/modules
make_initramfs() {
	local base=$1 release=$2 file=$3 tree rc=0

	tree=$(mktemp -d) || return
	fill_initramfs "$base" "$release" "$tree" &&
		(cd "$tree" && find . -print0 | cpio -0 -o -H newc --quiet) > "$file" ||
		rc=1
	rm -rf "$tree"
	return $rc
}

fill_initramfs() {
	local base=$1 release=$2 tree=$3 files module n=10

	mkdir -p "$tree"/{bin,modules,dev,proc,sys,host,layer,mnt} || return
	cp "$(command -v busybox)" "$tree/bin/busybox" || return
	initramfs_init > "$tree/init" || return
	chmod 755 "$tree/init"
	files=$(initramfs_module_files "$base" "$release") || return
	for module in $files; do
		unpack_module "$module" "$tree/modules/$n-$(basename "$module")" || return
		n=$((n + 1))
	done
}

# In load order, each once.
initramfs_module_files() {
	local module

	for module in "${initramfs_modules[@]}"; do
		modprobe -d "$1" -S "$2" --show-depends "$module" || return
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

unpack_module() {
	local to=${2%.xz}

	case $1 in
	*.xz)	xz -dc "$1" > "$to" ;;
	*)	cp "$1" "$to" ;;
	esac
}

initramfs_init() {
	cat <<- 'EOF'
	#!/bin/busybox sh
	# SPDX-License-Identifier: GPL-2.0-only
	/bin/busybox --install -s /bin
	PATH=/bin
	mount -t proc proc /proc
	mount -t sysfs sysfs /sys
	mount -t devtmpfs devtmpfs /dev
	for module in /modules/*; do
		[ -e "$module" ] || break
		insmod "$module" || echo "init: cannot load $module"
	done
	if [ "$GUEST_PROBE" = yes ]; then
		echo PROBE-OK
		sleep 0.3
		poweroff -f
	fi
	options=trans=virtio,version=9p2000.L,msize=262144,cache=loose,ro
	mount -t 9p -o $options host /host || echo "init: no host root"
	mount -t 9p -o $options layer /layer || echo "init: no kernel layer"
	export GUEST_HOST=/host GUEST_LOWER=/layer:/host
	export GUEST_MODULES=/layer/usr/lib/modules
	umount /proc
	exec sh "/host$GUEST_STAGE1"
	EOF
}
