#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# In a clean Debian 12 with systemd: install the package, use it, reboot, use it again,
# remove it, and use the kernel's own transport. scripts/tests/lab/package-guest boots the
# guest. This runs at the end of each boot, one step for each boot. Only /etc/exports is
# edited.
#
# usage: package.sh hardware | step

set -Eeuo pipefail
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C HOME=/root

here=$(cd "$(dirname "$0")" && pwd)
state=/var/lib/package-test
address=192.168.77.1

say() {
	echo "package-test: [$(cut -d' ' -f1 /proc/uptime)] $*"
}

fail() {
	say "FAILED: $*"
	lsmod | grep -E 'rdma|nfs' || true
	journalctl -b --no-pager -n 40 | tail -n 40 || true
	stop
}

stop() {
	sync
	sleep 1
	systemctl poweroff --force
	exit 1
}

within() {
	local end=$((SECONDS + $1))
	shift

	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 1
	done
}

# Prepares what a machine with RDMA hardware has when it boots.
hardware() {
	ip link add net0 type veth peer name net1
	ip link set net1 up
	ip addr add $address/24 dev net0
	ip link set net0 up
	rdma link add rxe0 type rxe netdev net0
}

intree_runs() {
	[ -d /sys/module/rpcrdma ] && [ ! -e /sys/module/rpcrdma/srcversion ] &&
		[ ! -d /sys/module/xprtrdma ]
}

