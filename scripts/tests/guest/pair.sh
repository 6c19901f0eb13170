# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Two guests: the same case runs in both. The client controls; the server runs the
# commands that the client sends, one at a time, until it is told to stop.
#
#   pair_serve              server: loop until "stop"
#   on_server COMMAND...    client: run it there, show its output, return its status
#   pair_stop               client: the server may finish
#
# Messages use TCP on the virtual link, so there are none while the link is down.

PAIR_PORT=7070

pair_message() {
	/usr/bin/python3 "$GUEST_DIR/pair-message" "$@"
}

pair_serve() {
	local command status

	coproc PAIR { pair_message serve $PAIR_PORT; }
	# shellcheck disable=SC2153
	while read -r command <&"${PAIR[0]}"; do
		[ "$command" = stop ] && break
		say "command: $command"
		status=0
		pair_answer "$command" || status=$?
		printf '%s %s\n' "$status" "$(base64 -w0 /run/pair-output)" >&"${PAIR[1]}"
	done
	[ "$command" = stop ] || fail "the client's messages ended without a stop"
	printf '0 \n' >&"${PAIR[1]}"
	wait "$PAIR_PID" 2> /dev/null || true
}

# Not in a subshell: a command may change the server's variables.
pair_answer() {
	eval "$1" > /run/pair-output 2>&1
}

on_server() {
	pair_message ask "$SERVER_ADDR" $PAIR_PORT "$*"
}

pair_wait_server() {
	within "$(scaled 60)" pair_message ask "$SERVER_ADDR" $PAIR_PORT true 2> /dev/null ||
		fail "the server guest does not answer"
}

pair_stop() {
	on_server stop
}
