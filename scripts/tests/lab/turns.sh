# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
#
# Which runs of cases are a part of a whole check. Sourced by scripts/tests/lab/run.
#
# Runs that are not a part of every check take turns: of each N a check does one, and the
# next turn does another. TURN is a number: the commits of the tree, so that a tree always
# has the same runs.

# Lanes whose runs only take turns, unless the lane is asked for
TURN_LANES=umldbg

# Runs that wait for take_turns: "N RUN PROVIDER LANE PEERS"
in_turn=()

turn_of_tree() {
	tree_git rev-list --count HEAD 2> /dev/null || echo 0
}

# Who chooses runs gets those that are chosen.
whole_check() {
	local name

	if [ -z "${whole:-}" ]; then
		whole=yes
		for name in case lane provider version length peers modules strict all; do
			[ -z "${opt[$name]:-}" ] || whole=no
		done
	fi
	[ $whole = yes ]
}

# lane_turns LANE: N if a check does one of N of the lane's runs that take turns; 0 if none
lane_turns() {
	case $1 in
	uml)	echo 6 ;;
	umldbg)	echo 40 ;;
	*)	echo 0 ;;
	esac
}

# often RUN PEERS LANE: 1; or N if a check does one of N of the runs that would be a part of every
# check. An emulated machine is slow, so on those only what names the lane is.
often() {
	if whole_check && [ "$(lane_guest "$3")" = qemu ] &&
	   [ -z "$(case_get "$1:$2" every '')" ]; then
		echo 4
	else
		echo 1
	fi
}

# run_turns RUN PROVIDER LANE PEERS: 1 if the run is a part of every check, N if a check does
# one of N such runs, 0 if none
run_turns() {
	local run=$1 provider=$2 lane=$3 like every

	like=$(lane_like "$lane")
	every=$(case_get "$run:$4" every "$like")
	if in_list "$lane" "$TURN_LANES" && whole_check; then
		lane_turns "$lane"
	elif in_list "$like" "$every" && whole_check && [ -n "$(turn_by "$run")" ]; then
		echo $(($(alike "$run" | wc -w) * $(often "$run" "$4" "$lane")))
	elif in_list "$lane" "$every" || in_list "$like" "$every" ||
	     in_list "$like/$provider" "$every"; then
		often "$run" "$4" "$lane"
	elif whole_check; then
		lane_turns "$lane"
	else
		echo 0
	fi
}

# provider or lane: what the case tests does not depend on it, or hardly.
turn_by() {
	case_get "$1" turn ''
}

# The providers or lanes of a case that are alike
alike() {
	case $(turn_by "$1") in
	provider)
		case_providers "$1" ;;
	lane)
		case_get "$1" lanes ''
		case_get "$1" also '' ;;
	esac
}

# Of each N runs in a row one is planned; which one differs from row to row. A row has the runs of
# one lane, or those of one case that are alike on all its lanes.
take_turns() {
	local line turns run provider lane who row number slot
	local -A seen=()

	for line in "${in_turn[@]}"; do
		read -r turns run provider lane who <<< "$line"
		row=$lane
		[ "$(turn_by "$run")" != lane ] || row=$run
		number=${seen[$row/$turns]:-0}
		seen[$row/$turns]=$((number + 1))
		slot=$(((number + number / turns + turns - TURN % turns) % turns))
		if [ $slot = 0 ]; then
			planned+=("$run $provider $lane $who")
		else
			skip_run "$run" "$provider" "$lane" "$who" \
				"one of $turns in turn: make check TURN=$((TURN + slot))"
		fi
	done
}
