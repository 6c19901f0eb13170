#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the automounter mounts over RDMA when a program looks, unmounts when no program uses the mount, and the connection goes with the last mount; a server that is away is an error of the program, and no mount is left
# lanes: stock
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

AUTO=/nfs
EXPIRES=4	# seconds
BYTES=3000000

# A key for each version of NFS. Without a listener a mount fails after its few attempts.
automounter_start() {
	local version

	for version in $VERSIONS; do
		echo "$version -fstype=nfs,$(nfs_options "$version" rdma),retry=0 $SERVER_ADDR:$(nfs_path "$version")"
	done > /etc/auto.rdma
	# The server is this machine, and the automounter would only bind its directory.
	echo "$AUTO /etc/auto.rdma --timeout=$EXPIRES nobind" > /etc/auto.master
	[ -e /dev/autofs ] || modprobe autofs4
	mkdir -p $AUTO
	# It tells the kernel its process group, and this guest's first process has none.
	setsid automount --dont-check-daemon --foreground > /tmp/automount 2>&1 &
	AUTOMOUNT=$!
	within 20 mountpoint -q $AUTO || fail "automount does not start: $(cat /tmp/automount)"
}

automounter_stop() {
	kill "$AUTOMOUNT"
	wait "$AUTOMOUNT" || true
	! mountpoint -q $AUTO || fail "the automounter leaves its directory mounted"
}

mounted() {
	grep -q "^[^ ]* $AUTO/$1 nfs" /proc/mounts
}

not_mounted() {
	! mounted "$1"
}

# Readers come at the same time, and there is one mount.
mounts_when_asked() {
	local reader readers=()

	for reader in 1 2 3 4; do
		limited 60 cmp "$AUTO/$1/file" /tmp/file &
		readers+=($!)
	done
	for reader in "${readers[@]}"; do
		wait "$reader" || fail "vers=$1: a reader has other bytes"
	done
	over_rdma "$AUTO/$1"
	[ "$(grep -c "^[^ ]* $AUTO/$1 nfs" /proc/mounts)" -eq 1 ] || fail "vers=$1: mounted more than once"
}

unmounts_when_idle() {
	within 60 not_mounted "$1" || fail "vers=$1: a mount that no program uses stays"
	within 20 no_connected_qp || fail "vers=$1: the connection stays without a mount"
}

# An open file keeps its mount, and with it the connection.
stays_while_open() {
	local connection

	exec 5< "$AUTO/$1/file"
	connection=$(shown client connection)
	sleep $((3 * EXPIRES))
	mounted "$1" || fail "vers=$1: a mount with an open file was taken away"
	[ "$(shown client connection)" = "$connection" ] || fail "vers=$1: the connection was lost"
	cmp /tmp/file - <&5 || fail "vers=$1: an open file is not readable"
	exec 5<&-
}

mounts_again() {
	limited 60 test -r "$AUTO/4.2/file"
}

server_away() {
	local status=0

	server_threads 0
	limited 90 cat "$AUTO/4.2/file" > /tmp/read 2>&1 || status=$?
	[ $status -gt 0 ] || fail "a file of a server that is away was read"
	[ $status -lt 124 ] || fail "a program hangs while the server is away"
	not_mounted 4.2 || fail "a mount of a server that is away is left"
	within 20 no_connected_qp || fail "a connection to a server that is away is left"
	server_threads "$NFSD_THREADS"
	server_listen
}

link_up
modules_load
server_start
random_file "$EXPORT/file" $BYTES
cp "$EXPORT/file" /tmp/file
automounter_start
for version in $VERSIONS; do
	mounts_when_asked "$version"
	unmounts_when_idle "$version"
	say "vers=$version: mounted and unmounted"
done
mounts_when_asked 4.2
stays_while_open 4.2
unmounts_when_idle 4.2
server_away
# The automounter remembers for a while that a mount has failed.
within 90 mounts_again || fail "the server is back, and nothing is mounted"
mounts_when_asked 4.2
automounter_stop
finish
