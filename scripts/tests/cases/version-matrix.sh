#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a client of version 1, 2 or both, and a server of version 1, 2, both or in-tree: the right version or a clear error, and the cost of falling back
# lanes: uml
# provider: rxe siw
# guests: 2
# peers: ours-ours ours-intree intree-ours
# every: uml/rxe
# timeout: 180
# refused: version not supported
# in-check: yes

. "${GUEST_LIB:?}"

# Proves V2-NEG-01, -05, -09, -13, -21, -23, -28, -29 and -30, V2-SEC-05: what each pair of
# settings leads to, and what a mount does when the server changes.
CLIENTS="1 2 both"
TAKES=/sys/module/xprtrdma/parameters/versions

# expected CLIENT SERVER: the version, or the error that the mount ends with
expected() {
	case $1-$2 in
	1-2)			echo 'remote i/o error' ;;
	2-1|2-intree)		echo 'not supported' ;;
	2-*|both-2|both-both)	echo 2 ;;
	*)			echo 1 ;;
	esac
}

# Microseconds
now() {
	echo "${EPOCHREALTIME/./}"
}

move_data() {
	cp /tmp/data "$MNT/data"
	drop_caches
	same_file /tmp/data "$MNT/data"
	rm "$MNT/data"
}

# runs VERSION FALLBACKS CONNECTS: both sides agree on the version, and the client counts
# fall-backs to it
runs() {
	local fallbacks

	[ "$(connections client version)" = "$1" ] ||
		fail "the client runs version $(connections client version)"
	if [ "$SERVER_MODS" = ours ]; then
		[ "$(on_server connections server version)" = "$1" ] ||
			fail "the server runs another version"
	fi
	fallbacks=$(connections client count_version_fallbacks)
	[ "${fallbacks:-0}" = "$2" ] || fail "$fallbacks fall-backs instead of $2"
	[ "$(rdma_counter "$MNT" connects)" = "$3" ] ||
		fail "$(rdma_counter "$MNT" connects) connections instead of $3"
	# One handle for each READ and WRITE is the server's to invalidate.
	[ "$(connections client count_remote_invalidations)" -gt 0 ] ||
		fail "the server has invalidated nothing"
	case $1 in
	1)	[ -z "$(connections client peer_has_told)" ] ||
			fail "version 1 has no properties" ;;
	2)	[ "$(connections client peer_has_told)" = yes ] ||
			fail "the server has sent no properties"
		[ "$(connections client inline_send)" -ge 4096 ] ||
			fail "messages are small" ;;
	esac
}

# works VERSION CLIENT SERVER: mount, move data, and see which version it was
works() {
	local version=$1 fallbacks=0 begin took cost

	log_mark
	begin=$(now)
	nfs_mount 4.1
	took=$(($(now) - begin))
	move_data
	if [ "$2-$version" = both-1 ]; then
		fallbacks=1
		log_has 'going on with version 1' || fail "a fall-back is not logged"
	fi
	runs "$version" $fallbacks 1
	cost=$(connections client negotiation_microseconds)
	nfs_umount
	say "client $2, server $3: version $version, mounted in $((took / 1000)) ms," \
		"of which negotiation ${cost:-0} us, fall-backs $fallbacks"
}

server_takes() {
	on_server "echo $1 > /sys/module/svcrdma/parameters/versions"
}

# One server, clients of both versions at the same time. A mount keeps the setting that
# it was made with.
both_at_once() {
	local dir versions

	server_takes both
	for versions in 1 2; do
		echo $versions > $TAKES
		nfs_mount $((versions + 2)) "$MNT$versions"
	done
	versions=$(connections client version | paste -sd' ')
	[ "$versions" = "1 2" ] || fail "versions $versions instead of 1 and 2"
	versions=$(on_server connections server version | paste -sd' ')
	[ "$versions" = "1 2" ] || fail "versions $versions at the server"
	for dir in "${MNT}1" "${MNT}2"; do
		cp /tmp/data "$dir/data${dir: -1}"
	done
	drop_caches
	for dir in "${MNT}1" "${MNT}2"; do
		same_file /tmp/data "$dir/data${dir: -1}"
		nfs_umount "$dir"
	done
}

