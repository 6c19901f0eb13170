#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: while a file is read a mount becomes read-only and writable again, is moved and bound; later it is unmounted lazily with open files: the connection stays as long as a file is open, and goes afterwards
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

# It ends only by an error, or when it is killed.
reader_start() {
	dd if="$MNT/endless" of=/dev/null bs=64k iflag=direct status=none &
	READER=$!
}

has_read() {
	[ "$(op_count "$1" READ)" -gt "$2" ]
}

# goes_on WHAT DIR: the reader does, with the first connection
goes_on() {
	within "$(scaled 20)" has_read "$2" "$(op_count "$2" READ)" || fail "no READs after $1"
	kill -0 $READER || fail "$1 has ended a reader"
	[ "$(shown client connection)" = "$connection" ] || fail "$1 has cost the connection"
}

reader_end() {
	kill $READER
	! wait $READER || fail "the reader has ended before"
}

# A reader goes on in any case, a writer is refused as long as the mount is read-only.
read_only_and_back() {
	goes_on "the start" "$MNT"
	remount ro
	! touch "$MNT/new" 2> /dev/null || fail "a read-only mount was written to"
	goes_on "the remount" "$MNT"
	remount rw
	touch "$MNT/new" || fail "the mount stays read-only"
	goes_on "the second remount" "$MNT"
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
	mount --move "$MNT" $OTHER
	same_file /tmp/file $OTHER/file
	goes_on "the move" $OTHER
	mount --bind $OTHER "$MNT"
	same_file /tmp/file "$MNT/file"
	goes_on "the bind" $OTHER
	reader_end
	nfs_umount $OTHER
	drop_caches
	same_file /tmp/file "$MNT/file"
}

# lazy VERSION: the mount cannot be opened any more, but an open file is still usable
lazy() {
	exec 5< "$MNT/file" 6> "$MNT/late"
	umount -l "$MNT"
	drop_caches
	[ "$(b2sum -l 256 <&5)" = "$(file_sum /tmp/file)" ] || fail "vers=$1: an open file is not readable"
	cat /tmp/file >&6
	[ "$(shown client connection)" = "$connection" ] ||
		fail "vers=$1: the open files have another connection"
	exec 5<&- 6>&-
	same_file /tmp/file "$EXPORT/late"
	within 15 no_connected_qp || fail "vers=$1: the connection stays after the last close"
}

link_up
random_file /tmp/file $BYTES
modules_load
server_start
truncate -s 1T "$EXPORT/endless"
for version in $VERSIONS; do
	nfs_mount "$version"
	cp /tmp/file "$MNT/file"
	sync
	connection=$(shown client connection)
	reader_start
	read_only_and_back
	keeps_its_transport
	moved_and_bound
	lazy "$version"
	rm -f "$EXPORT/file" "$EXPORT/late"
	say "vers=$version: ok"
done
finish
