#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: client of version 1, 2 or both, server of version 1, 2, both or in-tree: the right version or a clear error, and what falling back costs
# lanes: uml
# provider: rxe siw
# guests: 2
# peers: ours-ours ours-intree
# timeout: 180
# in-check: yes

. "${GUEST_LIB:?}"

# V2-NEG-01, -05, -06, -09, -23, -25, -28 and -30, V2-INL-14, V2-SEC-05: what each
# pair of settings leads to.
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

# works VERSION CLIENT SERVER: mount, move data, and see which version it was
works() {
	local version=$1 begin took

	log_mark
	begin=$(now)
	nfs_mount 4.1
	took=$(($(now) - begin))
	cp /tmp/data "$MNT/data"
	drop_caches
	same_file /tmp/data "$MNT/data"
	rm "$MNT/data"
	[ "$(rdma_counter "$MNT" connects)" = 1 ] ||
		fail "$(rdma_counter "$MNT" connects) connections instead of one"
	nfs_umount
	case $version in
	1)	! log_has 'version 2, messages' || fail "it was version 2" ;;
	2)	log_has 'version 2, messages of up to [0-9]{4,} bytes' ||
			fail "it was not version 2" ;;
	esac
	if [ "$2-$version" = both-1 ]; then
		log_has 'going on with version 1' || fail "a fall-back is not told"
	fi
	say "client $2, server $3: version $version, mounted in $((took / 1000)) ms"
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

all_clients() {
	local client

	for client in $CLIENTS; do
		one_pair "$client" "$1"
	done
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
	if on_server "[ \$MODS = intree ]"; then
		all_clients intree
	else
		for server in 1 2 both; do
			on_server "echo $server > /sys/module/svcrdma/parameters/versions"
			all_clients "$server"
		done
	fi
	pair_stop
	finish
}

link_up
modules_load
"$ROLE"
