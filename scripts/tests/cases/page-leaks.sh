#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: of the pages that READs, WRITEs, long Calls, long Replies, junk of both versions and cut connections have used, none is left when the modules are unloaded
# lanes: uml
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml
# always: uml/rxe
# strict: the layer takes pages of its own for each connection
# timeout: 330
# in-check: yes

# kmemleak does not know single pages, and no slab counts them. So the guest's pages that are
# counted nowhere are counted, after all has been undone. Each operation uses other pages, so
# one that loses a page in nine times shows, or once in a mount or a cut. Something in the guest
# takes or frees about 110 pages at times: what is lost must be lost twice.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/memory.sh"
. "$GUEST_DIR/peer.sh"

OPERATIONS=${OPERATIONS:-400}
MOST_PAGES=40
MOUNTS=50
CUTS=48
PIECE=65536
KINDS="write read sync small replies acls mounts cuts junk junk2"

fresh() {
	limited 60 "$GUEST_DIR/fresh-pages" "$@"
}

# cut_while COMMAND...: it ends well in spite of that. Without a connection nothing is cut.
cut_while() {
	local pid

	"$@" &
	pid=$!
	while [ $cuts -lt $CUTS ] && kill -0 $pid 2> /dev/null; do
		sleep 0.1
		! echo $RANDOM 2> /dev/null > /sys/module/test_cut/parameters/cut || cuts=$((cuts + 1))
	done
	wait $pid || fail "an error with cut connections: $*"
}

# work KIND COUNT
work() {
	local number

	case $1 in
	write)	fresh write "$MNT/file" "$2" $PIECE ;;
	read)	fresh write "$EXPORT/file" "$2" $PIECE
		fresh read "$MNT/file" "$2" $PIECE ;;
	sync)	fresh sync "$MNT/file" "$2" 5000 ;;
	small)	fresh write "$EXPORT/file" "$2" 4096
		fresh read "$MNT/file" "$2" 4096 ;;
	replies)
		for number in $(seq $(($2 / 20))); do
			drop_caches
			"$GUEST_DIR/big-dir" sum "$MNT/many" > /dev/null
		done ;;
	acls)	: > "$EXPORT/file"
		fresh acls "$MNT/file" "$2" 300 ;;
	# With a Reply chunk each
	mounts)	for number in $(seq $MOUNTS); do
			ls "$MNT/many" > /dev/null
			nfs_umount
			nfs_mount $((3 + number % 2))
		done ;;
	cuts)	insmod "$TESTMOD_DIR/test_cut.ko"
		nfs_umount
		nfs_mount 4.2
		cuts=0
		for ((number = 0; number < CUTS && cuts < CUTS; number++)); do
			cut_while fresh write "$MNT/file" "$2" $PIECE
			cut_while fresh read "$MNT/file" "$2" $PIECE
		done
		[ $cuts -ge $CUTS ] || fail "only $cuts cuts" ;;
	junk)	peer_fuzz "$(fuzz_seeds 1)" 5 ;;
	# In version 2
	junk2)	echo both > /sys/module/svcrdma/parameters/versions
		peer_fuzz2 "$(fuzz_seeds 1)" 5 ;;
	esac
}

# around KIND COUNT: from nothing to nothing
around() {
	modules_load
	server_threads "$NFSD_THREADS"
	server_listen
	nfs_mount 4.2
	work "$1" "$2"
	rm -f "$EXPORT/file"
	umount_all
	within 20 no_connected_qp || fail "$1: a connection stays"
	server_stop
	! module_loaded test_cut || rmmod test_cut
	modules_unload
	memory_quiet
}

# grow KIND: "more" is how many more pages there are afterwards than there ever were. Not within
# a condition: bash would ignore errors in it.
grow() {
	local pages

	around "$1" "$OPERATIONS"
	pages=$(memory_lone_pages)
	say "$1: $pages pages, $((pages - most)) more"
	more=$((pages - most))
	[ $more -le 0 ] || most=$pages
}

leaks_nothing() {
	local kind most more lost=

	around write 20
	most=$(memory_lone_pages)
	for kind in $KINDS; do
		grow "$kind"
		if [ $more -gt $MOST_PAGES ]; then
			grow "$kind"
		fi
		[ $more -le $MOST_PAGES ] || lost+=" $kind:$more"
	done
	[ -z "$lost" ] || fail "of $OPERATIONS operations each, pages are left:$lost"
}

sysctl -qw net.ipv4.tcp_max_tw_buckets=0
link_up
modules_load
server_start
peer_ready
mkdir "$EXPORT/many"
"$GUEST_DIR/big-dir" make "$EXPORT/many" 400
server_stop
modules_unload
leaks_nothing
finish
