# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
#
# Run jobs side by side, longest first, as many as processors and memory allow.
# Sourced by scripts/tests/lab/run, which prints and counts each job's results.
#
# A job has a weight: the processors it can use, with 1.5 GiB of memory each.

job_list=()
declare -A job_weight=() job_result=()

# add_job WEIGHT LENGTH COMMAND...
add_job() {
	local weight=$1 length=$2
	shift 2

	job_list+=("$(printf '%06d %d %s' "$length" "$weight" "${*@Q}")")
}

# Guests wait half of their time: more of them than processors.
slots() {
	local memory by_memory by_cpu

	memory=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
	by_memory=$(((memory - 1000) / 1500))
	by_cpu=$((JOBS * 3 / 2 + 1))
	[ "$by_cpu" -lt "$by_memory" ] && by_memory=$by_cpu
	[ "$by_memory" -ge 2 ] && echo "$by_memory" || echo 2
}

run_jobs() {
	local free line weight command n=0

	[ ${#job_list[@]} -gt 0 ] || return 0
	free=$(slots)
	say "${#job_list[@]} jobs, $free at a time"
	# Not a pipe: the jobs must be children of this shell.
	mapfile -t job_list < <(printf '%s\n' "${job_list[@]}" | sort -rn)
	for line in "${job_list[@]}"; do
		read -r _ weight command <<< "$line"
		while [ "$weight" -gt "$free" ] && [ ${#job_weight[@]} -gt 0 ]; do
			wait_for_one
		done
		n=$((n + 1))
		start_job "$work/result-$n" "$command"
		job_weight[$!]=$weight
		free=$((free - weight))
	done
	while [ ${#job_weight[@]} -gt 0 ]; do
		wait_for_one
	done
}

# Each job in a process group of its own, to end it with all its helpers.
start_job() {
	set -m
	(set +m; eval "$2") > "$1" < /dev/null &
	set +m
	job_result[$!]=$1
}

wait_for_one() {
	local pid rc=0

	wait -n -p pid "${!job_weight[@]}" || rc=$?
	[ -n "${pid:-}" ] || return 0
	count "${job_result[$pid]}"
	grep -qE '^(PASS|FAIL|SKIP) ' "${job_result[$pid]}" ||
		say_result FAIL "a job ended with status $rc and without a result"
	free=$((free + job_weight[$pid]))
	unset "job_weight[$pid]" "job_result[$pid]"
}

end_jobs() {
	local pid

	for pid in "${!job_weight[@]}"; do
		kill -TERM -- "-$pid" 2> /dev/null || true
	done
	[ ${#job_weight[@]} -eq 0 ] || sleep 1
}
