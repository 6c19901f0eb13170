#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: public suites find nothing over RDMA that they do not find over TCP: the stressors of stress-ng that use files, and dbench
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml
# timeout: 240
# in-check: yes

# What NFS cannot do fails over both.

. "${GUEST_LIB:?}"

STRESS_SECONDS=${STRESS_SECONDS:-1}
TCP=/mnt/tcp
# Those that use files as a program does; the others stress the kernel of the client.
STRESSORS="access chdir chmod chown copy-file dentry dir dirdeep dirmany fallocate fcntl filename
	flock fpunch fsize fstat getdent hdd iomix link locka lockf open rename symlink sync-file
	touch utime xattr"
# iomix asks for 1 GiB, which the exported file system does not have.
SIZES=(--iomix-bytes 8m)

# stressors_failed DIR LOG: the names of those that do not pass
stressors_failed() {
	local name

	mkdir -p "$1/stress"
	for name in $STRESSORS; do
		limited 60 stress-ng "--$name" 2 "${SIZES[@]}" --verify \
			--timeout "${STRESS_SECONDS}s" --temp-path "$1/stress" >> "$2" 2>&1 ||
			echo "$name"
	done
	rm -rf "$1/stress"
}

# Over TCP only what has failed over RDMA
stressors() {
	local failed worse

	failed=$(stressors_failed "$MNT" /tmp/rdma)
	[ "$(wc -w <<< "$failed")" -le 5 ] || {
		grep -E 'fail:|error:|warn:' /tmp/rdma || true
		fail "these do not pass: ${failed//$'\n'/ }"
	}
	worse=$(STRESSORS=$failed stressors_failed $TCP /tmp/tcp)
	[ "$failed" = "$worse" ] || {
		grep -E 'fail:|error:|warn:' /tmp/rdma || true
		fail "over RDMA these do not pass: ${failed//$'\n'/ }, over TCP: ${worse//$'\n'/ }"
	}
	say "$(wc -w <<< "$STRESSORS") stressors; over neither RDMA nor TCP: ${failed//$'\n'/ }"
}

# As another client, or the NFS client would use the connection that it has
tcp_mount() {
	mkdir -p $TCP
	echo over-tcp > /sys/module/nfs/parameters/nfs4_unique_id
	PORT=2049 nfs_mount_program "$SERVER_ADDR" tcp 4.2 $TCP nosharecache
	grep -q " $TCP nfs4 .*proto=tcp," /proc/mounts || fail "$TCP is not mounted over TCP"
}

link_up
modules_load
server_start
nfs_mount 4.2
tcp_mount
stressors
limited 60 dbench -D "$MNT" -t 8 -S 4 > /tmp/dbench 2>&1 || {
	tail -n 20 /tmp/dbench
	fail "dbench"
}
say "dbench: $(tail -n 1 /tmp/dbench)"
nfs_umount $TCP
nfs_umount
finish
