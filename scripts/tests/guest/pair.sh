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
PAIR_OUTPUT=/run/pair-output

pair_serve() {
	local command status

	coproc PAIR { /usr/bin/python3 "$GUEST_DIR/pair-message" serve $PAIR_PORT $PAIR_OUTPUT; }
	# shellcheck disable=SC2153
	while read -r command <&"${PAIR[0]}"; do
		[ "$command" = stop ] && break
		say "command: $command"
		status=0
		pair_answer "$command" || status=$?
		echo "$status" >&"${PAIR[1]}"
	done
	[ "$command" = stop ] || fail "the client's messages ended without a stop"
	: > $PAIR_OUTPUT
	echo 0 >&"${PAIR[1]}"
	wait "$PAIR_PID" 2> /dev/null || true
}

# Not in a subshell: a command may change the server's variables.
pair_answer() {
	eval "$1" > $PAIR_OUTPUT 2>&1
}

# The shell itself speaks TCP: to start an interpreter takes seconds in a slow guest.
on_server() {
	local fd status

	exec {fd}<> "/dev/tcp/$SERVER_ADDR/$PAIR_PORT" || return 255
	printf '%s\n' "${*//$'\n'/ }" >&"$fd"
	read -r status <&"$fd" && [[ $status =~ ^[0-9]+$ ]] || status=255
	cat <&"$fd"
	exec {fd}>&-
	return "$status"
}

pair_wait_server() {
	within "$(scaled 60)" on_server true 2> /dev/null ||
		fail "the server guest does not answer"
}

pair_stop() {
	on_server stop
}
