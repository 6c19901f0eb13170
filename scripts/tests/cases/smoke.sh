#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: every NFS version mounts over RDMA with IPv4 and IPv6, copies a small file, unmounts and leaves nothing
# lanes: uml umldbg stock smpdbg kcsan
# also: stock61 stock73
# provider: rxe siw
# every: uml stock stock61 stock73
# always: uml/rxe umldbg/rxe stock/rxe stock61/rxe stock73/rxe
# always[v2]: uml/rxe
# always[strict]: uml/rxe
# versions: 1 2
# guests: 1
# mods: ours
# timeout: 90
# in-check: yes
# strict-run: rxe/mlx5 siw/irdma_iwarp
# lanes[strict]: uml umldbg
# lanes[v2]: uml umldbg smpdbg kcsan
# every[v2]: uml umldbg smpdbg/rxe kcsan/siw
# Proves at version 2 V2-INL-04, V2-MSG-01, V2-NEG-29, ULB-V2X-01.
# Proves V1-BIND-01, V1-BIND-03, V1-BIND-04, V1-BIND-05, ULB-GEN-01, ULB-BND-03, ULB-BND-04,
# ULB-BND-05, ULB-BND-08, ULB-AUX-03, ULB-CC-03, ULB-SES-01, V1-RTX-01, BI-GEN-01, DR-30.

. "${GUEST_LIB:?}"

round_trip() {
	local dir=$MNT/$1

	mkdir "$dir"
	random_file /tmp/small 100000
	cp /tmp/small "$dir/small"
	echo "vers $1" > "$dir/word"
	drop_caches
	same_file /tmp/small "$dir/small"
	[ "$(cat "$EXPORT/$1/word")" = "vers $1" ] || fail "the server has another word"
	rm -r "$dir"
	[ ! -e "$EXPORT/$1" ] || fail "the directory survives its removal"
}

mounts_and_works() {
	local mount=$1 version=$2

	$mount "$version"
	round_trip "$version"
	[ "$(rdma_counter "$MNT" sends)" -gt 10 ] || fail "no RPC went over RDMA"
	nfs_umount
	no_nfs_client_left
	say "ok: $mount vers=$version"
}

# The client's connection must go with the mount, the server's follows it.
no_nfs_client_left() {
	within 10 no_connected_qp || fail "a connection stays after the unmount"
}

link_up
modules_load
server_start
for version in $VERSIONS; do
	mounts_and_works nfs_mount "$version"
	mounts_and_works nfs_mount6 "$version"
done
finish
