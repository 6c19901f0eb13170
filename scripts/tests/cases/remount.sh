#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: during I/O a mount becomes read-only and writable again, is moved, bound and unmounted lazily: the connection stays as long as a file is open, and goes afterwards
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 90
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

OTHER=/mnt/other
BYTES=3000000

remount() {
	limited 30 mount -o "remount,$1" "$MNT" || fail "remount,$1"
}

# A reader goes on in any case, a writer is refused as long as the mount is read-only.
read_only_and_back() {
	local connection=$1

	dd if="$MNT/file" of=/dev/null bs=64k iflag=direct status=none &
	remount ro
	! touch "$MNT/new" 2> /dev/null || fail "a read-only mount was written to"
	wait $! || fail "a reader was disturbed by the remount"
	remount rw
	touch "$MNT/new" || fail "the mount stays read-only"
	[ "$(shown client connection)" = "$connection" ] || fail "a remount has cost the connection"
}

# Options that nfs cannot change for a mounted file system, the transport among them
keeps_its_transport() {
	! limited 30 mount -o remount,proto=tcp,port=2049 "$MNT" 2> /tmp/refused ||
		over_rdma "$MNT"
	! limited 30 mount -o remount,nconnect=4 "$MNT" 2> /tmp/refused || true
	over_rdma "$MNT"
	drop_caches
	same_file /tmp/file "$MNT/file"
}

moved_and_bound() {
	mkdir -p $OTHER
	mount --bind "$MNT" $OTHER
	same_file /tmp/file $OTHER/file
	nfs_umount
	drop_caches
	same_file /tmp/file $OTHER/file
	mount --bind $OTHER "$MNT"
	nfs_umount $OTHER
	same_file /tmp/file "$MNT/file"
}

# lazy VERSION: the mount cannot be opened any more, but an open file is still usable
lazy() {
	exec 5< "$MNT/file" 6> "$MNT/late"
	umount -l "$MNT"
	drop_caches
	[ "$(b2sum -l 256 <&5)" = "$(file_sum /tmp/file)" ] || fail "vers=$1: an open file is not readable"
	cat /tmp/file >&6
	[ -n "$(connection_dir client)" ] || fail "vers=$1: no connection for the open files"
	exec 5<&- 6>&-
	same_file /tmp/file "$EXPORT/late"
	within 15 no_connected_qp || fail "vers=$1: the connection stays after the last close"
}

link_up
random_file /tmp/file $BYTES
modules_load
server_start
for version in $VERSIONS; do
	nfs_mount "$version"
	cp /tmp/file "$MNT/file"
	sync
	read_only_and_back "$(shown client connection)"
	keeps_its_transport
	moved_and_bound
	lazy "$version"
	rm -f "$EXPORT/file" "$EXPORT/late"
	say "vers=$version: ok"
done
finish
