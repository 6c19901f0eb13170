# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
#
# Run jobs side by side, those with the most work first, as many as processors and memory allow. A
# light job does not wait behind a heavy one, so a heavy one that is not among the first runs late.
# Sourced by scripts/tests/lab/run, which prints and counts each job's results.
#
# A job has a weight: the processors it can use, with 1.5 GiB of memory each.

# Seconds without a result until a line says what is running
PROGRESS=${LAB_PROGRESS:-60}
# Seconds until a look for jobs that were killed
LOOK=10
# A whole check also ends in time on a slow machine. It plans jobs until so many seconds after its
# begin, other runs in each check,
PLAN_SECONDS=${LAB_PLAN_SECONDS:-2400}
# and for so many at least: kernels and modules that are built first may have taken longer,
PLAN_LEAST=${LAB_PLAN_LEAST:-900}
# and after so many seconds it begins no case
BEGIN_CASES=${LAB_BEGIN_CASES:-4200}

job_list=()
# Jobs for which there was no time in the plan
left_over=()
declare -A job_weight=() job_result_file=()
cases_begun=0
cases_left_out=0

# add_job WEIGHT LENGTH COMMAND...
add_job() {
	local weight=$1 length=$2 job
	shift 2

	printf -v job '%06d %d %s' $((length * weight)) "$weight" "${*@Q}"
	job_list+=("$job")
}

# Guests are idle half of the time, so there may be more of them than processors. Not on a slow
# machine: there they are busy.
slots() {
	local memory by_memory by_cpu=$JOBS

	memory=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
	by_memory=$(((memory - 1000) / 1500))
	[ "${LAB_PACE:-1}" -gt 1 ] || by_cpu=$((JOBS * 3 / 2 + 1))
	[ "$by_cpu" -lt "$by_memory" ] && by_memory=$by_cpu
	[ "$by_memory" -ge 2 ] && echo "$by_memory" || echo 2
}

