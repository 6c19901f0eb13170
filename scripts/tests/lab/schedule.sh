# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
#
# Run jobs side by side, longest first, as many as processors and memory allow.
# Sourced by scripts/tests/lab/run, which prints and counts each job's results.
#
# A job has a weight: the processors it can use, with 1.5 GiB of memory each.

# Seconds without a result until a line says what is running
PROGRESS=60

job_list=()
jobs_done=0
declare -A job_weight=() job_result_file=() job_begin=() job_name=()

# add_job WEIGHT LENGTH COMMAND...
add_job() {
	local weight=$1 length=$2
	shift 2

	job_list+=("$(printf '%06d %d %s' "$length" "$weight" "${*@Q}")")
}

# Guests are idle half of the time, so there may be more of them than processors.
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
		job_begin[$!]=$SECONDS
		job_name[$!]=$(plain_name "$command")
		free=$((free - weight))
	done
	while [ ${#job_weight[@]} -gt 0 ]; do
		wait_for_one
	done
}

# plain_name COMMAND: its words without quotes, for people
plain_name() {
	local name=${1//\'/}

	echo "${name#*_job }"
}

# Each job has its own process group, to end it with all its children.
start_job() {
	set -m
	(set +m; eval "$2") > "$1" < /dev/null &
	set +m
	job_result_file[$!]=$1
}

# Waits for a job, or says what is running when none has ended for a while.
wait_for_one() {
	local pid='' rc=0 clock

	sleep "$PROGRESS" &
	clock=$!
	wait -n -p pid "$clock" "${!job_weight[@]}" || rc=$?
	if [ "$pid" = "$clock" ]; then
		say_progress
		return
	fi
	kill "$clock" 2> /dev/null || true
	wait "$clock" 2> /dev/null || true
	[ -n "$pid" ] || return 0
	job_ended "$pid" "$rc"
}

job_ended() {
	local pid=$1 file=${job_result_file[$1]}

	jobs_done=$((jobs_done + 1))
	count "$file"
	grep -q '^=RESULT' "$file" ||
		result FAIL "${job_name[$pid]}" - - $((SECONDS - job_begin[$pid])) \
			"the job ended with status $2 and without a result"
	free=$((free + job_weight[$pid]))
	unset "job_weight[$pid]" "job_result_file[$pid]" "job_begin[$pid]" "job_name[$pid]"
}

say_progress() {
	local pid running=''

	for pid in "${!job_weight[@]}"; do
		running+=", ${job_name[$pid]} ($((SECONDS - job_begin[$pid])) s)"
	done
	say "$jobs_done of ${#job_list[@]} jobs done, running: ${running#, }"
}

end_jobs() {
	local pid

	for pid in "${!job_weight[@]}"; do
		kill -TERM -- "-$pid" 2> /dev/null || true
	done
	[ ${#job_weight[@]} -eq 0 ] || sleep 1
}
