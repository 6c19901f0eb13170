# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
#
# Run jobs side by side, those with the most work first, as many as processors and memory allow. A
# light job does not wait behind a heavy one, so a heavy one that is not among the first runs late.
# A whole check begins with what each check must have, and begins other cases only if they end in time.
# There a light job does wait: a heavy one that runs late would never run.
# Sourced by scripts/tests/lab/run, which prints and counts each job's results.
#
# A job has a weight: the processors it can use, with 1.5 GiB of memory each.

# Seconds without a result until a line says what is running
PROGRESS=${LAB_PROGRESS:-60}
# Seconds until a look for jobs that were killed
LOOK=10
# A whole check begins a case that may be left out if it will have ended so many seconds after the begin
# of the check, by what it took before,
PLAN_SECONDS=${LAB_PLAN_SECONDS:-2400}
# or so many after the first job began: kernels and modules may have taken long to build
PLAN_LEAST=${LAB_PLAN_LEAST:-900}

job_list=()
# The first so many of the list must run
needed_jobs=0
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
	local free weight command n=0 end

	[ ${#job_list[@]} -gt 0 ] || return 0
	free=$(slots)
	order_jobs
	end=$((SECONDS + PLAN_LEAST))
	[ $end -gt "$PLAN_SECONDS" ] || end=$PLAN_SECONDS
	mkfifo "$work/ended"
	exec {ended}<> "$work/ended"
	say "${#job_list[@]} jobs, $free at a time"
	set -m
	(set +m; watch_progress) < /dev/null &
	progress=$!
	set +m
	while :; do
		if take_job; then
			n=$((n + 1))
			start_job "$work/result-$n" "$command"
			job_weight[$!]=$weight
			[[ $command != "'case_job' "* ]] || cases_begun=$((cases_begun + 1))
			echo "$(date +%s) $(plain_name "$command")" > "$work/running.$!"
			free=$((free - weight))
		elif [ ${#job_weight[@]} -gt 0 ]; then
			wait_for_one
		else
			break
		fi
	done
	end_progress
	leave_out_the_rest
}

# Those with the most work come first. In a whole check, what each check must have, the heaviest first;
# then one case of each lane, then the others. From one turn to the next these begin with another case.
order_jobs() {
	local n=${#job_list[@]} i at lane needed=() first=() others=()
	local -A lanes=()

	needed_jobs=$n
	if ! whole_check; then
		sort_jobs job_list -k1,1rn
		return
	fi
	for ((i = 0; i < n; i++)); do
		at=$(((TURN * 7 + i) % n))
		job_lane $at
		lane=$REPLY
		if ! job_may_be_left_out $at; then
			needed+=("${job_list[at]}")
		elif [ -z "${lanes[$lane]:-}" ]; then
			lanes[$lane]=yes
			first+=("${job_list[at]}")
		else
			others+=("${job_list[at]}")
		fi
	done
	needed_jobs=${#needed[@]}
	sort_jobs needed -k2,2rn -k1,1rn
	job_list=("${needed[@]}" "${first[@]}" "${others[@]}")
}

# sort_jobs ARRAY KEY...: by work (1) or weight (2), as for sort(1)
sort_jobs() {
	local -n jobs=$1

	[ ${#jobs[@]} -eq 0 ] || mapfile -t jobs < <(printf '%s\n' "${jobs[@]}" | sort "${@:2}")
}

# Not a job is running
leave_out_the_rest() {
	local i

	for i in "${!job_list[@]}"; do
		leave_out "$i"
	done
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
		"left out for want of time on this machine"
	cases_left_out=$((cases_left_out + 1))
	unset "job_list[$1]"
}

# Sets weight and command to those of the first job that may begin; without another job each fits.
take_job() {
	local i work

	for i in "${!job_list[@]}"; do
		read -r work weight command <<< "${job_list[i]}"
		[ "$i" -lt $needed_jobs ] || [ $((SECONDS + 10#$work / weight)) -le "$end" ] || continue
		if [ "$weight" -le "$free" ] || [ ${#job_weight[@]} -eq 0 ]; then
			unset "job_list[i]"
			return
		fi
		! whole_check || break
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
