#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: one guest of two is suspended during I/O, the client and then the server: the I/O continues when it is back, correct data
# lanes: uml umldbg
# provider: rxe siw
# lengths: short full
# guests: 2
# peers: ours-ours
# every: uml/siw
# timeout: 180
# in-check: yes
# timeout[full]: 400
# in-check[full]: no
# env[full]: SUSPEND_SECONDS=60

# SUSPEND_SECONDS=number sets the time; "env[full]" above does so for the full run. By
# then the other guest must have detected that its peer is dead, so the time is longer than
# the keepalive time (rpcrdma.keepalive_seconds).

. "${GUEST_LIB:?}"
. "$GUEST_DIR/steady-io.sh"

SUSPEND_SECONDS=${SUSPEND_SECONDS:-15}
# As after a cut of the link
SECONDS_TO_RESUME=30

# The runner reads this line on the console, and stops the guest. The clock of the
# guest goes on meanwhile, as that of a suspended machine seems to do.
suspend_me() {
	echo "LAB-SUSPEND $SUSPEND_SECONDS"
}

# Prints when this guest went on, in milliseconds.
suspend_and_wait() {
	local last now

	last=$(now_ms)
	suspend_me > /dev/console
	for _ in {1..100}; do
		sleep 0.1
		now=$(now_ms)
		[ $((now - last)) -lt $((SUSPEND_SECONDS * 900)) ] || break
		last=$now
	done
	[ $((now - last)) -lt $((SUSPEND_SECONDS * 900)) ] || echo "$now"
}

# The load alone may have been over before the suspension was.
write_once() {
	limited 100 dd if=/dev/zero of="$MNT/once" bs=4k count=1 oflag=direct status=none ||
		fail "a WRITE after the suspension is not answered"
}

# recovered SIDE TOOK: a guest may be at work a moment before it sees that it is back
recovered() {
	local took=$(($2 > 0 ? $2 : 0))

	recovery_is "suspend-$1" $took
	[ $took -le $(($(scaled $SECONDS_TO_RESUME) * 1000)) ] || fail "that took too long"
}

suspend_client() {
	local back

	back=$(suspend_and_wait)
	[ -n "$back" ] || fail "the runner has not suspended this guest"
	write_once
	recovered client $(($(now_ms) - back))
}

# The server has no way to tell, so it is asked when it was back. Both guests have the
# clock of the host.
suspend_server() {
	local answered

	# Its answer is sent first.
	on_server 'rm -f /run/back; (sleep 1; suspend_and_wait > /run/back) &'
	sleep $((SUSPEND_SECONDS / 2))
	write_once
	answered=$(now_ms)
	within "$(scaled 60)" on_server test -s /run/back ||
		fail "the runner has not suspended the server"
	recovered server $((answered - $(on_server cat /run/back)))
}

suspended_during_io() {
	local side=$1

	nfs_mount 4.1
	steady_start 5
	suspend_"$side"
	steady_finish 90
	rm "$MNT"/steady*
	nfs_umount
}

server() {
	server_start
	pair_serve
	finish
}

client() {
	local left

	client_start
	pair_wait_server
	for ((left = ${RUNS:-1}; left > 0; left--)); do
		suspended_during_io client
		suspended_during_io server
	done
	recovery_report
	pair_stop
	finish
}

link_up
modules_load
"$ROLE"
