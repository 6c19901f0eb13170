#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: each bpftrace script attaches to the tracepoints of the loaded modules, and shows the RPCs, registrations, waits and closes of a mount
# lanes: stock
# provider: rxe
# guests: 1
# mods: ours
# timeout: 240
# in-check: no

. "${GUEST_LIB:?}"

scripts=$SRC/scripts/bpftrace

begun() {
	[ "$(wc -l < /tmp/trace)" -ge 2 ]
}

load() {
	dd if="$MNT/data" of=/dev/null bs=1M iflag=direct status=none
	dd if=/dev/zero of="$MNT/written" bs=1M count=4 oflag=direct status=none
}

lose() {
	echo 1 > "$(echo /sys/kernel/rpcrdma/connections/client-*)/disconnect"
	ls "$MNT" > /dev/null
}

# traced SCRIPT ARGUMENT ACTION SECONDS PATTERN...: what it prints while the action runs matches each
traced() {
	local script=$1 argument=$2 action=$3 seconds=$4 tracer pattern
	shift 4

	: > /tmp/trace
	# shellcheck disable=SC2086
	bpftrace -B none "$scripts/$script" $argument > /tmp/trace 2> /tmp/errors &
	tracer=$!
	within "$(scaled 60)" begun || fail "$script does not begin: $(cat /tmp/errors)"
	"$action"
	sleep "$seconds"
	kill -INT $tracer
	wait $tracer || fail "$script fails: $(cat /tmp/errors)"
	say "$script $argument:"
	head -n 60 /tmp/trace
	[ ! -s /tmp/errors ] || fail "$script complains: $(cat /tmp/errors)"
	for pattern in "$@"; do
		grep -qE -- "$pattern" /tmp/trace || fail "$script does not show $pattern"
	done
}

link_up
modules_load
server_start
nfs_mount 4.2
random_file "$MNT/data" $((8 << 20))
client=$(cat /sys/kernel/rpcrdma/connections/client-*/connection)
# No RPC is so slow; every one is.
traced slow-rpcs.bt 100000 load 1 '^@microseconds\[READ\]:' '^@microseconds\[WRITE\]:'
! grep -qE '0x[0-9a-f]{8}' /tmp/trace || fail "an RPC took 100 s"
sed 's/@limit \* 1000/0/' "$scripts/slow-rpcs.bt" > /tmp/all.bt
scripts=/tmp traced all.bt 1 load 1 "^[0-9:]{8}  $client +0x[0-9a-f]{8} READ +[0-9]+\.[0-9]{3}$"
traced registration.bt "" load 1 "^@nanoseconds\[$client\]:" "^@pages_of_a_region\[$client\]:" \
	"^@regions_of_a_call\[$client\]:"
traced waits.bt "" load 12 "^@device_us_by_conn\[$client\]:"
traced refusals.bt "" lose 1 "closed +$client +- +closed by the administrator" \
	'^@closed\[closed by the administrator\]: 1'
finish
