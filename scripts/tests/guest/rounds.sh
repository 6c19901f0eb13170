# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Repeats a fault in one guest, and measures the time to recovery. A case makes RUNS
# rounds, few by default; scripts/tests/lab/fault-table collects the lines "recovery: NAME
# MILLISECONDS", whose names are in scripts/tests/lab/faults.
#
#   now_ms                     the time in milliseconds
#   recovery NAME BEGIN        NAME has taken from BEGIN until now
#   recovery_is NAME TOOK      milliseconds, or "never"
#   recovery_report            median and worst of each name, at the end of a case
#   every_round COMMAND...     the command in each round
#   in_turns COMMAND WORD...   the command with each word in turn, at least once
#   promptly SECONDS COMMAND   as "within", but polls more often at first

RUNS=${RUNS:-}
RECOVERY_LOG=/tmp/recovery-times

now_ms() {
	date +%s%3N
}

recovery() {
	recovery_is "$1" $(($(now_ms) - $2))
}

recovery_is() {
	echo "$1 $2" >> $RECOVERY_LOG
	printf 'recovery: %s %s\n' "$1" "$2"
}

recovery_report() {
	local name

	for name in $(cut -d' ' -f1 $RECOVERY_LOG | sort -u); do
		recovery_line "$name"
	done
}

recovery_line() {
	local n

	awk -v name="$1" '$1 == name { print $2 }' $RECOVERY_LOG | sort -n > /tmp/sorted
	n=$(wc -l < /tmp/sorted)
	say "$1: $n times, median $(sed -n "$(((n + 1) / 2))p" /tmp/sorted), worst $(tail -n 1 /tmp/sorted) ms"
}

every_round() {
	local left

	for ((left = ${RUNS:-1}; left > 0; left--)); do
		"$@"
	done
}

in_turns() {
	local command=$1 number
	shift

	for ((number = 0; number < ${RUNS:-1} || number < $#; number++)); do
		"$command" "${@:number % $# + 1:1}"
	done
}

promptly() {
	local end=$((SECONDS + $1)) looks=0
	shift

	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		looks=$((looks + 1))
		[ $looks -le 40 ] && sleep 0.02 || sleep 0.2
	done
}
