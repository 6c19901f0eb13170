# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What a case says about itself in its header, and the list of runs that follows
# from it. Sourced by scripts/tests/lab/run.
#
# Header lines (all but "case" and "lanes" have a default):
#   # case: one sentence
#   # lanes: uml umldbg stock       of those in lanes.sh
#   # provider: rxe siw           one run for each (default rxe)
#   # guests: 1 | 2               2 = a pair
#   # mods: ours | intree | none  one guest; several words = several runs
#   # peers: ours-ours ...        a pair, client-server; one run for each
#   # needs: peer                 the raw peer is built, its path is in PEER
#   # timeout: SECONDS            (default 120), more on slow lanes
#   # env: KEY=VALUE ...
#   # memory: 2G  # cpus: 4  # boot: WORDS    of the guest
#   # in-check: yes | no          no = only on demand
#   # every: uml uml/rxe ...      lanes, or lanes with a provider, that are a part of
#                                 every check; the others only with ALL=yes, or when
#                                 the case is asked for by name (default: all)

CASES=${LAB_CASES:-$TOP/scripts/tests/cases}
case_keys='case|lanes|provider|guests|mods|peers|needs|timeout|env|memory|cpus|boot|in-check|every'

# case_get NAME KEY DEFAULT
case_get() {
	local value

	value=$(case_header "$1" | sed -nE "s/^# $2: *//p" | head -n 1)
	value=${value%"${value##*[![:space:]]}"}
	echo "${value:-$3}"
}

# The comment lines before the first line of code.
case_header() {
	sed -n '/^#/!q; p' "$CASES/$1.sh"
}

case_names() {
	find "$CASES" -maxdepth 1 -name '*.sh' -printf '%f\n' 2> /dev/null |
		sed 's/\.sh$//' | sort
}

# A header that the runner would misread must not pass in silence.
case_complaint() {
	local name=$1 word

	[ -n "$(case_get "$name" case '')" ] || echo "has no '# case:' line"
	[ -n "$(case_get "$name" lanes '')" ] || echo "has no '# lanes:' line"
	for word in $(case_get "$name" lanes ''); do
		is_lane "$word" || echo "names an unknown lane: $word"
	done
	case $(case_get "$name" guests 1) in
	1|2)	;;
	*)	echo "has guests other than 1 or 2" ;;
	esac
	[[ $(case_get "$name" timeout 120) =~ ^[0-9]+$ ]] ||
		echo "has a timeout that is no number"
	case_header "$name" | grep -E '^# [a-z-]+: ' |
		grep -vE "^# ($case_keys): " | sed 's/^/has an unknown header line: /' || true
}

# case_runs NAME LANE: one line "PROVIDER MODS" for each run
case_runs() {
	local provider who

	if [ "$(case_get "$1" guests 1)" = 2 ]; then
		who=$(case_get "$1" peers ours-ours)
	else
		who=$(case_get "$1" mods ours)
	fi
	for provider in $(case_get "$1" provider rxe); do
		for word in $who; do
			echo "$provider $word"
		done
	done
}
