# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
#
# How long runs took on this machine, to begin the longest first. Sourced by
# scripts/tests/lab/run.

# Lines "SECONDS NAME PROVIDER LANE", the last time that each run passed
TIMES=$CACHE/times

declare -A measured=()

read_times() {
	local seconds run

	[ -e "$TIMES" ] || return 0
	while read -r seconds run; do
		measured[$run]=$seconds
	done < "$TIMES"
}

# expected_time RUN LIMIT: sets REPLY to what was measured; before, to a part of the limit
expected_time() {
	REPLY=${measured[$1]:-$(($2 / 8))}
}

keep_times() {
	with_lock times merge_times
}

merge_times() {
	touch "$TIMES"
	awk -F'\t' -v OFS=' ' '
		FNR == NR { if ($1 == "=RESULT" && $2 == "PASS") last[$3 " " $4 " " $5] = $6; next }
		{ run = $0; sub(/^[0-9]+ /, "", run); if (!(run in last)) print }
		END { for (run in last) print last[run], run }
	' "$work/results" "$TIMES" > "$TIMES.new" && mv "$TIMES.new" "$TIMES"
}