run_jobs() {
	local free weight command n=0 slots

	[ ${#job_list[@]} -gt 0 ] || return 0
	slots=$(slots)
	free=$slots
	! whole_check || plan_jobs "$slots"
	mkfifo "$work/ended"
	exec {ended}<> "$work/ended"
	say "${#job_list[@]} jobs, $free at a time"
	set -m
	(set +m; watch_progress) < /dev/null &
	progress=$!
	set +m
	# Not a pipe: the jobs must be children of this shell.
	mapfile -t job_list < <(printf '%s\n' "${job_list[@]}" | sort -rn)
	while [ ${#job_list[@]} -gt 0 ] || plan_more_jobs "$slots"; do
		if whole_check && [ $SECONDS -ge "$BEGIN_CASES" ]; then
			leave_out_cases
			[ ${#job_list[@]} -gt 0 ] || break
		fi
		if ! take_job; then
			wait_for_one
			continue
		fi
		n=$((n + 1))
		start_job "$work/result-$n" "$command"
		job_weight[$!]=$weight
		[[ $command != "'case_job' "* ]] || cases_begun=$((cases_begun + 1))
		echo "$(date +%s) $(plain_name "$command")" > "$work/running.$!"
		free=$((free - weight))
	done
	while [ ${#job_weight[@]} -gt 0 ]; do
		wait_for_one
	done
	end_progress
	leave_out_the_rest
}

# plan_jobs SLOTS: the first plan of a whole check
plan_jobs() {
	local seconds=$((PLAN_SECONDS - SECONDS))

	[ $seconds -ge "$PLAN_LEAST" ] || seconds=$PLAN_LEAST
	fit_the_time "$1" $seconds
	[ ${#left_over[@]} -eq 0 ] ||
		say "for which there may be no time: ${#left_over[@]} runs"
}

# plan_more_jobs SLOTS: when all have begun, and took less time than they were expected to
plan_more_jobs() {
	[ ${#left_over[@]} -gt 0 ] && [ $SECONDS -lt "$PLAN_SECONDS" ] || return
	job_list=("${left_over[@]}")
	left_over=()
	fit_the_time "$1" $((PLAN_SECONDS - SECONDS))
	[ ${#job_list[@]} -gt 0 ]
}

# fit_the_time SLOTS SECONDS: move the runs that do not fit to left_over, by what they took before. Those
# that are in each check stay, then comes one run of each lane, then the others. From one turn to the next
# the first run that is kept is another one.
fit_the_time() {
	local n=${#job_list[@]} seconds=$2 left=$(($1 * $2)) i at pass
	local -A kept=() lanes=()

	for i in "${!job_list[@]}"; do
		job_may_be_left_out "$i" || keep_job "$i"
	done
	for pass in lanes all; do
		for ((i = 0; i < n; i++)); do
			at=$(((TURN * 7 + i) % n))
			job_lane $at
			[ -z "${kept[$at]:-}" ] || continue
			[ $pass = all ] || [ -z "${lanes[$REPLY]:-}" ] || continue
			! job_fits $at || keep_job $at
		done
	done
	for ((i = 0; i < n; i++)); do
		[ -z "${kept[$i]:-}" ] || continue
		left_over+=("${job_list[i]}")
		unset "job_list[$i]"
	done
}

# job_fits JOB: of fit_the_time
job_fits() {
	local work weight

	read -r work weight _ <<< "${job_list[$1]}"
	[ $((10#$work)) -le $left ] && [ $((10#$work / weight)) -le "$seconds" ]
}

# keep_job JOB: of fit_the_time
keep_job() {
	job_lane "$1"
	kept[$1]=yes
	lanes[$REPLY]=yes
	left=$((left - 10#${job_list[$1]%% *}))
}

# Those that have not begun
leave_out_cases() {
	local i

	for i in "${!job_list[@]}"; do
		! job_is_case "$i" || leave_out "$i"
	done
}

leave_out_the_rest() {
	job_list=("${left_over[@]}")
	left_over=()
	leave_out_cases
	[ $cases_left_out -eq 0 ] || say "left out for want of time: $cases_left_out runs"
}

# There was no time for any
no_case_begun() {
	[ $cases_left_out -gt 0 ] && [ $cases_begun = 0 ]
}

# Not KUnit, and not a check of the source: these stay
job_is_case() {
	[[ ${job_list[$1]} == *" 'case_job' "* ]]
}

# job_words JOB: sets words to the command of a job; of a case, case_job RUN LANE PROVIDER PEERS
job_words() {
	local command

	read -r _ _ command <<< "${job_list[$1]}"
	eval "words=($command)"
}

job_may_be_left_out() {
	local words

	job_is_case "$1" || return 1
	job_words "$1"
	! in_each_check "${words[1]}" "${words[3]}" "${words[2]}" "${words[4]}"
}

# job_lane JOB: sets REPLY
job_lane() {
	local words

	job_words "$1"
	REPLY=${words[2]:-host}
}

# leave_out JOB
leave_out() {
	local words

	job_words "$1"
	skip_run "${words[1]}" "${words[3]}" "${words[2]}" "${words[4]}" \
		"no time was left for it on this machine: the check had taken $SECONDS s"
	cases_left_out=$((cases_left_out + 1))
	unset "job_list[$1]"
}

# Sets weight and command to those of the largest job that fits; without another job each fits.
take_job() {
	local i

	for i in "${!job_list[@]}"; do
		read -r _ weight command <<< "${job_list[i]}"
		[ "$weight" -le "$free" ] || [ ${#job_weight[@]} -eq 0 ] || continue
		unset "job_list[i]"
		return
	done
	return 1
}

end_progress() {
	[ -z "${progress:-}" ] || kill -TERM -- "-$progress" 2> /dev/null || true
	progress=
}

# plain_name COMMAND: its words without quotes, for people
plain_name() {
	local name=${1//\'/}

	name=${name#*_job }
	echo "${name#"$TOP/"}"
}

# Each job has its own process group, to end it with all its children. At its end it writes
# its process ID to $ended.
start_job() {
	set -m
	(set +me; (set -e; eval "$2"); rc=$?; echo $BASHPID >&"$ended"; exit $rc) > "$1" < /dev/null &
	set +m
	job_result_file[$!]=$1
}

# gone_job: a job that was killed before it could write to $ended
gone_job() {
	local pid

	for pid in "${!job_weight[@]}"; do
		kill -0 "$pid" 2> /dev/null || { echo "$pid"; return; }
	done
}

# Not "wait -n": bash can forget jobs that end together, and then waits for ever. The status
# of such a job is that of an unknown one, 127.
wait_for_one() {
	local pid='' rc=0

	until [ -n "${pid:+${job_weight[$pid]:-}}" ]; do
		read -r -t "$LOOK" -u "$ended" pid || pid=$(gone_job)
	done
	wait "$pid" 2> /dev/null || rc=$?
	[ $rc -ne 127 ] || rc=unknown
	job_ended "$pid" "$rc"
}

# A job that was stopped by an error of its own may have printed some of its results.
job_ended() {
	local pid=$1 file=${job_result_file[$1]} begun name why=''

	read -r begun name < "$work/running.$pid"
	count "$file"
	if ! grep -q '^=RESULT' "$file"; then
		why="the job ended with status $2 and without a result"
	elif [ "$2" != 0 ] && [ "$2" != unknown ]; then
		why="the job ended with status $2 after its results"
	fi
	[ -z "$why" ] || result FAIL "$name" - - $(($(date +%s) - begun)) "$why"
	free=$((free + job_weight[$pid]))
	unset "job_weight[$pid]" "job_result_file[$pid]"
	rm -f "$work/running.$pid"
}

# In the background: says what is running when no job has ended for a while. The files
# "$work/running.PID" have a name and a time each, written by run_jobs.
watch_progress() {
	local now before='' running

	while sleep "$PROGRESS"; do
		now=$(cat "$work"/running.* 2> /dev/null || true)
		if [ -n "$now" ] && [ "$now" = "$before" ]; then
			running=$(awk -v now="$(date +%s)" '{ begun = $1; sub(/^[0-9]+ /, "")
				printf "%s%s (%d s)", n++ ? ", " : "", $0, now - begun }' <<< "$now")
			say "still running: $running"
		fi
		before=$now
	done
}

end_jobs() {
	local pid

	end_progress
	for pid in "${!job_weight[@]}"; do
		kill -TERM -- "-$pid" 2> /dev/null || true
	done
	[ ${#job_weight[@]} -eq 0 ] || sleep 1
}
