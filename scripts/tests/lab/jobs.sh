# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
#
# The jobs of scripts/tests/lab/run: a check on the host, the KUnit modules in one
# guest, a case in one guest or two. Each prints result lines.

. "$LAB/pace.sh"

# case_weight RUN LANE: sets REPLY to the processors that a case keeps busy. With four in a guest,
# about two are busy.
case_weight() {
	local busy

	lane_get "$2" 6
	busy=$((REPLY < 2 ? REPLY : 2))
	case_get "$1" guests 1
	REPLY=$((REPLY * busy))
}

# case_limit RUN LANE: sets REPLY to the seconds until SIGKILL: more on slow lanes and machines, and
# with an emulated processor. Twice what the case asks for, because other jobs and other guests of the host
# need the processors too.
case_limit() {
	local limit

	case_get "$1" timeout 120
	limit=$((REPLY * 2))
	longer "$2"
	limit=$((limit * REPLY))
	! emulated "$2" || limit=$((limit * 4))
	REPLY=$((limit + 15))
}

# By kernel of a lane: yes or no
declare -A is_emulated=()

emulated() {
	local kernel lane=${1%%+*}

	kernel=$work/kernel-$lane
	lane_get "$1" 3
	[ "$REPLY" = qemu ] && [ -e "$kernel" ] || return
	if [ -z "${is_emulated[$lane]:-}" ]; then
		. "$LAB/boot-qemu.sh"
		[ "$(kvm_verdict "$(cat "$kernel")")" = works ] &&
			is_emulated[$lane]=no || is_emulated[$lane]=yes
	fi
	[ "${is_emulated[$lane]}" = yes ]
}

# modules_of LANE: where they are; nothing if they did not build
modules_of() {
	cat "$work/ko-$1" 2> /dev/null || true
}

# First the failed checks and kernel reports, then the end of the log without the boot.
show_tail() {
	tr -d '\r' < "$2" | grep -E '^not ok |: FAILED: |BUG:|WARNING:' |
		head -n 10 | sed 's/^/  ! /' || true
	echo "  the last lines of $1:"
	grep -av '^GCOV-' "$2" | awk '/as init process/ { n = NR } { line[NR] = $0 }
	     END { for (i = (n > NR - 40 ? n + 1 : NR - 39); i <= NR; i++)
			if (i > 0) print line[i] }' | tr -d '\r' | sed 's/^/  | /'
}

# keep_log FROM LANE NAME
keep_log() {
	mkdir -p "$LOGS/$2"
	[ ! -e "$1" ] || cp "$1" "$LOGS/$2/$3.log"
}

lint_job() {
	local check=$1 name rc=0 out begin=$SECONDS seconds

	name=lint:$(basename "$check")
	out=$(mktemp "$work/lint.XXXXXX")
	"$check" > "$out" 2>&1 || rc=$?
	seconds=$((SECONDS - begin))
	case $rc in
	0)	job_result PASS "$name" - host $seconds ;;
	77)	job_result SKIP "$name" - host $seconds "$(tail -n 1 "$out")" ;;
	*)	job_result FAIL "$name" - host $seconds "$(tail -n 1 "$out")"
		tail -n 60 "$out" | sed 's/^/  | /' ;;
	esac
}

