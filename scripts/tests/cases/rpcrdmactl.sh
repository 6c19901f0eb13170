#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: rpcrdmactl status, top, trace and report show what client and server do, as text, JSON and HTML
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml smpdbg/rxe kcsan/siw
# on-demand: stock without KVM each start of the program takes ten seconds
# timeout: 420
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/rpcrdmactl.sh"

# ends_with STATUS WORDS COMMAND...
ends_with() {
	local wanted=$1 words=$2 status=0
	shift 2

	"$CTL" "$@" > /tmp/out 2> /tmp/err || status=$?
	[ "$status" -eq "$wanted" ] || fail "rpcrdmactl $* ends with $status instead of $wanted"
	grep -q -- "$words" /tmp/err || fail "rpcrdmactl $* does not say '$words': $(cat /tmp/err)"
	say "rpcrdmactl $*: status $status: $(tail -n 1 /tmp/err)"
}

# status_says FILTER: a part of status --json
status_says() {
	"$CTL" status --json | jq -r "$1"
}

# is NAME WANTED FOUND
is() {
	[ "$2" = "$3" ] || fail "$1 is '$3' instead of '$2'"
}

wrong_calls() {
	ends_with 2 'usage: rpcrdmactl'
	ends_with 2 'invalid choice' statsu
	ends_with 2 'is not a number' top -n none
	ends_with 3 'no connection is called client-99' status client-99
	ends_with 3 'neither a mount over RDMA' trace /tmp
	ends_with 2 'either a mount or -i' trace
	ends_with 3 '/nowhere is not a directory' report /nowhere/report.html
	ends_with 3 'is no regular file' report /dev/null
}

without_modules() {
	ends_with 3 'the modules are not loaded' status
	ends_with 3 'the modules are not loaded' top -n 1
	ends_with 3 'the modules are not loaded' trace /mnt
	limited 60 "$CTL" report -s 0.2 /tmp/report.html || fail "no report without modules"
	grep -q 'The modules are not loaded' /tmp/report.html || fail "the report does not say that nothing is loaded"
}

nothing_connected() {
	is "the table" "no connections" "$("$CTL" status)"
	is "the number of connections" 0 "$(status_says '.connections | length')"
}

# The same values as the kernel shows elsewhere, on both sides
both_ends() {
	local client='.connections[] | select(.side == "client")'
	local server='.connections[] | select(.side == "server")' sends told

	shown status
	is connections 2 "$(status_says '.connections | length')"
	is peer "$SERVER_ADDR 20049" "$(status_says "$client | \"\(.peer_address) \(.peer_port)\"")"
	is mount "$MNT" "$(status_says "$client | .mounts[]")"
	is "server's source" 20049 "$(status_says "$server | .source_port")"
	is "the two ends" "$(status_says "$client | .source_port")" \
		"$(status_says "$server | .peer_port")"
	is state established "$(status_says "$client | .state")"
	is version "$(connections client version)" "$(status_says "$client | .version")"
	is inline "$(connections client inline_send)" "$(status_says "$client | .inline_send")"
	sends=$(rdma_counter "$MNT" sends)
	told=$(status_says "$client | .counters.sends")
	pings=$(status_says "$client | .counters.keepalives")
	# A lease may be renewed meanwhile. On iWARP keepalives are Sends, unknown to sunrpc.
	[ "$told" -ge "$sends" ] && [ "$told" -le $(($(rdma_counter "$MNT" sends) + pings)) ] ||
		fail "status says $told sends, mountstats $sends"
	is "an error" null "$(status_says "$client | .last_error_reason")"
	"$CTL" status -l | grep -q "mount: $MNT" || fail "status -l does not show the mount"
}

last_error() {
	local dir=/sys/kernel/rpcrdma/connections

	echo 1 > "$(echo $dir/client-*)/disconnect"
	ls "$MNT" > /dev/null
	within 10 reconnected || fail "no reconnect"
	shown status
	"$CTL" status | grep -E 'client.*closed by the administrator, [0-9]+s ago' > /dev/null ||
		fail "status does not show why the connection was closed"
}

reconnected() {
	[ "$(status_says '[.connections[] | select(.state == "established")] | length')" -eq 2 ]
}

# samples NUMBER: top has printed so many
samples() {
	[ "$(wc -l < /tmp/top)" -ge "$1" ]
}