# Version 2 is an expired draft: no end takes it without being told.
defaults() {
	local end

	for end in xprtrdma svcrdma; do
		[ "$(cat /sys/module/$end/parameters/versions)" = 1 ] ||
			fail "$end takes versions $(cat /sys/module/$end/parameters/versions) by default"
	done
}

# A mount survives changes of its server, and is pinned to neither version.
server_changes() {
	local versions fallbacks=1 connects=1

	insmod "$TESTMOD_DIR/test_cut.ko"
	echo both > $TAKES
	server_takes 1
	nfs_mount 4.1
	move_data
	runs 1 $fallbacks $connects
	for versions in both 1 2; do
		server_takes $versions
		echo 0 > /sys/module/test_cut/parameters/cut
		move_data
		connects=$((connects + 1))
		[ $versions != 1 ] || fallbacks=$((fallbacks + 1))
		runs "$(expected both $versions)" $fallbacks $connects
		say "after the server was set to versions $versions: version $(connections client version)"
	done
	nfs_umount
	rmmod test_cut
}

no_mount() {
	mkdir -p "$MNT"
	limited 60 mount -t nfs -o "$(nfs_options 4.1 rdma)" \
		"$SERVER_ADDR:$(nfs_path 4.1)" "$MNT"
}

one_pair() {
	local outcome

	outcome=$(expected "$1" "$2")
	echo "$1" > $TAKES
	case $outcome in
	1|2)	works "$outcome" "$1" "$2" ;;
	*)	refused "$outcome" no_mount ;;
	esac
}

# The in-tree client knows version 1 only.
intree_client() {
	if [ "$1" = 2 ]; then
		refused 'mount system call failed|error' no_mount
		return
	fi
	nfs_mount 4.1
	move_data
	[ "$(on_server connections server version)" = 1 ] ||
		fail "the server runs another version"
	nfs_umount
	say "client intree, server $1: version 1"
}

all_clients() {
	local client

	if [ "$MODS" = intree ]; then
		intree_client "$1"
		return
	fi

	for client in $CLIENTS; do
		one_pair "$client" "$1"
	done
}

# A client that accepts only version 2 waits for it, and does not lose its mount.
server_loses_version() {
	local writer

	insmod "$TESTMOD_DIR/test_cut.ko"
	echo 2 > $TAKES
	server_takes both
	nfs_mount 4.1
	move_data
	server_takes 1
	log_mark
	echo 0 > /sys/module/test_cut/parameters/cut
	move_data &
	writer=$!
	within 20 log_has 'no protocol version in common'
	sleep 2
	kill -0 $writer || fail "the I/O has ended while there was no version 2"
	server_takes both
	limited 60 tail --pid=$writer -f /dev/null
	wait $writer || fail "the I/O has failed"
	[ "$(connections client version)" = 2 ] || fail "it is not version 2"
	say "version 2 is waited for"
	nfs_umount
	rmmod test_cut
}

ours_only() {
	both_at_once
	server_changes
	server_loses_version
}

server() {
	server_start
	pair_serve
	finish
}

client() {
	local server

	client_start
	random_file /tmp/data $((3 << 20))
	pair_wait_server
	SERVER_MODS=$(on_server "echo \$MODS")
	if [ "$SERVER_MODS" = intree ]; then
		all_clients intree
	else
		for server in 1 2 both; do
			server_takes "$server"
			all_clients "$server"
		done
		[ "$MODS" = intree ] || ours_only
	fi
	pair_stop
	finish
}

link_up
modules_load
[ "$MODS" = intree ] || defaults
"$ROLE"
