# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Shared by the scripts in scripts/tests/lab: places, lanes, messages, locks. Source it.

# shellcheck disable=SC2034  # used by the scripts that source this file
LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034
TOP=$(cd "$LAB/../../.." && pwd)
CACHE=${RPCRDMA_CACHE:-/var/cache/rpcrdma-lab}
# shellcheck disable=SC2034
JOBS=${JOBS:-$(nproc)}
export LC_ALL=C
# Started by make: other makes started here must not inherit its flags and variables.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES KDIR ARCH

. "$LAB/lanes.sh"

say() {
	printf '%s\n' "lab: $*" >&2
}

warn() {
	printf '%s\n' "lab: warning: $*" >&2
}

die() {
	printf '%s\n' "lab: error: $*" >&2
	exit 1
}

need_root() {
	[ "$(id -u)" -eq 0 ] || die "this step needs root"
}

# with_lock NAME COMMAND...: one at a time on this machine; says so when it waits
with_lock() {
	local name=$1 fd
	shift

	mkdir -p "$CACHE/locks"
	exec {fd}> "$CACHE/locks/$name"
	if ! flock -n "$fd"; then
		say "waiting for another run that holds the lock '$name'"
		flock "$fd"
	fi
	"$@"
	flock -u "$fd"
	exec {fd}>&-
}

# logged NAME COMMAND...: output to a log file, its tail shown on failure
logged() {
	local log=$1
	shift

	case $log in
	/*)	;;
	*)	log=$CACHE/logs/$log.log ;;
	esac
	mkdir -p "${log%/*}"
	"$@" > "$log" 2>&1 < /dev/null && return
	tail -30 "$log" >&2
	say "the whole log is in $log"
	return 1
}

# suite_apt SERIES apt-get|apt-cache ARGUMENT...: in the suite that has these kernels
suite_apt() {
	local suite

	case $1 in
	6.*)	suite=bookworm ;;
	*)	suite=trixie-backports ;;
	esac
	"$LAB/apt-suite" "$suite" "${@:2}"
}

# lane_make LANE ARGUMENT...: make, with the compiler that the lane's kernel wants
lane_make() {
	local wrap=()

	[ "$(lane_kernel "$1")" != debian ] || [[ $(lane_series "$1") == 6.* ]] ||
		wrap=("$LAB/in-root" "$("$LAB/debian-root" compiler13)")
	"${wrap[@]}" make "${@:2}"
}

# kernel_version LANE DIRECTORY: of its Debian package. The directory is
# LANE-VERSION-WHAT_ELSE_IT_DEPENDS_ON.
kernel_version() {
	local name=${2##*/}

	name=${name#"$1-"}
	echo "${name%-*}"
}
