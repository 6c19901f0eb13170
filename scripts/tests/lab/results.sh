# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
#
# Results of scripts/tests/lab/run: as TAP on standard output, and as JUnit XML in a
# file. Sourced by it.
#
# A job prints a line for each result, with TABs:
#   =RESULT PASS|FAIL|SKIP NAME PROVIDER LANE SECONDS TEXT
# and lines that explain a failure after it. The runner adds what all results have in common:
#   =FACT NAME VALUE

# Logs of guests, and junit.xml
LOGS=${LAB_LOGS:-$CACHE/logs}

passed=0
failed=0
skipped=0
failed_names=()

# job_result STATUS NAME PROVIDER LANE SECONDS [TEXT]: what a job prints
job_result() {
	printf '=RESULT\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$5" "${6:-}"
}

# The same from the runner itself
result() {
	job_result "$@" > "$work/now"
	count "$work/now"
}

# Sets REPLY to "rxe", or to "rxe/ours-intree" where the modules are not all ours
shown_peers() {
	if [ -n "$MODS" ]; then
		REPLY=$1/in-tree
	elif [ "$2" = ours ]; then
		REPLY=$1
	else
		REPLY=$1/$2
	fi
}

# count RESULT-FILE: print the results in it, and count them
count() {
	local line

	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		=RESULT*)
			count_one "$line" ;;
		*)
			printf '# %s\n' "$line"
			printf '%s\n' "$line" >> "$work/results" ;;
		esac
	done < "$1"
}

# Not by "read" with IFS: TABs in a row would count as one.
count_one() {
	local word status name seconds text

	mapfile -d $'\t' -t word <<< "$1"
	status=${word[1]}
	name="${word[2]} ${word[3]} ${word[4]}"
	name=${name// - / }
	name=${name% -}
	seconds=${word[5]}
	text=${word[6]%$'\n'}
	if [ "$status$text" = SKIP ]; then
		status=FAIL
		text="skipped without a reason"
	fi
	case $status in
	PASS)	passed=$((passed + 1))
		tap "ok" "$name" "$seconds s${text:+, $text}" ;;
	FAIL)	failed=$((failed + 1))
		failed_names+=("$name: $text")
		tap "not ok" "$name" "$seconds s${text:+, $text}" ;;
	SKIP)	skipped=$((skipped + 1))
		tap "ok" "$name" "SKIP $text" ;;
	*)	status=FAIL
		text="unknown result: $1"
		failed=$((failed + 1))
		failed_names+=("$name: $text")
		tap "not ok" "$name" "$text" ;;
	esac
	job_result "$status" "${word[@]:2:4}" "$text" >> "$work/results"
}

tap() {
	echo "$1 $((passed + failed + skipped)) - $2 # $3"
}

begin_results() {
	: > "$work/results"
	fact begun "$(date -u +%FT%TZ)"
	fact modules "${MODS:-ours}"
	fact revision "$(revision)"
	fact options "$(options_name "${STRICT:-}" "${opt[parameters]:-}")"
	echo "TAP version 13"
}

fact() {
	printf '=FACT\t%s\t%s\n' "$1" "$2" >> "$work/results"
}

# Also in the checkout of another user, and without a write to it
tree_git() {
	GIT_OPTIONAL_LOCKS=0 git -c safe.directory="$TOP" -C "$TOP" "$@"
}

# The commit, and "-dirty" if the tree has other code, tests or headers of cases. Pages may
# differ: results are recorded there.
revision() {
	local commit

	commit=$(tree_git rev-parse --short=12 HEAD 2> /dev/null) || commit=unknown
	[ -z "${LAB_CASES:-}$(tree_git status --porcelain -- ':!Documentation' 2>&1)" ] ||
		commit+=-dirty
	echo "$commit"
}

write_junit() {
	! declare -F keep_times > /dev/null || [ -n "${LAB_CASES:-}$MODS${opt[coverage]:-}" ] || keep_times
	fact revision "$(revision)"
	mkdir -p "$LOGS" && "$LAB/junit" "$work/results" "$LOGS/junit.xml" ||
		say "warning: $LOGS/junit.xml could not be written"
}

# What has ended counts; what was running does not.
interrupted() {
	trap - INT TERM
	echo "Bail out! interrupted"
	[ ! -e "$work/results" ] || write_junit
	say "interrupted; results so far are in $LOGS/junit.xml"
	exit 130
}

end_results() {
	local line name provider lane reason

	for line in "${skipped_runs[@]}"; do
		IFS='|' read -r name provider lane reason <<< "$line"
		result SKIP "$name" "$provider" "$lane" 0 "$reason"
	done
	echo "1..$((passed + failed + skipped))"
	write_junit
	say "took $SECONDS s; logs and junit.xml in $LOGS"
	for name in "${failed_names[@]}"; do
		say "failed: $name"
	done
	[ $((passed + failed + skipped)) -gt 0 ] ||
		say "nothing fits what was chosen; --list shows the runs"
	printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
