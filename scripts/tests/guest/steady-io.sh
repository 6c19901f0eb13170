# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Verified I/O at a steady rate in the background, for cases that disturb the connection
# meanwhile. fio writes each block once and reads all of them back at the end; with direct
# I/O, so that every write is an RPC.
#
#   steady_start SECONDS    begins, and returns when data is moving
#   steady_count            notes how many WRITEs and READs have been answered so far
#   steady_goes_on SECONDS  waits until more of them have been answered, or all
#   steady_recovers NAME BEGIN SECONDS   waits for the first of them, see rounds.sh
#   steady_longest          milliseconds that an I/O took at most, after the end
#   steady_running          true while it goes on
#   steady_finish SECONDS   waits for the end; fails if there was an error

STEADY_JOBS=4
STEADY_LOG=/tmp/steady.log

steady_start() {
	local blocks=$(($1 * 8))

	fio --eta=never --output=$STEADY_LOG --clocksource=clock_gettime --directory="$MNT" --name=steady --thread \
		--numjobs=$STEADY_JOBS --rw=randwrite --bs=60k --size=$((blocks * 60))k \
		--direct=1 --ioengine=libaio --iodepth=4 --rate_iops=8 --fallocate=none \
		--verify=crc32c --verify_fatal=1 --do_verify=1 --group_reporting &
	STEADY_PID=$!
	steady_count
	within "$(scaled 20)" steady_moved 10 || fail "the I/O does not begin"
}

steady_goes_on() {
	within "$(scaled "$1")" steady_went_on || fail "the I/O does not go on"
}

steady_recovers() {
	steady_running || fail "the I/O was over too early"
	promptly "$(scaled "$3")" steady_moved 1 || fail "the I/O does not go on for $3 s"
	recovery "$1" "$2"
}

# fio's longest latency; it chooses the unit.
steady_longest() {
	sed -nE 's/^ +lat \((.)sec\):.* max= ?([0-9.]+)(k?),.*/\1 \2 \3/p' $STEADY_LOG | awk '
		{ ms = $2 * ($3 == "k" ? 1000 : 1)
		  if ($1 == "u") ms /= 1000
		  if ($1 == "n") ms /= 1000000
		  if (ms > most) most = ms }
		END { printf "%.0f\n", most }'
}

# steady_moved MORE: so many have been answered since the count was taken
steady_moved() {
	[ "$(op_count "$MNT" "WRITE READ")" -ge $((STEADY_ANSWERS + $1)) ]
}

# A disturbance may last longer than the rest of the I/O.
steady_went_on() {
	steady_moved 10 || steady_ended
}

steady_count() {
	STEADY_ANSWERS=$(op_count "$MNT" "WRITE READ")
}

steady_running() {
	kill -0 "$STEADY_PID" 2> /dev/null
}

steady_finish() {
	within "$(scaled "$1")" steady_ended || fail "the I/O does not end"
	wait "$STEADY_PID" || {
		cat $STEADY_LOG
		fail "the I/O ended with an error or wrong data"
	}
	say "steady I/O verified: $(grep -m 2 -oE '(READ|WRITE): .*io=[^)]*\)' $STEADY_LOG | paste -sd' ')"
}

steady_ended() {
	! steady_running
}
