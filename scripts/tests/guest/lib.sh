# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The library of the cases in scripts/tests/cases: source it first. It runs inside a
# test guest, as root, in a throw-away overlay of the host's root.
#
#   lib.sh       messages, failure, waiting, the end of a case
#   modules.sh   the modules under test, ours or the kernel's own
#   link.sh      network and RDMA links
#   server.sh    the NFS server
#   mounts.sh    the NFS client: mounts, caches, counters
#   verify.sh    trees, files, checksums, leftovers
#   pair.sh      two guests: messages over the virtual link
#   rounds.sh    repeated faults, and the times to recovery
#   strict.sh    the strict layer over the RDMA devices
# A case that needs them sources wire.sh, steady-io.sh or krb5.sh itself. If it has
# a function diagnose_case, that is called when it fails.
#
# From the runner: LANE PROVIDER ROLE MODS KO_DIR SRC GUEST_LIB CASE, and
# where they apply INTREE_KO, LINK_DEV, TESTMOD_DIR, SLOW (1: the CPU is emulated), LONGER
# (factor for time limits on this kernel and machine), PARAMETERS and RUN_PARAMETERS (of our modules), STRICT
# (strict.sh).

set -Eeuo pipefail
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C HOME=/root

LANE=${LANE:-uml}
PROVIDER=${PROVIDER:-rxe}
ROLE=${ROLE:-}
MODS=${MODS:-ours}
SLOW=${SLOW:-0}
LONGER=${LONGER:-1}
CASE=${CASE:-$(basename "$0" .sh)}
GUEST_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034  # for the cases
VERSIONS="3 4.0 4.1 4.2"

say() {
	local role uptime

	case $ROLE in
	server|client)	role=" ($ROLE)" ;;
	*)		role= ;;
	esac
	read -r uptime _ < /proc/uptime
	printf '[%s] %s%s: %s\n' "$uptime" "$CASE" "$role" "$*"
}

fail() {
	say "FAILED: $*" >&2
	exit 1
}

# compare WHAT NUMBER -OP NUMBER, as test(1) does
compare() {
	test "$2" "$3" "$4" || fail "$1: $2 is not $3 $4"
}

# on_error LINE COMMAND: reports the place of a command that failed unexpectedly
on_error() {
	say "FAILED: line $1 of ${BASH_SOURCE[1]##*/}: $2" >&2
}
trap 'on_error "$LINENO" "$BASH_COMMAND"' ERR

on_exit() {
	local rc=$?

	trap - EXIT ERR
	[ "$rc" -eq 0 ] && return
	set +e
	diagnose
	say "ends with status $rc"
	exit "$rc"
}
trap on_exit EXIT

# Prints state that helps to understand a failure.
diagnose() {
	say "modules: $(lsmod | awk 'NR > 1 { printf "%s(%s) ", $1, $3 }')"
	grep ' nfs' /proc/mounts
	paste -sd' ' /proc/fs/nfsd/portlist 2> /dev/null
	strict_show
	rdma_resources | awk '/^mr:/ { n++; next } 1; END { print n + 0, "MRs" }'
	# Not their wait channels: KASAN reports how User-Mode Linux reads them.
	ps -eo pid,stat,args 2> /dev/null | awk '$2 ~ /^D/'
	rpc_tasks
	connection_errors
	! declare -F diagnose_case > /dev/null || diagnose_case
}

# The RPC tasks of this guest, and what each of them waits for
rpc_tasks() {
	mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug 2> /dev/null || return 0
	tail -n +1 /sys/kernel/debug/sunrpc/rpc_clnt/*/tasks 2> /dev/null | grep -v '^$' | head -n 60
}

# What the connections have refused, the errors they got and sent, and why the last one was lost
connection_errors() {
	local all=/sys/kernel/rpcrdma/connections

	grep -sE '^(rdma_errors|messages_dropped|calls_rebuilt).* [1-9]' $all/*/counters
	grep -s ' [1-9]' $all/*/refusals
	grep -s . $all/*/last_error_reason $all/*/last_refusal
}

# within SECONDS COMMAND...: poll until the command succeeds; false when late
within() {
	local end=$((SECONDS + $1))
	shift

	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.2
	done
}

# limited SECONDS COMMAND...: run a program, and end it after that time
limited() {
	local seconds=$1
	shift

	timeout -k 5 "$(scaled "$seconds")" "$@"
}

# amount NAME FULL LESS: set a variable to FULL, on an emulated CPU to LESS
amount() {
	local -n variable=$1

	variable=$2
	[ "$SLOW" = 1 ] || return 0
	# shellcheck disable=SC2034  # a name reference
	variable=$3
	say "this CPU is emulated: $1 is $3 instead of $2"
}

# scaled SECONDS: time limits grow on slow machines
scaled() {
	echo $(($1 * LONGER * (SLOW ? 4 : 1)))
}

# refused TEXT COMMAND...: the command must fail, and its output must match TEXT
refused() {
	local text=$1 output
	shift

	if output=$("$@" 2>&1); then
		fail "this should have been refused: $*"
	fi
	say "refused as it should be: $* -> $output"
	grep -qiE -- "$text" <<< "$output" ||
		fail "the message does not match '$text': $output"
}

# The kernel log since log_mark, to look for a message.
log_mark() {
	LOG_MARK=$(dmesg | wc -l)
}

log_since() {
	dmesg | tail -n +$((LOG_MARK + 1))
}

log_has() {
	log_since | grep -E -- "$1" > /dev/null
}

# The last step of a case. The runner counts a run as passed only with this line.
success() {
	strict_finish
	say "done after $SECONDS s"
	printf 'CASE-SUCCESS %s\n' "$CASE"
}

# Stop everything, check that nothing is left, and report success. On the debug kernel
# the guest then searches for memory leaks.
finish() {
	umount_all
	clients_gone
	server_stop
	no_leftover
	modules_unload
	link_down
	success
}

# The NFS client may end its session a little after umount, and needs the server for
# that. A case may also have left another client connected.
clients_gone() {
	within 10 no_connected_qp || say "connections are left"
}

# The guest's init may have mounted some of these already.
mount_system() {
	local entry type dir

	for entry in devpts:/dev/pts tmpfs:/dev/shm tmpfs:/run tmpfs:/tmp \
		     debugfs:/sys/kernel/debug; do
		type=${entry%%:*}
		dir=${entry#*:}
		mountpoint -q "$dir" && continue
		mkdir -p "$dir"
		mount -t "$type" "$type" "$dir"
	done
	ip link set lo up
	# No line in the kernel log for every drop_caches.
	echo 4 > /proc/sys/vm/drop_caches
}

for part in modules link server mounts verify pair rounds strict; do
	# shellcheck disable=SC1090
	. "$GUEST_DIR/$part.sh"
done
unset part
mount_system
say "$(uname -r), $(nproc) CPU, provider $PROVIDER, modules $MODS"
strict_load
