#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the sysfs directory of each connection has the documented files with correct values, and is removed with the connection even while files in it are open
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/siw kcsan/rxe
# timeout: 300
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

ABI=$SRC/Documentation/ABI/testing/sysfs-kernel-rpcrdma

# Files of both sides: the source is compared with the documents by scripts/checks/abi, and
# here what a kernel shows.
files_are_documented() {
	local documented seen

	documented=$(sed -n 's|^What:.*connections/<name>/\([a-z_]*\)$|\1|p' "$ABI" | sort)
	seen=$(find "$(connection_dir client)" "$(connection_dir server)" -maxdepth 1 -type f \
		-printf '%f\n' | sort -u)
	[ "$documented" = "$seen" ] ||
		fail "files and documents differ: $(comm -3 <(echo "$documented") <(echo "$seen"))"
	for seen in sunrpc_xprt idle_timeout_seconds connect_timeout_seconds; do
		[ -e "$(connection_dir client)/$seen" ] || fail "the client has no $seen"
		[ ! -e "$(connection_dir server)/$seen" ] || fail "the server has $seen"
	done
	[ ! -e "$(connection_dir client)/rdma_reads_max" ] || fail "the client has rdma_reads_max"
	[ -n "$(shown client latency/credit_wait)" ] || fail "the client has no credit_wait"
	[ -z "$(shown server latency/credit_wait)" ] || fail "the server has credit_wait"
}

# form FILE: lines with a name and a number, or the numbers of a histogram; or one line
form() {
	case ${1##*/} in
	counters | refusals)	echo '[a-z0-9_]+ [0-9]+' ;;
	latency)		echo '[a-z_]+( [0-9]+){28}' ;;
	*)			echo '.*' ;;
	esac
}

# Each file can be read, except those that can only be written.
files_can_be_read() {
	local file lines

	while read -r file; do
		[ "${file##*/}" != disconnect ] || continue
		lines=$(wc -l < "$file") || fail "$file cannot be read"
		case ${file##*/} in
		counters | refusals)	[ "$lines" -gt 30 ] || fail "$file has $lines lines" ;;
		latency)		[ "$lines" -ge 3 ] || fail "$file has $lines lines" ;;
		*)			[ "$lines" -eq 1 ] || fail "$file has $lines lines" ;;
		esac
		! grep -vxE "$(form "$file")" "$file" || fail "this is wrong in $file"
	done < <(find "$CONNECTIONS" -type f)
}

# chmod makes no file readable that is not, and no counter writable.
modes_open_nothing() {
	local dir limit

	dir=$(connection_dir client)
	limit=$(cat "$dir/credits_limit")
	chmod 600 "$dir/disconnect"
	chmod 644 "$dir/counters"
	! cat "$dir/disconnect" 2> /dev/null || fail "disconnect can be read"
	! echo 1 2> /dev/null > "$dir/counters" || fail "the counters can be written to"
	[ "$(cat "$dir/credits_limit")" = "$limit" ] || fail "the counters have changed a setting"
}

# agree FILE [OF-SERVER]: client and server show the same
agree() {
	[ "$(shown client "$1")" = "$(shown server "$2")" ] ||
		fail "client $1: $(shown client "$1"), server $2: $(shown server "$2")"
}

# send_queue_fits END
send_queue_fits() {
	local depth

	depth=$(shown "$1" send_queue_depth)
	[ "$depth" -gt 0 ] && [ "$(shown "$1" send_queue_used)" -le "$depth" ] ||
		fail "$1: $(shown "$1" send_queue_used) of $depth send queue slots are used"
}

