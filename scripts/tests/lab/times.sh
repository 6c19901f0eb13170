# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
#
# How long runs took on this machine, to begin the longest first. Sourced by
# scripts/tests/lab/run.

# Lines "SECONDS NAME PROVIDER LANE", the last time that each run passed
TIMES=$CACHE/times

declare -A measured=()
# By lane, and of all lanes under "all": seconds that runs took, and the limits of the same runs
declare -A lane_took=() lane_limits=()

read_times() {
	local seconds run

	[ -e "$TIMES" ] || return 0
	while read -r seconds run; do
		measured[$run]=$seconds
	done < "$TIMES"
}

# learn_time RUN LIMIT LANE: runs that were not measured take the same part of their limit as
# those that were
learn_time() {
	local lane

	[ -n "${measured[$1]:-}" ] || return 0
	for lane in "$3" all; do
		lane_took[$lane]=$((${lane_took[$lane]:-0} + measured[$1]))
		lane_limits[$lane]=$((${lane_limits[$lane]:-0} + $2))
	done
}

# expected_time RUN LIMIT LANE: sets REPLY to what was measured; before, to a part of the limit: that
# of other runs on the lane, or on all lanes, or an eighth
expected_time() {
	local lane=$3

	[ -n "${lane_limits[$lane]:-}" ] || lane=all
	REPLY=${measured[$1]:-$(($2 * ${lane_took[$lane]:-1} / ${lane_limits[$lane]:-8}))}
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