# A load that begins and ends between two samples of top: it must tell the calls that the
# mount counts. An idle mount renews its lease of ten seconds, so some more are possible.
rates() {
	local top calls told idle

	random_file "$MNT/data" $((16 << 20))
	shown top -b -d 2 -n 1
	: > /tmp/top
	"$CTL" top --json -d "$(scaled 4)" -n 2 > /tmp/top &
	top=$!
	within "$(scaled 30)" samples 1 || fail "top --json prints nothing"
	calls=$(rdma_counter "$MNT" sends)
	dd if="$MNT/data" of=/dev/null bs=64k count=256 iflag=direct status=none
	calls=$(($(rdma_counter "$MNT" sends) - calls))
	! samples 2 || fail "the load does not end before the second sample"
	wait $top || fail "top --json has failed"
	is "lines of top --json" 2 "$(jq -s 'length' /tmp/top)"
	told=$(jq -s '.[1] | .seconds *
		(.connections[] | select(.side == "client").per_second.calls) | round' /tmp/top)
	idle=$(jq -s '2 + .[1].seconds / 5 | floor' /tmp/top)
	say "top says $told calls, the counters $calls; $idle more are possible"
	[ "$calls" -ge 256 ] && [ "$told" -ge "$calls" ] && [ "$told" -le $((calls + idle)) ] ||
		fail "top and the counters do not agree"
	# Each READ of 64 KiB comes in a Write chunk.
	jq -es '.[1].connections[] | select(.side == "client") | .per_second |
		(.bytes_to_client / .calls - 65536) | fabs < 6554' /tmp/top > /dev/null ||
		fail "bytes do not fit to calls: $(cat /tmp/top)"
	jq -es '.[1].connections[] | select(.side == "client").post_to_completion_p99_ns > 0' \
		/tmp/top > /dev/null || fail "top knows no latency"
}

recording() {
	ls -d /sys/kernel/tracing/instances/rpcrdmactl-* > /dev/null 2>&1
}

# Two READs of 1 MiB, each with one Write chunk and one memory region
traced() {
	local reads='[.rpcs[] | select(.operation == "READ")]' tracer

	"$CTL" trace --json -d 6 -o /tmp/record "$MNT" > /tmp/trace &
	tracer=$!
	within "$(scaled 30)" recording || fail "trace does not begin"
	sleep 1
	dd if="$MNT/data" of=/dev/null bs=1M count=2 iflag=direct status=none
	wait $tracer || fail "trace has failed"
	! recording || fail "trace leaves its buffer behind"
	is "the READs" 2 "$(jq "$reads | length" /tmp/trace)"
	jq -e "$reads | all(.write_chunks == 1 and .mrs == 1 and .result == \"ok\" and
		.microseconds.wire > 0 and .reply_bytes > 1048576)" /tmp/trace > /dev/null ||
		fail "READs are not what they were: $(cat /tmp/trace)"
	is "unfinished RPCs" 0 "$(jq '[.rpcs[] | select(.result == "unfinished")] | length' /tmp/trace)"
	is "what the record says" "$(jq -c .rpcs /tmp/trace)" \
		"$("$CTL" trace --json -i /tmp/record | jq -c .rpcs)"
	shown trace -i /tmp/record
	"$CTL" trace -e -i /tmp/record | grep -q 'us xprtrdma_marshal conn=' || fail "no events"
}

# A new connection in mid-trace is the same mount.
traced_over_a_reconnect() {
	local tracer

	"$CTL" trace --json -d 6 "$MNT" > /tmp/trace &
	tracer=$!
	within "$(scaled 30)" recording || fail "trace does not begin"
	sleep 1
	echo 1 > "$(echo /sys/kernel/rpcrdma/connections/client-*)/disconnect"
	stat -f "$MNT" > /dev/null
	wait $tracer || fail "trace has failed"
	jq -e '[.rpcs[] | select(.operation == "STATFS" and .result == "ok")] | length >= 1' \
		/tmp/trace > /dev/null || fail "the RPCs of the new connection are missing"
}

# tos_told FILE: RoCE packets still have the old type of service; on iWARP the driver decides.
tos_told() {
	if [ "$PROVIDER" = rxe ]; then
		is "the findings" traffic-class "$(jq -r '.findings[].name' "$1")"
	else
		is "the findings" '' "$(jq -r '.findings[].name' "$1")"
		jq -e '.notes[] | select(contains("type of service 104"))' "$1" > /dev/null ||
			fail "the report does not say what the driver was given"
	fi
}