# Modules with a KUnit suite in them, by the section the suites are listed in.
kunit_modules() {
	local ko

	for ko in "$1"/*.ko; do
		grep -q 'kunit_test_suites' <(readelf -SW "$ko" 2> /dev/null) || continue
		basename "$ko" .ko
	done
}

kunit_job() {
	local lane=$1 ko_dir log modules options=() begin=$SECONDS seconds reason word what rest

	if [ ! -s "$work/ko-$lane" ]; then
		job_result FAIL kunit - "$lane" 0 "no modules"
		return
	fi
	ko_dir=$(cat "$work/ko-$lane")
	modules=$(kunit_modules "$ko_dir" | paste -sd' ')
	if [ -z "$modules" ]; then
		job_result FAIL kunit - "$lane" 0 "no KUnit module was built"
		return
	fi
	log=$work/kunit-$lane.log
	[ "${COVERAGE:-no}" = no ] || options=(-e "GCOV_DIR=$(gcov_dir)")
	longer "$lane"
	"$LAB/guest" "$lane" -q -m none -k "$ko_dir" -e "KUNIT_MODULES=$modules" "${options[@]}" \
		-t $((180 * REPLY)) -o "$log" "$LAB/kunit-guest" > /dev/null 2>&1 || true
	keep_log "$log" "$lane" kunit
	# shellcheck disable=SC2086
	"$LAB/ktap" "$log" $modules > "$log.suites"
	seconds=$((SECONDS - begin))
	while read -r word what rest; do
		[ "$word" != PASS ] || rest="$rest cases"
		job_result "$word" "kunit:$what" - "$lane" $seconds "$rest"
	done < "$log.suites"
	# No match is what is hoped for, and must not end the job before the verdict.
	{ grep -aE -A 4 'EXPECTATION|ASSERTION|not ok' "$log" || true; } | head -n 40 | sed 's/^/  | /'
	if ! reason=$("$LAB/verdict" "$log" kunit-guest); then
		job_result FAIL kunit - "$lane" $seconds "$reason"
		show_tail "$lane/kunit" "$log"
	fi
}

# case_job RUN LANE PROVIDER MODS-OR-PEERS
case_job() {
	local run=$1 lane=$2 provider=$3 who=$4 begin=$SECONDS name dir peers lacking options=()

	name=${run//:/-}
	shown_peers "$provider" "$who"
	peers=$REPLY
	lacking=$(kernel_lacks)
	if [ -n "$lacking" ]; then
		ended SKIP "this kernel has no $lacking"
		return
	fi
	case_options
	dir=$(mktemp -d "$work/case.XXXXXX")
	case_get "$run" guests 1
	if [ "$REPLY" = 2 ]; then
		pair_case
	else
		single_case
	fi
}

# Prints the first setting or symbol of the case's header that a kernel of the lane does not have
kernel_lacks() {
	local kernel config symbols

	needed_config
	config=$REPLY
	case_get "$run" symbols ''
	symbols=$REPLY
	for kernel in ${lane/+/ }; do
		if first_missing "$kernel" .config '=[ym]' "$config" ||
		   first_missing "$kernel" System.map '' "$symbols"; then
			return
		fi
	done
}

# Sets REPLY. Only User-Mode Linux can skip time; elsewhere such a case waits.
needed_config() {
	local guest

	lane_get "$lane" 3
	guest=$REPLY
	case_get "$run" boot ''
	[[ $guest-$REPLY == uml-*time-travel* ]] && guest=CONFIG_UML_TIME_TRAVEL_SUPPORT || guest=
	case_get "$run" config ''
	REPLY+=" $guest"
}

# first_missing KERNEL FILE AFTER WORDS: prints a word that is in no line of the file
first_missing() {
	local file word

	file=$(cat "$work/kernel-$1")/$2
	for word in $4; do
		[ -e "$file" ] || die "there is no $file"
		grep -qE "(^| )$word$3\$" "$file" && continue
		echo "$word"
		return
	done
	return 1
}

ended() {
	job_result "$1" "$name" "$peers" "$lane" $((SECONDS - begin)) "${2:-}"
}

case_options() {
	local word longer layer=$STRICT

	! case_is_strict "$run" || layer=$(case_layer "$run" "$provider")
	case_limit "$run" "$lane"
	options=(-p "$provider" -t "$REPLY" -q)
	options+=(-k "$(modules_of "$(client_lane "$lane")")")
	[[ $lane != *+* ]] || options+=(-K "$(modules_of "$(server_lane "$lane")")")
	case_env "$run"
	for word in $REPLY; do
		options+=(-e "$word")
	done
	[ -z "$layer" ] || options+=(-e "STRICT=${layer// /,}")
	[ "${COVERAGE:-no}" = no ] || options+=(-e "GCOV_DIR=$(gcov_dir)")
	[ -z "${opt[parameters]:-}" ] || options+=(-e "RUN_PARAMETERS=${opt[parameters]// /,}")
	case_get "$run" memory ''
	[ -z "$REPLY" ] || export GUEST_MEM=$REPLY
	# The debug lanes in QEMU are for tests with several CPUs, so they keep them.
	lane_get "$lane" 7
	longer=$REPLY
	case_get "$run" cpus ''
	[ -z "$REPLY" ] || [ "$longer" -gt 1 ] || export GUEST_CPUS=$REPLY
	[ -z "${opt[cpus]:-}" ] || export GUEST_CPUS=${opt[cpus]}
	case_get "$run" boot ''
	[ -z "$REPLY" ] || export GUEST_ARGS=$REPLY
	case_get "$run" firmware ''
	[ -z "$REPLY" ] || export GUEST_FIRMWARE=$REPLY
	case_get "$run" numa ''
	[ -z "$REPLY" ] || export GUEST_NUMA=$REPLY
}

# Below it gcov has the names of its files: where the modules were built
gcov_dir() {
	realpath "$(modules_of "$lane")/../src"
}

# again LOGS COMMAND...: run the case, and a second time if the emulator failed.
again() {
	local logs=$1 log
	shift

	"$@" "$CASES/${run%%:*}.sh" > "$dir/out" 2>&1 || true
	emulated "$lane" || return 0
	# shellcheck disable=SC2086
	emulator_failed $logs || return 0
	for log in $logs; do
		keep_log "$log" "$lane" "$keep-emulator-$(basename "$log" .log)"
	done
	echo "  note: the emulator failed, running it again; the logs are $lane/$keep-emulator-*.log"
	"$@" "$CASES/${run%%:*}.sh" > "$dir/out" 2>&1 || true
}

# emulator_failed LOG...: in one of the guests
emulator_failed() {
	local log rc

	for log in "$@"; do
		rc=0
		"$LAB/verdict" "$log" "${run%%:*}" > /dev/null || rc=$?
		[ $rc -ne 3 ] || return 0
	done
	return 1
}

single_case() {
	local mods=$who log=$dir/console.log keep reason

	keep=$name-$provider
	[ "$who" = ours ] || keep+=-$who
	if [ "$MODS" = intree ] && [ "$mods" = ours ]; then
		mods=intree
	fi
	unbuilt "$mods" "$lane" && return
	again "$log" "$LAB/guest" "$lane" -m "$mods" "${options[@]}" -o "$log"
	keep_log "$log" "$lane" "$keep"
	if reason=$("$LAB/verdict" "$log" "${run%%:*}"); then
		ended PASS
		return
	fi
	ended FAIL "$reason"
	[ -s "$log" ] || log=$dir/out
	show_tail "$lane/$keep" "$log"
}

pair_case() {
	local client=${who%-*} server=${who#*-} role keep reason failed=no

	keep=$name-$provider-$who
	if [ "$MODS" = intree ]; then
		client=intree
		server=intree
	fi
	unbuilt "$client" "$(client_lane "$lane")" && return
	unbuilt "$server" "$(server_lane "$lane")" && return
	again "$dir/*.log" \
		"$LAB/pair" "$lane" -c "$client" -s "$server" "${options[@]}" -o "$dir"
	for role in client server; do
		keep_log "$dir/$role.log" "$lane" "$keep-$role"
		reason=$("$LAB/verdict" "$dir/$role.log" "${run%%:*}") && continue
		[ $failed = yes ] || ended FAIL "$role: $reason"
		failed=yes
		[ ! -s "$dir/$role.log" ] || show_tail "$lane/$keep-$role" "$dir/$role.log"
		[ -s "$dir/$role.log" ] || show_tail "$lane/$keep" "$dir/out"
	done
	[ $failed = yes ] || ended PASS
}

# unbuilt MODS LANE: a guest needs our modules, and they did not build.
unbuilt() {
	[ -z "$(modules_of "$2")" ] || return 1
	[[ $1 == *ours* || $1 == *none* ]] || return 1
	ended FAIL "the modules do not build for $2"
}
