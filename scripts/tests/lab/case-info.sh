# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What a case says about itself in its header, and the runs that follow from it.
# Sourced by scripts/tests/lab/run and fault-table.
#
# Header lines, "# KEY: VALUE" (all but "case" and "lanes" have a default):
#   # case: one sentence
#   # lanes: uml umldbg stock       plain lanes of lanes.sh, and so all lanes like them
#   # provider: rxe siw           one run for each (default rxe)
#   # versions: 1 2               of RPC-over-RDMA; one run for each (default 1). Version 2:
#                                 the client takes no other (xprtrdma.versions=2), the server takes both
#   # lengths: short full         one run for each (default short); what "full" means is
#                                 in "env[full]"
#   # guests: 1 | 2               2 = a pair
#   # mods: ours | intree | none  one guest; several words = several runs
#   # peers: ours-ours ...        a pair, client-server; one run for each
#   # needs: peer                 the raw peer is built, its path is in PEER
#   # config: CONFIG_NAME ...     of the kernel; the run is skipped where one is not set
#   # symbols: NAME ...           of the kernel; the run is skipped where one is missing. Only
#                                 for lanes whose kernel has all in one file
#   # timeout: SECONDS            (default 120); killed after twice that, later on slow lanes and machines
#   # env: KEY=VALUE ...
#   # memory: 2G  # cpus: 4  # boot: WORDS    of the guest
#   # firmware: uefi            of a guest in QEMU, which can then reboot
#   # numa: 2                   nodes of a guest in QEMU, which share its processors and memory
#   # mtu: 1500                 of the link of a pair (default 9000)
#   # harmless: REGEX             kernel reports that are no failure of any of its runs
#   # refused: REGEX            texts of reasons for which the modules may refuse messages in its runs
#                                 (default none; with the raw peer, any)
#   # strict: REASON            why no run of it can have the strict layer (--strict)
#   # strict-run: rxe/mlx5 ...  one more run for each of these, called CASE-strict, of version 1,
#                                 with the strict layer: provider/profile (modules/strict)
#   # in-check: yes | no          no = only on demand
#   # on-demand: WORD REASON     runs with this provider, or on this lane and lanes like it, only when
#                                 they are asked for by name
#   # every: uml uml/rxe ...      lanes, or lanes with a provider, that are a part of
#                                 every check, and lanes like these (default: all, but on
#                                 emulated machines a whole check has one of four; without
#                                 effect on lanes that only take turns, turns.sh): one of its
#                                 runs on each lane in turn;
#                                 the others take longer turns (turns.sh), or run with --all,
#                                 or when the case is asked for by name
#   # always: uml/rxe ...         lanes with a provider: runs that are in each whole check, also if
#                                 others are left out for want of time
#   # also: uml73 stock61         more lanes for this case, treated like those above. A lane that is
#                                 not named comes only in its turn (turns.sh), or when it is asked for
#
# A key with a qualifier, "# KEY[WORD]: VALUE", replaces the plain key for those runs
# that have the word: v2, full, strict, or a word of "mods" or "peers". If several words of
# a run have such a key, the last word in the order v2, full, strict, peers counts.
#
# A plan asks thousands of times, so functions that give one value set REPLY, as read(1) does: that
# starts no process.
#
# Functions take a run in place of the name of a case: CASE[:v2][:full][:PEERS], or
# CASE:strict[:PEERS]. The name of a run, as people see and choose it, is CASE[-v2][-full],
# or CASE-strict.

CASES=${LAB_CASES:-$TOP/scripts/tests/cases}
case_keys='case|lanes|provider|versions|lengths|guests|mods|peers|needs|config|symbols|timeout|env|memory|cpus|boot|firmware|numa|mtu|harmless|refused|strict|strict-run|in-check|on-demand|every|always|also'
# By "CASE/KEY", and the keys of each case
declare -A case_value=() case_lines=()

