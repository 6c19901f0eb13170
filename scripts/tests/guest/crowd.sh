# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Crowds of raw peers ("peer crowd"): programs that keep many connections, read commands from a
# pipe, and answer each with a line. For cases that also source peer.sh. Each crowd has a name.
#
#	crowd_start NAME ARGUMENT...	start it; its first line is "up ..."
#	crowd_command NAME LINE		give it a command
#	crowd_expect NAME WORD SECONDS	wait for its next line, which begins with WORD
#	crowd_field NAME COLUMN		a word of its last line
#	crowd_stop NAME...		end them; each must have found nothing wrong

declare -A CROWD_PIPE CROWD_PID CROWD_LINES

crowd_start() {
	local name=$1 pipe

	shift
	mkfifo "/tmp/$name.in"
	"$PEER" crowd "$@" "$PORT" < "/tmp/$name.in" > "/tmp/$name.log" 2>&1 &
	CROWD_PID[$name]=$!
	exec {pipe}> "/tmp/$name.in"
	CROWD_PIPE[$name]=$pipe
	CROWD_LINES[$name]=0
}

crowd_runs() {
	kill -0 "${CROWD_PID[$1]}" 2> /dev/null
}

crowd_command() {
	crowd_runs "$1" || fail "$1 has ended: $(cat "/tmp/$1.log")"
	echo "$2" >&"${CROWD_PIPE[$1]}"
}

# One that has ended says no more
crowd_expect() {
	CROWD_LINES[$1]=$((CROWD_LINES[$1] + 1))
	within "$(scaled "$3")" crowd_said_or_ended "$1" "$2" || :
	crowd_said "$1" "$2" || fail "$1 does not say $2: $(cat "/tmp/$1.log")"
}

# Notes of the peer, which begin with "  # ", are no answers
crowd_said() {
	[[ $(sed '/^  # /d' "/tmp/$1.log" | sed -n "${CROWD_LINES[$1]}p") == "$2 "* ]]
}

crowd_said_or_ended() {
	crowd_said "$1" "$2" || ! crowd_runs "$1"
}

crowd_field() {
	tail -n1 "/tmp/$1.log" | awk -v column="$2" '{ print $column }'
}

# All pipes are closed before any wait, because each crowd has inherited those before its own
crowd_stop() {
	local name pipe

	for name in "$@"; do
		pipe=${CROWD_PIPE[$name]}
		exec {pipe}>&-
	done
	for name in "$@"; do
		wait "${CROWD_PID[$name]}" || fail "$name has found something wrong: $(cat "/tmp/$name.log")"
	done
}
