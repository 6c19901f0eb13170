# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 16 streams with verified data, over the connections of several clients, until the case
# ends them.
#
#   load_start CLIENTS   begins
#   load_count           how many of the first client's READs and WRITEs were answered
#   load_stuck WHY       fails, and prints what RPCs and tasks wait for
#   load_finish          ends after the current round, which must succeed

LOAD_STREAMS=16
LOAD_STOP=/run/load-stop

load_start() {
	rm -f $LOAD_STOP
	load_jobs "$1" > /tmp/load.fio
	load_rounds > /tmp/load.log 2>&1 &
	LOAD_PID=$!
	within "$(scaled 20)" load_moves || fail "the load does not begin"
}

# nice, so that a guest's single CPU has time for the callbacks.
# Each stream writes blocks of all sizes and reads every one of them back. sunrpc sends an RPC
# again after 60 s: with a longer limit a lost one would pass, if the CPU is not emulated.
load_jobs() {
	local stream

	cat <<- END
	[global]
	clocksource=clock_gettime
	thread
	rw=randwrite
	bsrange=4k-256k
	size=4m
	direct=1
	ioengine=libaio
	iodepth=4
	fallocate=none
	verify=crc32c
	verify_fatal=1
	max_latency=$([ "$SLOW" = 1 ] && scaled 60 || echo 60)s
	do_verify=1
	group_reporting
	END
	for ((stream = 0; stream < LOAD_STREAMS; stream++)); do
		printf '[load%s]\ndirectory=%s\n' "$stream" \
			"$(recall_dir $((stream % $1)))"
	done
}

load_rounds() {
	while [ ! -e $LOAD_STOP ]; do
		nice fio --eta=never /tmp/load.fio || return 1
		echo "LOAD-ROUND"
	done
}

load_count() {
	local dir

	dir=$(recall_dir 0)
	echo $(($(op_count "$dir" READ) + $(op_count "$dir" WRITE)))
}

load_moves() {
	[ "$(load_count)" -gt 0 ]
}

load_running() {
	kill -0 "$LOAD_PID" 2> /dev/null
}

load_finish() {
	load_running || load_failed
	touch $LOAD_STOP
	within "$(scaled 120)" load_ended || fail "the load does not end"
	wait "$LOAD_PID" || load_failed
	say "load: $LOAD_STREAMS streams, $(grep -c LOAD-ROUND /tmp/load.log) rounds verified"
}

load_ended() {
	! load_running
}

# load_stuck WHY: fail, and print what RPCs and tasks wait for
load_stuck() {
	grep -c LOAD-ROUND /tmp/load.log || true
	grep -s . /sys/kernel/debug/sunrpc/rpc_clnt/*/tasks || true
	echo w > /proc/sysrq-trigger
	fail "$1"
}

load_failed() {
	tail -n 40 /tmp/load.log
	fail "the load ended with an error or wrong data"
}
