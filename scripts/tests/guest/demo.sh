#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The half of `make demo` that runs in the guest (see scripts/tests/demo.sh): install,
# load, mount, copy, compare, count, take down. The host shows the lines that begin
# with "demo: ".

. "${GUEST_LIB:?}"

FILE_MIB=256

show() {
	local uptime

	read -r uptime _ < /proc/uptime
	printf 'demo: [guest %3.0f s] %s\n' "$uptime" "$*"
}

# A loaded in-tree module hides ours: "loaded" prints the command that helps.
nothing_in_the_way() {
	"$SRC/scripts/package/install/loaded" "$KO_DIR" 2> /tmp/cure || {
		show "FAILED: $(cat /tmp/cure)"
		exit 1
	}
}

install_modules() {
	show "make install"
	make -s -C "$SRC" install MODULES="$KO_DIR" 2>&1 | sed 's/^/demo:     /'
}

load_modules() {
	modprobe rpcrdma
	show "modprobe rpcrdma loaded:"
	for name in $OUR_MODULES; do
		prove_ours "$name"
	done
}

prove_ours() {
	local name=$1 file loaded installed

	file=$(modinfo -F filename "$name")
	installed=$(modinfo -F srcversion "$name")
	loaded=$(cat "/sys/module/$name/srcversion")
	show "    $name  $file  srcversion $installed, loaded $loaded"
	[[ $file == */updates/$name.ko* ]] || fail "$name does not come from updates/"
	[ -n "$installed" ] || fail "$file has no srcversion"
	[ "$installed" = "$loaded" ] || fail "the $name that runs is not the file"
	cmp -s "$file" "$KO_DIR/$name.ko" || fail "$file is not what was built"
}

prepare_data() {
	mkdir /tmp/up
	copy_real_tree /tmp/up/tree
	random_file /tmp/up/file $((FILE_MIB << 20))
	SUMS=$(tree_sums /tmp/up)
	show "to copy: a tree of $(count_files /tmp/up/tree) files from /usr/include, and a file of $FILE_MIB MiB"
}

there_and_back() {
	local version=$1 begin=$SECONDS

	nfs_mount "$version"
	cp -a /tmp/up "$MNT/up"
	sync
	show "vers=$version: copied to the server in $((SECONDS - begin)) s"
	begin=$SECONDS
	drop_caches
	cp -a "$MNT/up" /tmp/down
	show "vers=$version: caches dropped, copied back in $((SECONDS - begin)) s"
	has_sums /tmp/down "$SUMS"
	show "vers=$version: $(wc -l <<< "$SUMS") checksums equal after the way there and back"
	show_counters "$version"
	rm -r /tmp/down "$MNT/up"
	nfs_umount
}

# Calls, chunks, bytes and registrations of the mount; it began with 0.
show_counters() {
	local calls reads writes replies offered received

	calls=$(rdma_counter "$MNT" sends)
	reads=$(rdma_counter "$MNT" read_chunks)
	writes=$(rdma_counter "$MNT" write_chunks)
	replies=$(rdma_counter "$MNT" reply_chunks)
	offered=$(rdma_counter "$MNT" request_bytes)
	received=$(rdma_counter "$MNT" reply_bytes)
	# Data that did not return over RDMA came from a cache.
	[ "$offered" -ge $((FILE_MIB << 20)) ] || fail "RDMA moved only $offered bytes out"
	[ "$received" -ge $((FILE_MIB << 20)) ] || fail "RDMA moved only $received bytes back"
	show "vers=$1: $calls calls; chunks: $reads Read, $writes Write, $replies Reply;" \
		"$((offered >> 20)) MiB to and $((received >> 20)) MiB from the server in chunks;" \
		"$(registrations)"
}

# A region that is used again has been registered once more. Local invalidations are
# those that the server's Reply did not do already.
registrations() {
	echo "$(rdma_counter "$MNT" mrs_recycled) registrations of $(rdma_counter "$MNT" mrs_allocated) memory regions," \
		"$(rdma_counter "$MNT" local_invalidations) local invalidations"
}

server_counters() {
	local dir=/proc/sys/sunrpc/svc_rdma

	show "server: $(cat $dir/rdma_stat_recv) messages received," \
		"$(cat $dir/rdma_stat_read) Read chunks and $(cat $dir/rdma_stat_write) Write and Reply chunks served"
}

take_down() {
	server_stop
	no_leftover
	show "unmounted and stopped; RDMA objects left: none but the link's own"
	modprobe -r rpcrdma
	for name in $OUR_MODULES; do
		! module_loaded "$name" || fail "$name is still loaded"
	done
	show "modules unloaded"
	link_down
	[ -z "$(rdma link show)" ] || fail "an RDMA link is left"
}

show "$(uname -r), $(nproc) CPUs, $([ "$SLOW" = 1 ] && echo 'no KVM here: emulated (TCG)' || echo KVM)"
nothing_in_the_way
install_modules
load_modules
link_up
show "Soft-RoCE link $(rdma link show | sed 's/^link //; s/ *$//')"
server_start
show "nfsd exports $EXPORT, listens on: $(sort -u "$NFSD/portlist" | paste -sd, | sed 's/,/, /g')"
prepare_data
for version in $VERSIONS; do
	there_and_back "$version"
done
server_counters
take_down
success
