# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Command-line options of scripts/tests/lab/run and fault-table. Source it.
#
# parse_options KNOWN "$@" fills the array "opt". KNOWN has a word for each option:
#   name=   it takes a value: --name VALUE or --name=VALUE. A second one adds to the
#           first. Words of a value are separated by spaces or commas.
#   name    yes or no: --name, --no-name, --name=yes, --name=no
# An empty value counts as not given. --help prints the head of the script.

declare -A opt=()

usage() {
	sed -n '4,/^$/{/^#/s/^# \{0,1\}//p}' "$0"
}

# set_option NAME VALUE
set_option() {
	local value=${2//,/ }

	[ -z "$value" ] || opt[$1]="${opt[$1]:+${opt[$1]} }$value"
}

set_flag() {
	case $2 in
	yes|no)	opt[$1]=$2 ;;
	"")	;;
	*)	die "--$1 is yes or no, not '$2'" ;;
	esac
}

# one_option KNOWN OPTION [NEXT-WORD]: true when NEXT-WORD was used as its value
one_option() {
	local known=" $1 " name=${2#--}

	name=${name%%=*}
	if [[ $known == *" $name= "* ]]; then
		case $2 in
		*=*)	set_option "$name" "${2#*=}"; return 1 ;;
		esac
		[ $# -eq 3 ] || die "$2 needs a value; see --help"
		set_option "$name" "$3"
		return 0
	fi
	case $2 in
	--*=*)		[[ $known != *" $name "* ]] || { set_flag "$name" "${2#*=}"; return 1; } ;;
	--no-*)		[[ $known != *" ${name#no-} "* ]] || { set_flag "${name#no-}" no; return 1; } ;;
	--*)		[[ $known != *" $name "* ]] || { set_flag "$name" yes; return 1; } ;;
	esac
	die "there is no option '$2'; see --help"
}

parse_options() {
	local known=$1
	shift

	while [ $# -gt 0 ]; do
		if [ "$1" = --help ]; then
			usage
			exit
		fi
		if one_option "$known" "${@:1:2}"; then
			shift
		fi
		shift
	done
}