values_are_true() {
	local device

	agree peer_address source_address
	agree source_address peer_address
	agree peer_port source_port
	agree source_port peer_port
	agree version version
	agree inline_send inline_receive
	agree inline_receive inline_send
	agree credits_asked credits_asked
	agree credits_granted credits_granted
	[ "$(shown client peer_address)" = "$SERVER_ADDR" ] || fail "peer: $(shown client peer_address)"
	[ "$(shown client peer_port)" = "$PORT" ] || fail "port: $(shown client peer_port)"
	device=$(shown client device)
	[[ " $RDMA_DEVS" = *" $device "* ]] || fail "device: $device"
	[ "$(shown client device_port)" = 1 ] || fail "port of the device"
	rdma resource show cm_id | grep -E "dst-addr $SERVER_ADDR:$PORT" |
		grep "src-addr [0-9.]*:$(shown client source_port) " > /dev/null ||
		fail "rdma resource knows no source port $(shown client source_port)"
	compgen -G "/sys/kernel/sunrpc/xprt-switches/switch-*/xprt-$(shown client sunrpc_xprt)-rdma" ||
		fail "sunrpc knows no transport $(shown client sunrpc_xprt)"
	[ "$(shown client mrs)" -gt 0 ] && [ "$(shown client mrs_used)" -eq 0 ] ||
		fail "MRs: $(shown client mrs), used: $(shown client mrs_used)"
	send_queue_fits client
	send_queue_fits server
	receives_fit
	[ "$(shown client age_seconds)" -le "$SECONDS" ] || fail "age: $(shown client age_seconds)"
}

# ack_timeout is 0 by default: the CM computes the ACK timeout of each end. With a timeout of 0 a
# queue pair would send no lost packet again.
ack_timeouts() {
	local side

	for side in client server; do
		case $PROVIDER in
		rxe)	compare "ACK timeout of the $side" "$(shown $side ack_timeout)" -gt 0 ;;
		siw)	[ -z "$(shown $side ack_timeout)" ] || fail "the $side has an ACK timeout on iWARP" ;;
		esac
	done
}

# One Receive for each credit that is granted; few more than for all that may be
receives_fit() {
	local side depth granted most

	granted=$(shown client credits_granted)
	for side in client server; do
		depth=$(shown $side receive_queue_depth)
		most=$(shown $side credits_max)
		[ "$depth" -ge "$granted" ] && [ "$depth" -le $((most + 64)) ] ||
			fail "the $side has $depth Receives for $granted credits, at most $most"
	done
}

# When there is no more load, the numbers are 0 again.
at_rest() {
	[ "$(shown client requests_in_flight)" = 0 ] && [ "$(shown server requests_in_flight)" = 0 ] &&
		[ "$(shown client receive_queue_used)" = 0 ] &&
		[ "$(shown server receive_queue_used)" = 0 ] &&
		[ "$(shown client credits_used)" = 0 ] && [ "$(shown client requests_waiting)" = 0 ]
}

some_wait() {
	[ "$(cat "$1/requests_in_flight")" -ge 1 ] && [ "$(cat "$1/credits_used")" -ge 1 ] &&
		[ "$(cat "$1/requests_waiting")" -ge 2 ]
}

# With one credit, what is in flight and what waits can be seen.
busy() {
	local dir i pids=() waiting=yes

	dir=$(connection_dir client)
	echo 1 > "$dir/credits_limit"
	for i in 1 2 3 4; do
		dd if=/dev/zero of="$MNT/busy$i" bs=16k count=20000 oflag=direct conv=notrunc \
			status=none &
		pids+=($!)
	done
	within 30 some_wait "$dir" || waiting=no
	kill "${pids[@]}"
	echo 16384 > "$dir/credits_limit"
	wait "${pids[@]}" || true
	[ $waiting = yes ] || fail "nothing was in flight, or nothing waited"
	[ "$(histogram client credit_wait)" -gt 0 ] || fail "no wait for a credit was counted"
	within 10 at_rest || fail "the numbers do not come back to 0"
}

objects_have_our_names() {
	local kind ours strangers

	for kind in qp cq pd mr cm_id; do
		ours='rpcrdma|svcrdma'
		# The CM creates queue pairs, and the kernel shows its name
		[ $kind != qp ] || ours=rdma_cm
		rdma resource show $kind | grep -E "comm \[($ours)\]" > /dev/null ||
			fail "no $kind belongs to our modules"
		strangers=$(rdma resource show $kind | grep -vE "comm \[($ours|ib_core)\]") || true
		[ -z "$strangers" ] || fail "these belong to no connection: $strangers"
	done
}

