#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: each call in the modules that allocates memory, in listen, connect, accept, send and receive, fails once: an error or success in time, correct data, nothing left
# lanes: umldbg smpdbg
# provider: rxe siw
# lengths: short full
# guests: 1
# mods: ours
# every: umldbg smpdbg/siw
# config: CONFIG_FAULT_INJECTION_STACKTRACE_FILTER
# timeout: 300
# in-check: yes
# lanes[full]: umldbg
# timeout[full]: 1800
# in-check[full]: no
# env[full]: EVERY=1

# For each call in our modules that allocates, of a slab or of pages, the kernel's fault
# injection fails one allocation below that call. scripts/tests/guest/alloc-sites makes the
# complete list of such calls. The full run tests all of them, the short one every
# EVERYth, beginning with a random one. With FAIL_IN=FUNCTION,... it tests all calls in these
# functions and no others; a mutant of them is judged so.

. "${GUEST_LIB:?}"

EVERY=${EVERY:-8}
SECONDS_FOR_ALL=60
INJECT=/sys/kernel/debug

# kind_dir slab|page
kind_dir() {
	case $1 in
	slab)	echo $INJECT/failslab ;;
	page)	echo $INJECT/fail_page_alloc ;;
	esac
}

failslab_on() {
	local kind dir

	for kind in slab page; do
		dir=$(kind_dir $kind)
		echo N > "$dir/ignore-gfp-wait"
		echo 0 > "$dir/verbose"
		echo 32 > "$dir/stacktrace-depth"
	done
	dir=$(kind_dir page)
	echo N > "$dir/ignore-gfp-highmem"
	echo 0 > "$dir/min-order"
}

# arm KIND ADDRESS: the next allocation below the call that returns there
arm() {
	FAIL=$(kind_dir "$1")
	echo "$2" > "$FAIL/require-start"
	printf '0x%x\n' $(($2 + 1)) > "$FAIL/require-end"
	echo 1 > "$FAIL/times"
	echo 100 > "$FAIL/probability"
}

disarm() {
	echo 0 > "$FAIL/probability"
}

has_struck() {
	[ "$(cat "$FAIL/times")" -eq 0 ]
}

# One more listener, so that creating a listener is tested too.
serve() {
	rpc.nfsd "$NFSD_THREADS"
	server_end_grace
	echo "rdma 20049" > $NFSD/portlist 2> /dev/null || true
	grep -q '^rdma 20049$' $NFSD/portlist || server_listen
}

# A file that the client has a delegation for is opened for writing on the server, which
# calls the client back for it.
recall() {
	echo word > "$EXPORT/recalled"
	exec 8< "$MNT/recalled"
	limited $SECONDS_FOR_ALL bash -c "echo more >> $EXPORT/recalled" ||
		fail "a recall does not end: $SITE"
	exec 8<&-
	rm "$EXPORT/recalled"
}

# A mount may fail for lack of memory; an existing mount must work.
use_mount() {
	local version=$1

	mkdir -p "$MNT"
	timeout -k 5 "$(scaled $SECONDS_FOR_ALL)" mount -t nfs \
		-o "$(nfs_options "$version" rdma),retry=0" \
		"$SERVER_ADDR:$(nfs_path "$version")" "$MNT" 2> /tmp/mount-error || {
		[ $? -lt 124 ] || fail "the mount hangs: $SITE"
		refusals=$((refusals + 1))
		return 0
	}
	limited $SECONDS_FOR_ALL dd if=/tmp/source of="$MNT/file" bs=512k oflag=direct status=none ||
		fail "a write failed: $SITE"
	limited $SECONDS_FOR_ALL dd if="$MNT/file" of=/tmp/back bs=512k iflag=direct status=none ||
		fail "a read failed: $SITE"
	cmp /tmp/source /tmp/back || fail "wrong data: $SITE"
	limited $SECONDS_FOR_ALL ls -l "$MNT" > /dev/null
	rm "$MNT/file"
	[ "$version" = 3 ] || recall
	nfs_umount
}

try_site() {
	local begin

	SITE=$*
	begin=$(now_ms)
	arm "$4" "$5"
	serve
	use_mount 4.1
	has_struck || use_mount 3
	if has_struck; then
		struck=$((struck + 1))
		recovery failslab "$begin"
	else
		echo "$1 $2 $3 $4" >> /tmp/not-struck
	fi
	disarm
	server_stop
	within "$(scaled 15)" no_connected_qp || fail "a connection stays: $SITE"
}

# Parts of a function that the compiler has split have its name, a dot and more.
chosen_sites() {
	if [ -n "${FAIL_IN:-}" ]; then
		awk -v functions=",$FAIL_IN," \
			'{ name = $2; sub(/\..*/, "", name) } index(functions, "," name ",")' /tmp/sites
	else
		awk -v every="$EVERY" -v first=$((RANDOM % EVERY)) 'NR % every == first' /tmp/sites
	fi
}

link_up
modules_load
failslab_on
server_start
server_stop
random_file /tmp/source $((1 << 20))
"$GUEST_DIR/alloc-sites" "$KO_DIR"/{rpcrdma,xprtrdma,svcrdma}.ko > /tmp/sites
: > /tmp/not-struck
all=$(wc -l < /tmp/sites)
[ "$all" -ge 40 ] || fail "only $all places that allocate were found"
chosen_sites > /tmp/chosen
[ -s /tmp/chosen ] || say "nothing is tested: none of the $all places is in ${FAIL_IN:-}"
struck=0
refusals=0
while read -r -u 9 line; do
	# shellcheck disable=SC2086
	try_site $line
done 9< /tmp/chosen
say "$(wc -l < /tmp/chosen) of $all places tried, $struck have failed once, $refusals mounts refused"
sed 's/^/not reached here: /' /tmp/not-struck
[ -n "${FAIL_IN:-}" ] || [ $((3 * struck)) -ge "$(grep -cv '\*pointer' /tmp/chosen)" ] || fail "too few places were reached"
finish
