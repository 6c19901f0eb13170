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
#
# Each call must have failed, or Documentation/data/failslab-unreached.txt says why the load
# does not reach it. Calls through a pointer are tried too, but most of them allocate nothing.
# The list is that of lane umldbg. Other compilers and kernels inline other functions: there
# half of the calls must have failed.

. "${GUEST_LIB:?}"

EVERY=${EVERY:-8}
SECONDS_FOR_ALL=60
UNREACHED=$SRC/Documentation/data/failslab-unreached.txt
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

# Sets HIT
try_site() {
	local begin

	SITE=$*
	HIT=no
	begin=$(now_ms)
	arm "$4" "$5"
	serve
	use_mount 4.1
	has_struck || use_mount 3
	if has_struck; then
		HIT=yes
		struck=$((struck + 1))
		recovery failslab "$begin"
	fi
	disarm
	server_stop
	within "$(scaled 15)" no_connected_qp || fail "a connection stays: $SITE"
}

# unreached SITE: prints why, if the list has it for this provider, and not fewer such calls than
# were unreached. Parts of a function that the compiler has split have its name, a dot and more.
unreached() {
	local site="$1 ${2%%.*} $3 $4" before

	before=$(grep -cxF "$site" /tmp/excused || true)
	awk -F' *[|] *' -v site="$site" -v before="$before" -v provider="$PROVIDER" '
		$1 == site && ($2 == "both" || $2 == provider) && $3 > before { print $4; found = 1 }
		END { exit !found }' "$UNREACHED" || return
	echo "$site" >> /tmp/excused
}

# judge_site SITE: one that was not hit, and should have been, has a second chance
judge_site() {
	local why

	if [ $HIT = yes ]; then
		say "failed once: $*"
	elif [ "$3" = '*pointer' ]; then
		say "through a pointer, not reached here: $*"
	elif why=$(unreached "$@"); then
		say "not reached here: $*: $why"
	else
		say "not reached, and not in the list: $*"
		[ -n "${FAIL_IN:-}" ] || try_site "$@"
		[ $HIT = yes ] || echo "$1 $2 $3 $4" >> /tmp/missed
	fi
}

enough_reached() {
	local missed

	missed=$(wc -l < /tmp/missed)
	if [ -n "${FAIL_IN:-}" ]; then
		return
	elif [ "$LANE" = umldbg ]; then
		compare "places that were not reached, and are not in ${UNREACHED##*/}" "$missed" -eq 0
	else
		compare "places that were reached" $struck -ge "$missed"
	fi
}

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
: > /tmp/missed
: > /tmp/excused
all=$(wc -l < /tmp/sites)
[ "$all" -ge 40 ] || fail "only $all places that allocate were found"
chosen_sites > /tmp/chosen
[ -s /tmp/chosen ] || say "nothing is tested: none of the $all places is in ${FAIL_IN:-}"
struck=0
refusals=0
while read -r -u 9 line; do
	# shellcheck disable=SC2086
	try_site $line
	# shellcheck disable=SC2086
	judge_site $line
done 9< /tmp/chosen
say "$(wc -l < /tmp/chosen) of $all places tried, $struck have failed once, $refusals mounts refused"
sed 's/^/never reached, and not in the list: /' /tmp/missed
enough_reached
finish