# nfs-utils parses the line by position.
mountstats_line() {
	local words

	words=$(mountstats "$MNT" | awk '$1 == "xprt:" { print NF }')
	[ "$words" = 29 ] || fail "the line xprt: rdma has $words words, in-tree 29"
}

log_tells() {
	log_since | grep -E "$1" > /dev/null || fail "the log does not say: $1"
}

is_down() {
	local state

	state=$(cat "$1/state")
	[ "$state" = closed ] || [ "$state" = none ]
}

# A connection that is down cannot be ended. The mount is idle, but a Call of the client itself, such
# as the renewal of its lease, may connect again: then this ends that connection.
refuses_when_down() {
	local said

	! said=$(bash -c "echo 1 > $1/disconnect" 2>&1) && [[ $said = *'not connected'* ]] && is_down "$1"
}

disconnects_once() {
	local client

	sync
	client=$(connection_dir client)
	echo 1 > "$client/disconnect"
	within 10 refuses_when_down "$client" || fail "the state is '$(cat "$client/state")'"
	stat -f "$MNT" > /dev/null
	! is_down "$client" || fail "the client has not connected again"
}

is_gone() {
	[ ! -e "$1" ]
}

ends_with_its_connection() {
	local client server number

	client=$(connection_dir client)
	server=$(connection_dir server)
	number=$(cat "$client/connection")
	exec 8< "$client/state" 9< "$server/counters"
	log_mark
	echo 1 > "$server/disconnect"
	within 10 is_gone "$server" || fail "$server stays"
	! cat <&9 2> /dev/null || fail "a file of a connection that is gone can be read"
	stat -f "$MNT" > /dev/null
	[ "$(cat "$client/connection")" -gt "$number" ] || fail "the client has not connected again"
	[ "$(cat "$client/last_error_reason")" = 'closed by the peer' ] ||
		fail "the reason is '$(cat "$client/last_error_reason")'"
	[ "$(cat "$client/last_error")" -gt 0 ] || fail "no errno"
	[ "$(cat "$client/last_error_age_seconds")" -lt 30 ] || fail "it is not that long ago"
	[ "$(line_of "$client/counters/connects")" -ge 2 ] || fail "the counters did not survive"
	log_tells 'connection lost: closed by the administrator'
	log_tells 'connection lost: closed by the peer'
	log_tells 'connected, this end is the client, through'
	log_tells 'connected, this end is the server, through'
	log_mark
	nfs_umount
	within 10 is_gone "$client" || fail "$client stays after umount"
	! cat <&8 2> /dev/null || fail "a file of a mount that is gone can be read"
	exec 8<&- 9<&-
	within 10 no_connected_qp || fail "a connection stays"
	log_tells 'disconnected: closed by this end'
}

# Everything is read while connections are made and closed.
readers() {
	local i pid

	while [ ! -e /tmp/enough ]; do
		find $CONNECTIONS -type f -exec cat {} + > /dev/null 2>&1 || true
	done &
	pid=$!
	for i in 1 2 3; do
		nfs_mount 4.2
		cp /tmp/file "$MNT/file$i"
		echo 1 > "$(connection_dir client)/disconnect"
		ls "$MNT" > /dev/null
		echo 1 > "$(connection_dir server)/disconnect"
		sync
		nfs_umount
	done
	touch /tmp/enough
	wait $pid
	within 20 no_connected_qp || fail "a connection stays"
	within 10 nothing_is_shown || fail "directories stay: $(ls $CONNECTIONS)"
}

nothing_is_shown() {
	[ -z "$(ls $CONNECTIONS)" ]
}

link_up
random_file /tmp/file 2000000
modules_load
server_start
nfs_mount 4.2
cp /tmp/file "$MNT/file"
drop_caches
same_file /tmp/file "$MNT/file"
files_are_documented
files_can_be_read
modes_open_nothing
values_are_true
ack_timeouts
busy
objects_have_our_names
mountstats_line
disconnects_once
ends_with_its_connection
readers
! dmesg | grep -E 'no directory in sysfs|cannot create queues' || fail "a warning without a cause"
finish
