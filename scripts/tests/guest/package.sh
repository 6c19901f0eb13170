#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# In a clean Debian with systemd: install the package, use it, reboot, use it again, upgrade it
# and go back while it is in use, remove it, and use the kernel's own transport.
# scripts/tests/lab/package-guest boots the guest. This runs at the end of each boot, one step
# for each boot. Only /etc/exports is edited.
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

# package ARGUMENT...: of apt-get. The package's messages, for the log and for the tests
package() {
	apt-get -y -o Dpkg::Use-Pty=0 "$@" > /root/apt.log 2>&1 || { cat /root/apt.log; fail "apt-get $*"; }
	grep -E '^rpcrdma:|DKMS|Building|Done' /root/apt.log || true
}

# A tarball of DKMS in this place is installed instead of building the modules, which
# takes an emulated processor very long. It was built from a package, for the kernel
# that runs; DKMS would build for a newer one that is installed as well.
prebuilt() {
	local image kernel

	compgen -G "$here/rpcrdma-*.dkms.tar.gz" > /dev/null || return 0
	mkdir -p /usr/share/rpcrdma-dkms
	cp "$here"/rpcrdma-*.dkms.tar.gz /usr/share/rpcrdma-dkms/
	for image in /boot/vmlinuz-*; do
		kernel=${image#/boot/vmlinuz-}
		[ "$kernel" = "$(uname -r)" ] ||
			rm -rf "$image" "/boot/initrd.img-$kernel" "/lib/modules/$kernel"
	done
}

# An administrator has them in /etc/sysctl.d from before. The modules have them when they are loaded.
settings_written() {
	printf '%s\n' 'sunrpc.svc_rdma.max_requests = 48' 'sunrpc.rdma_max_inline_read = 6144' \
		> /etc/sysctl.d/90-rdma.conf
}

settings_applied() {
	[ "$(sysctl -n sunrpc.svc_rdma.max_requests)" = 48 ] &&
		[ "$(sysctl -n sunrpc.rdma_max_inline_read)" = 6144 ]
}

install_and_use() {
	within 60 intree_runs ||
		fail "rdma-core's boot service has not loaded the kernel's own rpcrdma"
	prebuilt
	settings_written
	package install "$here/package.deb"
	grep -q '^rpcrdma: changed over to .*/updates/dkms/' /root/apt.log ||
		fail "the package does not say that it replaced the transport"
	ours_run || fail "installed, but the loaded modules are not ours"
	within 60 settings_applied || fail "installed, but without the settings of /etc/sysctl.d"
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
	user=$(stat -c %u "/proc/$(systemctl show -P MainPID rpcrdma-exporter)")
	[ "$user" -ne 0 ] || fail "the exporter runs as root"
	systemctl disable --now rpcrdma-exporter
	! systemctl is-active --quiet rpcrdma-doctor.timer || fail "the timer of doctor stays"
	say "ok: the exporter, as user $user"
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
	within 60 settings_applied || fail "after a reboot without the settings of /etc/sysctl.d"
	works "after a reboot"
	/usr/lib/rpcrdma/transport check || fail "the check complains"
	[ "$(systemctl show -P Result rpcrdma-check)" = success ] ||
		fail "rpcrdma-check: $(systemctl show -P Result rpcrdma-check)"
}

# The version of the loaded transport; that of the kernel has none
running() {
	cat /sys/module/rpcrdma/version 2> /dev/null || echo none
}

# Writes and compares until it is told to stop, or finds other data.
io() {
	local rounds=0

	while [ ! -e /root/io-stop ]; do
		dd if=/root/data of=/mnt/io bs=64k oflag=direct conv=notrunc status=none &&
			dd if=/mnt/io bs=64k iflag=direct status=none | cmp - /root/data || exit 1
		rounds=$((rounds + 1))
		echo $rounds > /root/io-rounds.new
		mv /root/io-rounds.new /root/io-rounds
	done
}

io_start() {
	rm -f /root/io-stop /root/io-rounds
	io &
	io=$!
	within 60 test -e /root/io-rounds || fail "no I/O"
}

io_goes_on() {
	kill -0 "$io" 2> /dev/null && [ "$(cat /root/io-rounds)" -gt "$1" ]
}

io_finish() {
	touch /root/io-stop
	wait "$io" || fail "I/O failed, or the data differ"
	say "$(cat /root/io-rounds) rounds of I/O had no error"
}

# change_in_use WHAT ARGUMENT...: of apt-get. It leaves alone what runs; one sentence says what
# to do, and doing it helps.
change_in_use() {
	local what=$1 sentence before
	shift

	io_start
	before=$(running)
	package "$@"
	[ "$(running)" = "$before" ] || fail "$what: other modules run although it was in use"
	sentence=$(grep -E '^rpcrdma: .*stays in use' /root/apt.log) ||
		fail "$what: the package does not say that it is still in use"
	[[ $sentence == *"and run: "* ]] || fail "$what: no command is printed: $sentence"
	within 120 io_goes_on "$(cat /root/io-rounds)" || fail "$what: I/O stops"
	io_finish
	umount /mnt
	systemctl stop nfs-server
	within 20 bash -c "${sentence##*and run: }" || fail "$what: the printed command does not help"
	[ "$(running)" != "$before" ] || fail "$what: the same runs as before"
}

# change_version WHAT FILE ARGUMENT...
change_version() {
	local what=$1 file=$2
	shift

	change_in_use "$what" install "$@"
	ours_run || fail "$what: other modules run"
	[ "$(running)" = "$(dpkg-deb -f "$file" Version)" ] || fail "$what: version $(running) runs"
	systemctl start nfs-server || fail "$what: nfs-server"
	works "$what"
}

remove_in_use() {
	change_in_use removal remove rpcrdma-dkms
	intree_runs || fail "after removal others run"
}

remove_idle() {
	package install "$here/package.deb"
	ours_run || fail "installed again, but others run"
	package remove rpcrdma-dkms
	grep -q '^rpcrdma: changed over to .*/kernel/net/' /root/apt.log ||
		fail "removal does not say that it changed over"
	intree_runs || fail "removed, but others run"
	[ ! -e /usr/lib/modprobe.d/rpcrdma.conf ] || fail "modprobe.d is left"
	[ ! -e /usr/lib/udev/rules.d/60-rpcrdma.rules ] || fail "udev/rules.d is left"
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
	change_version upgrade "$here/newer.deb"
	change_version downgrade "$here/package.deb" --allow-downgrades
	remove_in_use
	remove_idle
	echo "PACKAGE-GUEST-OK"
	sync
	systemctl --no-block poweroff
}

trap 'fail "line $LINENO: $BASH_COMMAND"' ERR
"$1"
