#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: two clients, NFSv4.1 and 4.2: the server recalls delegations and, if its kernel can, asks for attributes over the reverse direction, and gets answers well within a second (BI-GEN-09, BI-ABS-03, ULB-CB-10)
# lanes: uml umldbg stock smpdbg
# every: uml umldbg
# provider: rxe siw
# versions: 1 2
# guests: 2
# peers: ours-ours ours-intree intree-ours
# every[ours-intree]: uml/rxe umldbg/rxe
# every[intree-ours]: uml/siw umldbg/siw
# timeout: 150
# in-check: yes
# strict-run: rxe/irdma siw/qedr_iwarp
# lanes[strict]: uml umldbg
# peers[strict]: ours-ours
# peers[v2]: ours-ours
# Proves at version 2 V2-BRS-02, V2-BRS-08, V2-NEG-15.

# Both clients are in the client guest; to the server they are two.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/recall.sh"

FILES=40
QUERIES=6
# Typical time from the conflict to its end, with all the RPCs in between.
LIMIT_MS=500
# On a loaded machine a guest may be stopped for a while.
WORST_MS=5000

A=$(recall_dir 0)
B=$(recall_dir 1)

# took COMMAND...: run it, and note in /tmp/took how many milliseconds it took
took() {
	local begin

	begin=$(date +%s%3N)
	"$@"
	echo $(($(date +%s%3N) - begin)) >> /tmp/took
}

# took_summary NAME: report what has been noted, and forget it
took_summary() {
	local count median worst

	sort -n /tmp/took > /tmp/sorted
	rm /tmp/took
	count=$(wc -l < /tmp/sorted)
	median=$(sed -n "$(((count + 1) / 2))p" /tmp/sorted)
	worst=$(tail -n 1 /tmp/sorted)
	say "$1: $count times, median $median, worst $worst ms"
	[ "$median" -lt "$(recall_limit $LIMIT_MS)" ] || fail "$1: $median ms is too long"
	[ "$worst" -lt "$(recall_limit $WORST_MS)" ] || fail "$1: $worst ms is too long"
}

# Runs on the server, so that no client has the files cached.
make_files() {
	local number

	for ((number = 0; number < FILES; number++)); do
		echo "content $number" > "$EXPORT/file$number"
	done
	for ((number = 0; number < QUERIES; number++)); do
		echo old > "$EXPORT/query$number"
	done
}

# One client reads and has a delegation, the other one removes the file.
recalls() {
	local number holder remover

	for ((number = 0; number < FILES; number++)); do
		holder=$A remover=$B
		[ $((number % 2)) -eq 0 ] || holder=$B remover=$A
		[ "$(cat "$holder/file$number")" = "content $number" ] ||
			fail "file$number differs"
		took limited 30 rm "$remover/file$number"
	done
	took_summary "removal of a file that the other client may have a delegation on"
}

# nfsd gives no delegation on a file with the hash of one that was recalled recently.
check_recalls() {
	local counts

	counts=$(on_server recall_report) || fail "no counts from the server: $counts"
	counts=$(grep -oE '[A-Z_]+=[0-9.]+' <<< "$counts")
	eval "$counts"
	say "at the server: $RECALLS_SENT sent, $RECALLS_DONE answered, median $RECALL_MEDIAN, worst $RECALL_WORST ms"
	[ "$RECALLS_SENT" -ge $((FILES / 4)) ] || fail "too few recalls"
	[ "$RECALLS_DONE" -eq "$RECALLS_SENT" ] || fail "a recall was not answered"
	[ "${RECALL_MEDIAN%.*}" -lt "$(recall_limit $LIMIT_MS)" ] || fail "recalls are slow"
	[ "${RECALL_WORST%.*}" -lt "$(recall_limit $WORST_MS)" ] || fail "a recall was slow"
	SENT=$RECALLS_SENT
	recall_report
	[ "$RECALLS_SEEN" -eq "$SENT" ] || fail "$RECALLS_SEEN recalls have reached the clients"
	[ "$RECALLS_TWICE" -eq 0 ] || fail "a recall came twice"
}

# A writer with a delegation caches its data, so the server asks it for the size of the
# file (CB_GETATTR) when another client asks; if the answer is late, it recalls the
# delegation. Without both, the other client would see the old size.
query() {
	local size

	exec 5<> "$2/query$1"
	echo "new and longer" >&5
	size=$(took limited 30 stat -c %s "$3/query$1")
	exec 5>&-
	[ "$size" = 15 ] || fail "query$1: the other client sees $size bytes"
}

queries() {
	local number

	for ((number = 0; number < QUERIES; number += 2)); do
		query $number "$A" "$B"
		query $((number + 1)) "$B" "$A"
	done
	took_summary "the size of a file that the other client writes"
}

server_asks() {
	grep -qw nfs4_xdr_enc_cb_getattr /proc/kallsyms
}

asked_for_attributes() {
	local asked

	asked=$(grep -c nfs4_cb_getattr: $RECALL_LOG) || true
	if on_server server_asks; then
		compare "requests for attributes" "$asked" -gt 0
		say "asked for attributes: $asked times"
	else
		say "left out: requests for attributes; the server's kernel has none"
	fi
}

server() {
	recall_server_start
	recall_ports 2
	pair_serve
	finish
}

client() {
	client_start
	pair_wait_server
	on_server make_files
	recall_mount 0 4.1
	recall_mount 1 4.2
	within 10 on_server recall_channels_up 2 || fail "a client has no callback channel"
	on_server recall_watch
	recall_watch
	queries
	recalls
	check_recalls
	asked_for_attributes
	umount_all
	pair_stop
	finish
}

link_up
modules_load
"$ROLE"