ours_run() {
	local name

	for name in rpcrdma xprtrdma svcrdma; do
		[ -d /sys/module/$name ] || return 1
		[[ $(modinfo -n $name) == */updates/dkms/* ]] || return 1
		[ "$(cat /sys/module/$name/srcversion)" = "$(modinfo -F srcversion $name)" ] ||
			return 1
	done
}

# works WHO: mount over RDMA, copy data, check that it used RDMA
works() {
	mkdir -p /mnt
	timeout 240 mount -t nfs -o proto=rdma,port=20049,vers=4.2 $address:/srv /mnt ||
		fail "$1: mount"
	dd if=/dev/urandom of=/root/data bs=64k count=16 status=none
	cp /root/data /mnt/data
	echo 3 > /proc/sys/vm/drop_caches
	cmp /root/data /mnt/data || fail "$1: other data"
	cmp /root/data /srv/data || fail "$1: the server has other data"
	grep -q 'xprt:.rdma' /proc/self/mountstats || fail "$1: not over RDMA"
	say "ok: $1"
}

# The package's messages, for the log and for the tests
package() {
	dpkg "$@" > /root/dpkg.log 2>&1 || { cat /root/dpkg.log; fail "dpkg $*"; }
	grep -E '^rpcrdma:|DKMS|Building|Done' /root/dpkg.log || true
}

# A tarball of DKMS in this place is installed instead of building the modules, which
# takes an emulated processor very long. It was built from this package, for the kernel
# that runs; DKMS would build for a newer one that is installed as well.
prebuilt() {
	local image kernel

	[ -e "$here/rpcrdma.dkms.tar.gz" ] || return 0
	mkdir -p /usr/share/rpcrdma-dkms
	cp "$here/rpcrdma.dkms.tar.gz" \
		"/usr/share/rpcrdma-dkms/rpcrdma-$(dpkg-deb -f "$here/package.deb" Version).dkms.tar.gz"
	for image in /boot/vmlinuz-*; do
		kernel=${image#/boot/vmlinuz-}
		[ "$kernel" = "$(uname -r)" ] ||
			rm -rf "$image" "/boot/initrd.img-$kernel" "/lib/modules/$kernel"
	done
}

install_and_use() {
	within 60 intree_runs ||
		fail "rdma-core's boot service has not loaded the kernel's own rpcrdma"
	prebuilt
	package -i "$here/package.deb"
	grep -q '^rpcrdma: changed over to .*/updates/dkms/' /root/dpkg.log ||
		fail "the package does not say that it replaced the transport"
	ours_run || fail "installed, but the loaded modules are not ours"
	echo '/srv *(rw,no_root_squash,no_subtree_check,fsid=1)' >> /etc/exports
	systemctl restart nfs-server || fail "nfs-server"
	grep -q '^rdma 20049' /proc/fs/nfsd/portlist || fail "no rdma listener"
	works "installed, exported, started, mounted"
	rpcrdmactl status || fail "rpcrdmactl status"
	exporter_works
	# The mount stays in use, and the reboot must handle that.
}

# Off until it is enabled, then without root, with the findings of doctor
exporter_works() {
	local user

	[ "$(systemctl is-enabled rpcrdma-exporter)" = disabled ] || fail "the exporter is not off by default"
	! systemctl is-active --quiet rpcrdma-exporter || fail "the exporter runs although it is off"
	systemctl enable --now rpcrdma-exporter || fail "the exporter does not start"
	within 60 scraped 'rpcrdma_connections.*side="client".*state="established".* 1$' ||
		fail "no metrics of the mount"
	scraped 'rpcrdma_mount_info.*mount="/mnt"' || fail "the unit does not see the mount"
	scraped '^rpcrdma_read_memory_limit_bytes' || fail "the unit does not see the budget"
	within 180 scraped '^rpcrdma_doctor_timestamp_seconds' || {
		systemctl status rpcrdma-doctor rpcrdma-doctor.timer
		fail "doctor leaves no findings"
	}
	user=$(ps -o user= -p "$(systemctl show -P MainPID rpcrdma-exporter)")
	[ "$user" != root ] || fail "the exporter runs as root"
	systemctl disable --now rpcrdma-exporter
	! systemctl is-active --quiet rpcrdma-doctor.timer || fail "the timer of doctor stays"
	say "ok: the exporter, as $user"
}

scraped() {
	python3 -c '
import urllib.request
print(urllib.request.urlopen("http://127.0.0.1:20149/metrics", timeout=30).read().decode())' 2> /dev/null |
		grep -E "$1" > /dev/null
}

after_reboot() {
	within 600 systemctl is-active --quiet nfs-server || fail "nfs-server is not active"
	within 600 grep -q '^rdma 20049' /proc/fs/nfsd/portlist || fail "no rdma listener"
	ours_run || fail "after a reboot others run"
	works "after a reboot"
	/usr/lib/rpcrdma/transport check || fail "the check complains"
	[ "$(systemctl show -P Result rpcrdma-check)" = success ] ||
		fail "rpcrdma-check: $(systemctl show -P Result rpcrdma-check)"
}

# Removed while it is in use: one sentence says what to do, and doing it helps.
remove_in_use() {
	local sentence

	package -r rpcrdma-dkms
	sentence=$(grep -E '^rpcrdma: .*stays in use' /root/dpkg.log) ||
		fail "the package does not say that it is still in use"
	[[ $sentence == *"and run: "* ]] || fail "no command is printed: $sentence"
	umount /mnt
	systemctl stop nfs-server
	within 20 bash -c "${sentence##*and run: }" || fail "the printed command does not help"
	intree_runs || fail "after removal others run"
}

remove_idle() {
	package -i "$here/package.deb"
	ours_run || fail "installed again, but others run"
	package -r rpcrdma-dkms
	grep -q '^rpcrdma: changed over to .*/kernel/net/' /root/dpkg.log ||
		fail "removal does not say that it changed over"
	intree_runs || fail "removed, but others run"
	[ ! -e /usr/lib/modprobe.d/rpcrdma.conf ] || fail "modprobe.d is left"
	systemctl start nfs-server || fail "nfs-server with the kernel's own transport"
	works "the kernel's own transport again"
	umount /mnt
}

step() {
	mkdir -p $state
	say "$(uname -r)"
	if [ ! -e $state/installed ]; then
		install_and_use
		touch $state/installed
		sync
		systemctl --no-block reboot
		return
	fi
	after_reboot
	remove_in_use
	remove_idle
	echo "PACKAGE-GUEST-OK"
	sync
	systemctl --no-block poweroff
}

trap 'fail "line $LINENO: $BASH_COMMAND"' ERR
"$1"