# Comment lines before the first line of code: "CASE KEY[WORD] VALUE", TAB between them.
case_headers() {
	awk 'FNR == 1 { name = FILENAME; sub(/.*\//, "", name); sub(/\.sh$/, "", name) }
	     !/^#/ { nextfile }
	     match($0, /^# [a-z-]+(\[[^] ]*\])?: /) {
		key = substr($0, 3, RLENGTH - 4)
		value = substr($0, RLENGTH + 1)
		gsub(/^ +| +$/, "", value)
		printf "%s\t%s\t%s\n", name, key, value
	     }' "$CASES"/*.sh
}

case_read_all() {
	local name key value

	while IFS=$'\t' read -r name key value; do
		[ -n "${case_value[$name/$key]:-}" ] || case_value[$name/$key]=$value
		case_lines[$name]+=" $key"
	done < <(case_headers)
}

# case_get RUN KEY DEFAULT: sets REPLY
case_get() {
	local words=$1 name=${1%%:*}

	while [ "$words" != "$name" ]; do
		REPLY=${case_value[$name/$2[${words##*:}]]:-}
		[ -z "$REPLY" ] || return 0
		words=${words%:*}
	done
	REPLY=${case_value[$name/$2]:-$3}
}

# case_set RUN KEY VALUE: what case_get finds for the run from now on, and its default for others
case_set() {
	local name=${1%%:*}

	case_value[$name/$2]=$3
	[ "$1" = "$name" ] || case_value["$name/$2[${1##*:}]"]=$3
}

case_names() {
	find "$CASES" -maxdepth 1 -name '*.sh' -printf '%f\n' 2> /dev/null |
		sed 's/\.sh$//' | sort
}

# case_variants NAME: sets REPLY to the variants of a case, each CASE[:v2][:full] or CASE:strict
case_variants() {
	local version length run all=()

	case_get "$1" versions 1
	for version in $REPLY; do
		run=$1
		[ "$version" = 1 ] || run+=:v$version
		case_get "$run" lengths short
		for length in $REPLY; do
			[ "$length" = short ] && all+=("$run") || all+=("$run:$length")
		done
	done
	case_get "$1" strict-run ''
	[ -z "$REPLY" ] || all+=("$1:strict")
	REPLY=${all[*]}
}

case_version() {
	[[ $1: == *:v2:* ]] && REPLY=2 || REPLY=1
}

case_length() {
	[[ $1: == *:full:* ]] && REPLY=full || REPLY=short
}

case_is_strict() {
	[[ $1: == *:strict:* ]]
}

# strict_words PROFILE PROVIDER: parameters of the strict layer in runs that do not choose them.
# What a Send reads late is not merged, so there is some of both.
strict_words() {
	local payload=late

	[ "$2" = rxe ] || payload=early
	echo "profile=$1,merge=Y,payload=$payload,delay_us=200,flush_delay_us=20000,cm_delay_us=20000"
}

# options_name STRICT-WORDS PARAMETERS: prints a short name of what all guests of a check have on top of
# what they otherwise have; nothing if that is nothing
options_name() {
	local words=${1// /,} profile provider name=${1:+strict $1}

	while read -r profile provider; do
		[ "$words" != "$(strict_words "$profile" "$provider")" ] || name="strict $profile"
	done < <("$LAB/profiles" --all)
	echo "$name${name:+${2:+ }}$2"
}

# case_layer RUN PROVIDER: prints the same for a run called CASE-strict
case_layer() {
	local pair

	case_get "$1" strict-run ''
	for pair in $REPLY; do
		[ "${pair%/*}" != "$2" ] || strict_words "${pair#*/}" "$2"
	done
}

# Sets REPLY
case_providers() {
	local pair all=()

	if case_is_strict "$1"; then
		case_get "$1" strict-run ''
		for pair in $REPLY; do
			all+=("${pair%%/*}")
		done
		REPLY=${all[*]}
	else
		case_get "$1" provider rxe
	fi
}

# Sets REPLY to what a run has in its environment: from its header, and for its version.
case_env() {
	case_get "$1" env ''
	[[ $1: != *:v2:* ]] || REPLY+=" PARAMETERS=xprtrdma.versions=2,svcrdma.versions=both"
}

# Sets REPLY to the words of "mods" or "peers"
case_who() {
	case_get "$1" guests 1
	if [ "$REPLY" = 2 ]; then
		case_get "$1" peers ours-ours
	else
		case_get "$1" mods ours
	fi
}

# outside WORDS ALLOWED COMPLAINT: prints the complaint with each word that is not allowed
outside() {
	local word

	for word in $1; do
		[[ " $2 " == *" $word "* ]] || echo "$3$word"
	done
}

# Sets REPLY to the words of all runs of a case, which are the possible qualifiers
case_words() {
	local run words=

	case_variants "$1"
	for run in $REPLY; do
		[ "$run" = "$1" ] || words+=" ${run#*:}"
		case_who "$run"
		words+=" $REPLY"
	done
	REPLY=${words//:/ }
}

case_bad_lines() {
	local name=$1 key plain words

	case_words "$name"
	words=" $REPLY "
	for key in ${case_lines[$name]:-}; do
		plain=${key%%[*}
		if [[ ! $plain =~ ^($case_keys)$ ]]; then
			echo "has an unknown header line: $key"
		elif [ "$key" != "$plain" ]; then
			key=${key#*[}
			key=${key%]}
			[[ $words == *" $key "* ]] ||
				echo "has a line ${plain}[$key], and no run is called $key"
		fi
	done
}

# Prints errors in a header, which fail the case, because the runner would misread it.
case_complaint() {
	local name=$1 run word

	case_get "$name" case ''
	[ -n "$REPLY" ] || echo "has no '# case:' line"
	case_get "$name" lanes ''
	[ -n "$REPLY" ] || echo "has no '# lanes:' line"
	case_variants "$name"
	for run in $REPLY; do
		run_complaint "$run"
	done
	case_get "$name" config ''
	for word in $REPLY; do
		[[ $word =~ ^CONFIG_[A-Z0-9_]+$ ]] || echo "names no setting of a kernel: $word"
	done
	case_get "$name" versions 1
	outside "$REPLY" "1 2" "names an unknown version: "
	case_get "$name" strict-run ''
	for word in $REPLY; do
		[[ $word =~ ^(rxe|siw)/[a-z0-9_]+$ ]] ||
			echo "has a strict-run that is no provider/profile: $word"
	done
	case_get "$name" lengths short
	outside "$REPLY" "short full" "names an unknown length: "
	case_bad_lines "$name"
}

run_complaint() {
	local word also

	case_get "$1" lanes ''
	outside "$REPLY" "$PLAIN_LANES" "names no plain lane: "
	case_get "$1" also ''
	outside "$REPLY" "$LANES" "names an unknown lane: "
	case_get "$1" guests 1
	outside "$REPLY" "1 2" "has guests other than 1 or 2: "
	case_get "$1" timeout 120
	[[ $REPLY =~ ^[0-9]+$ ]] || echo "has a timeout that is no number"
	case_get "$1" on-demand ''
	[ -z "$REPLY" ] || [[ $REPLY == *" "* ]] || echo "is on demand without a reason"
	outside "${REPLY%% *}" "rxe siw $PLAIN_LANES" "is on demand with an unknown provider or lane: "
	case_get "$1" every ''
	for word in $REPLY; do
		word=${word%/rxe}
		outside "${word%/siw}" "$LANES $PLAIN_LANES" "is in every check on an unknown lane: "
	done
	case_get "$1" always ''
	for word in $REPLY; do
		[[ $word =~ /(rxe|siw)$ ]] || echo "is always in a check, but no lane/provider: $word"
		case_get "$1" also ''
		also=$REPLY
		case_get "$1" lanes ''
		outside "${word%/*}" "$REPLY $also" "is always in a check on a lane that it does not name: "
	done
}
