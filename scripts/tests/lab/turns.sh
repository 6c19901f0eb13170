# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
#
# Which runs of cases are a part of a whole check. Sourced by scripts/tests/lab/run.
#
# The others take turns: of each N runs a check does one, and the next turn does another. TURN is
# a number: the commits of the tree, so that a tree always has the same runs.

# Lanes whose runs only take turns, unless the lane is asked for: all cases have the first, those
# that name it in "also" have the second
TURN_LANES=umldbg
ALSO_TURN_LANES=umlsmp73
# Of these lanes each check has one, with KUnit and a few runs. The turns of the runs (rare) have no
# common factor with the number of these lanes; otherwise some would never come.
OTHER_LANES=(uml61 umldbg73 stock61 uml73 umldbg61 stock73)

# Runs that wait for take_turns: "N ROW RUN PROVIDER LANE PEERS". A row whose N is 0 is as long as
# it has runs.
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

# Sets REPLY to that of the OTHER_LANES that a whole check has
other_lane() {
	REPLY=
	! whole_check || REPLY=${OTHER_LANES[TURN % ${#OTHER_LANES[@]}]}
}

# is_other_lane RUN LANE: it is one of them, and the case does not name it
is_other_lane() {
	case_get "$1" also ''
	! in_list "$2" "$REPLY" && in_list "$2" "${OTHER_LANES[*]}"
}

# run_turns RUN PROVIDER LANE PEERS: sets REPLY to 1 if the run is a part of every check, to 0 if of
# none, or to "N ROW" if a check does one of N runs of this row: of the runs of a case on this lane, of
# those on emulated machines whatever their case (runs beside each other come in different checks), or
# of all that are rare on this lane
run_turns() {
	local run=$1 lane=$3 name=${1%%:*} guest

	if ! whole_check; then
		in_every "$@" && REPLY=1 || REPLY=0
		return
	fi
	if is_other_lane "$run" "$lane"; then
		rare_elsewhere "$lane" other
		return
	fi
	if in_list "$lane" "$TURN_LANES $ALSO_TURN_LANES" || ! in_every "$@"; then
		rare "$lane"
		return
	fi
	lane_get "$lane" 3
	guest=$REPLY
	case_get "$run:$4" every ''
	if [ "$guest-$REPLY" = qemu- ]; then
		REPLY="4 any:qemu"
	else
		REPLY="0 case:$name:$lane"
	fi
}

# in_every RUN PROVIDER LANE PEERS: no key leaves the run out of a check
in_every() {
	local like

	get_lane_like "$3"
	like=$REPLY
	case_get "$1:$4" every "$like"
	in_list "$3" "$REPLY" || in_list "$like" "$REPLY" || in_list "$like/$2" "$REPLY"
}

# in_each_check RUN PROVIDER LANE PEERS: a whole check has it when it is not its turn, too, and when
# others are left out for want of time
in_each_check() {
	case_get "$1:$4" always ''
	in_list "$3/$2" "$REPLY"
}

# rare LANE: sets REPLY to the turns of runs that are not a part of every check
rare() {
	case $1 in
	uml)	REPLY="6 rare:uml" ;;
	stock)	REPLY="20 rare:stock" ;;
	umldbg)	REPLY="60 rare:umldbg" ;;
	umlsmp73) REPLY="20 rare:umlsmp73" ;;
	*)	rare_elsewhere "$1" rare ;;
	esac
}

# rare_elsewhere LANE ROW: the same on one of the OTHER_LANES
rare_elsewhere() {
	in_list "$1" "${OTHER_LANES[*]}" || { REPLY=0; return; }
	lane_get "$1" 3
	[ "$REPLY" = qemu ] && REPLY="37 $2:$1" || REPLY="59 $2:$1"
}

# Of each N runs in a row one is planned, and those that are in each check; which one differs from one N
# to the next, and from one row to the next. The row of the lane that only this check has does not move
# the others.
take_turns() {
	local line turns row run provider lane who number slot
	local -A length=() seen=() phase=()

	for line in "${in_turn[@]}"; do
		read -r _ row _ <<< "$line"
		length[$row]=$((${length[$row]:-0} + 1))
		[[ $row == other:* ]] || phase[$row]=${phase[$row]:-${#phase[@]}}
	done
	for line in "${in_turn[@]}"; do
		read -r turns row run provider lane who <<< "$line"
		[ "$turns" != 0 ] || turns=${length[$row]}
		number=${seen[$row]:-0}
		seen[$row]=$((number + 1))
		slot=$(((number + number / turns + ${phase[$row]:-0} + turns - TURN % turns) % turns))
		# The turn that has it has its lane, too
		while [[ $row == other:* ]] && [ $((slot % ${#OTHER_LANES[@]})) != 0 ]; do
			slot=$((slot + turns))
		done
		if [ $slot = 0 ] || in_each_check "$run" "$provider" "$lane" "$who"; then
			planned+=("$run $provider $lane $who")
		else
			skip_run "$run" "$provider" "$lane" "$who" \
				"one of $turns in turn: make check TURN=$((TURN + slot))"
		fi
	done
}
