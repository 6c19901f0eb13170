#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: verified streams and metadata operations of several clients for SOAK_SECONDS, with random faults: correct data, nothing left
# lanes: umldbg smpdbg kcsan
# provider: rxe siw
# lengths: short full
# guests: 1
# mods: ours
# timeout: 400
# in-check: yes
# lanes[full]: umldbg
# timeout[full]: 4500
# in-check[full]: no
# env[full]: SOAK_SECONDS=3600

# SOAK_SECONDS=number sets the time; "env[full]" above does so for the full run.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/recall.sh"
. "$GUEST_DIR/recall-load.sh"

SOAK_SECONDS=${SOAK_SECONDS:-60}
CLIENTS=3
FAIL=/sys/kernel/debug/rpcrdma_fail
FAULTS="cut cut restart post_send post_recv register completion"
META_STOP=/run/meta-stop

# Create, rename, look and remove, of a client of its own with NFSv3.
metadata() {
	local round=0 dir=/mnt/meta/soak

	mkdir $dir
	while [ ! -e $META_STOP ]; do
		round=$((round + 1))
		echo $round > $dir/a
		mv $dir/a $dir/b
		[ "$(cat $dir/b)" = $round ] || fail "round $round: a file has another content"
		mkdir $dir/d
		[ "$(find $dir -mindepth 1 | wc -l)" -eq 2 ] || fail "round $round: a name is missing"
		rmdir $dir/d
		rm $dir/b
	done
	rmdir $dir
	echo $round > /run/meta-rounds
}

fault_point() {
	echo $((RANDOM % 100 + 1)) > "$FAIL/$1/interval"
	echo 1 > "$FAIL/$1/times"
	echo 100 > "$FAIL/$1/probability"
}

# strike FAULT: false if there was nothing to strike
strike() {
	case $1 in
	cut)		echo $RANDOM 2> /dev/null > /sys/module/test_cut/parameters/cut ;;
	restart)	server_restart 1
			recall_ports $CLIENTS
			serves_again || fail "the server was not restarted" ;;
	*)		fault_point "$1" ;;
	esac
}

serves_again() {
	[ "$(cat $NFSD/threads)" -eq "$NFSD_THREADS" ] &&
		[ "$(grep -c '^rdma ' $NFSD/portlist)" -ge "$CLIENTS" ]
}

# has_struck FAULT: a fault point was reached
has_struck() {
	case $1 in
	cut|restart)	true ;;
	*)		[ "$(cat "$FAIL/$1/times")" -eq 0 ] ;;
	esac
}

one_fault() {
	local list name

	read -r -a list <<< "$FAULTS"
	name=${list[RANDOM % ${#list[@]}]}
	tried=$((tried + 1))
	struck=yes
	strike "$name" || struck=no
	sleep "$((RANDOM % 6 + 1))"
	has_struck "$name" || struck=no
	[ $struck = no ] || faults+=" $name"
	load_running || load_failed
	kill -0 $META 2> /dev/null || fail "the metadata operations have ended"
}

# Without a connection there is nothing to cut, and a fault point is not always reached in
# time. But most are.
most_struck() {
	[ $((2 * $(wc -w <<< "$faults"))) -ge $tried ] || fail "of $tried faults only these struck:$faults"
}

moved_since() {
	[ "$(load_count)" -gt "$1" ]
}

link_up
insmod "$TESTMOD_DIR/test_cut.ko"
modules_load
[ -d $FAIL ] || fail "the modules have no fault points on this kernel"
for name in post_send post_recv register completion; do
	echo 0 > "$FAIL/$name/verbose"
done
recall_server_start
recall_ports $CLIENTS
for ((client = 0; client < CLIENTS; client++)); do
	recall_mount $client
done
nfs_mount 3 /mnt/meta
load_start $CLIENTS
metadata &
META=$!
faults=
tried=0
begin=$SECONDS
while [ $((SECONDS - begin)) -lt "$SOAK_SECONDS" ]; do
	one_fault
	count=$(load_count)
	within "$(scaled 60)" moved_since "$count" || load_stuck "the I/O does not go on"
done
touch $META_STOP
within "$(scaled 60)" test -e /run/meta-rounds || fail "the metadata operations do not end"
wait $META || fail "the metadata operations failed"
load_finish
say "faults that struck: $(wc -w <<< "$faults") of $tried:$faults; in $((SECONDS - begin)) s, $(cat /run/meta-rounds) rounds of metadata operations"
most_struck
umount_all
server_stop
within 10 no_connected_qp || fail "a connection stays"
rmmod test_cut
finish