# In one page, without an address when that is asked for, and the same as JSON
reported() {
	local reader file=/tmp/report.json

	"$GUEST_DIR/many-readers" "$MNT/data" 2 &
	reader=$!
	echo 104 > /sys/module/xprtrdma/parameters/tos
	ctl_install
	printf '<4>rpcrdma: <b>\033[2J 10.9.8.7\n' > /dev/kmsg
	limited 90 "$CTL" report -s 2 --redact /tmp/report.html || fail "report fails"
	limited 90 "$CTL" report -s 2 --json $file || fail "report --json fails"
	kill $reader
	wait $reader || true
	echo 0 > /sys/module/xprtrdma/parameters/tos
	for word in client- server- '<svg' 'class="heat' "$MNT" xprtrdma.tos 'READ</th>' address-1: \
		'connected, this end is the server' '&lt;b&gt;'; do
		grep -qF -- "$word" /tmp/report.html || fail "the report lacks '$word'"
	done
	! grep -F -e "$SERVER_ADDR" -e 10.9.8.7 -e '<b>' -e $'\033' -e "$(uname -n)" /tmp/report.html ||
		fail "the report shows what it should not"
	jq -e '.connections[] | select(.side == "client") |
		.per_second.calls > 0 and (.rates.calls | max) > 0 and
		(.latency_watched.post_to_completion | add) > 0 and .mounts == ["'"$MNT"'"]' $file > /dev/null ||
		fail "the report knows no rates: $(cat $file)"
	is "changed parameters" 104 "$(jq -r '.parameters[] | select(.name == "xprtrdma.tos").value' $file)"
	is "READs of the mount" true "$(jq ".mounts[0].operations.READ.operations > 0" $file)"
	tos_told $file
	say "report: $(wc -c < /tmp/report.html) bytes"
}

# screen_has TEXT: without the sequences that move and colour
screen_has() {
	sed 's/\r//; s/\x1b\[[0-9;]*[A-Za-z]//g' /tmp/screen | grep -E -- "$1" > /dev/null
}

# typed_keys: each when the screen shows what the one before has done
typed_keys() {
	within 60 screen_has "^client-.*$SERVER_ADDR:20049"
	printf h
	within 20 screen_has '^post to completion, all connections'
	printf l
	within 20 screen_has '^registration, all connections' && printf q
}

# In a terminal, top draws; h shows the heat map, l another latency, q ends it.
in_a_terminal() {
	local reader

	"$GUEST_DIR/many-readers" "$MNT/data" 2 &
	reader=$!
	: > /tmp/screen
	typed_keys | TERM=xterm-256color limited 120 \
		script -qec "stty rows 24 cols 160; $CTL top -d 1" /dev/null >> /tmp/screen ||
		fail "top does not draw, or a key does not work"
	kill $reader
	wait $reader || true
	# What was on the screen when it ended
	sed 's/\r//; s/\x1b\[[0-9;]*[A-Za-z]//g' /tmp/screen | tail -n 12
	screen_has "^client-.*$SERVER_ADDR:20049" || fail "no connection on the screen"
	screen_has '[0-9.]+ us \|' || fail "no heat map on the screen"
	grep -q $'\033\\[48;5;' /tmp/screen || fail "no colour on the screen"
}

# A machine with no tool but python3
minimal() {
	PATH=/nonexistent "$CTL" status > /dev/null || fail "status needs programs"
	PATH=/nonexistent "$CTL" top -b -n 1 -d 0.5 > /dev/null || fail "top needs programs"
	mv /usr/bin/rdma /usr/bin/rdma.away
	mv /usr/sbin/nft /usr/sbin/nft.away
	ctl_install
	"$CTL" doctor > /tmp/out || fail "doctor finds something when programs are missing: $(cat /tmp/out)"
	cat /tmp/out
	grep -q 'note: the program rdma .* is missing' /tmp/out || fail "doctor does not miss rdma"
	grep -q 'note: nft and iptables-save are missing' /tmp/out || fail "doctor does not miss nft"
	mv /usr/bin/rdma.away /usr/bin/rdma
	mv /usr/sbin/nft.away /usr/sbin/nft
}

link_up
without_modules
modules_load
nothing_connected
server_start
nfs_mount 4.2
wrong_calls
both_ends
last_error
rates
traced
traced_over_a_reconnect
reported
in_a_terminal
minimal
finish
