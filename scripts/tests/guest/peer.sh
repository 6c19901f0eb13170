# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The raw peer (scripts/tests/peer), for cases that source this file and have the header
# line "# needs: peer". PEER is the program, built by the runner.

# Loads what user-space verbs need.
peer_ready() {
	[ -x "${PEER:-}" ] || fail "the raw peer was not built"
	if [ ! -e /dev/infiniband/rdma_cm ]; then
		modprobe -a ib_uverbs rdma_ucm
		within 10 test -e /dev/infiniband/rdma_cm ||
			fail "there is no /dev/infiniband/rdma_cm"
	fi
	within 10 peer_devices || fail "there is no /dev/infiniband/uverbs*"
	# siw of 6.1 counts the memory that root registers, too
	ulimit -l unlimited
	PEER_SLOW=$(scaled 1)
	PEER_EXPORT=$EXPORT
	PEER_NFSD_OF_61=no
	[[ $(uname -r) != 6.1.* ]] || PEER_NFSD_OF_61=yes
	export PEER_SLOW PEER_EXPORT PEER_NFSD_OF_61
}

peer_devices() {
	compgen -G '/dev/infiniband/uverbs*' > /dev/null
}

# refused_for REASON...: so far messages were refused for these reasons (include/rpcrdma/reason.h), and
# no others. The kernel log has each reason at least once.
refused_for() {
	local name number wanted='' found

	for name in "$@"; do
		device_refuses "$name" || wanted+="$name"$'\n'
	done
	wanted=$(sort <<< "${wanted%$'\n'}" | paste -sd' ')
	found=$(dmesg | sed -n 's/.* refused: .* (reason \([0-9]*\))$/\1/p' | sort -u |
		while read -r number; do
			reason_name "$number"
		done | sort | paste -sd' ')
	[ "$found" = "$wanted" ] || fail "messages were refused for: $found; and not for: $wanted"
}

# device_refuses REASON: the transport did not see the message, because the device did not deliver it
device_refuses() {
	case $1-$PROVIDER in
	# Only RoCE and InfiniBand have messages that are no Sends.
	not_send-siw)
		;;
	# On several processors, or with a debug kernel, siw may find no Receive for a Call before
	# the server has seen too many. Then siw ends the connection: to the server that is a
	# TERMINATE, a queue pair error or a disconnect. The scenario sees that it is lost.
	credits-siw)
		{ [ "$(nproc)" -gt 1 ] || [ -e /sys/kernel/debug/kmemleak ]; } &&
			! dmesg | grep 'refused: more Calls than granted' > /dev/null ;;
	*)
		false ;;
	esac
}

reason_name() {
	sed -n "s/^\tRPCRDMA_R_\([A-Z0-9_]*\)[\t ]*= $1,.*/\L\1/p" "$SRC/include/rpcrdma/reason.h"
}

# peer_requester PATTERN...: the scenarios of those names against the server
peer_requester() {
	log_mark
	"$PEER" requester "$SERVER_ADDR" "$PORT" "$@" ||
		fail "the raw peer found something wrong"
}

# fuzz_seeds COUNT: so many new random numbers in a row, or FUZZ_SEED
# alone, to repeat a run. The log has each one before it is used.
fuzz_seeds() {
	local first=$((RANDOM << 15 | RANDOM))

	[ -z "${FUZZ_SEED:-}" ] || { echo "$FUZZ_SEED"; return; }
	seq $((first + 1)) $((first + $1))
}

fuzz_seed_say() {
	say "seed $1; FUZZ_SEED=$1 repeats this"
}

# peer_fuzz SEED SECONDS
peer_fuzz() {
	fuzz_seed_say "$1"
	"$PEER" fuzz --seed "$1" --seconds "$2" "$SERVER_ADDR" "$PORT" ||
		fail "the server did not survive the fuzz"
}

# peer_server_memory FILE: kernel memory that cannot be reclaimed, in KiB, and pages that are
# counted nowhere (memory_lone_pages of memory.sh), with no connection left, the exported
# directory empty and nfsd stopped. nfsd is stopped because its caches are not the transport's.
# Sockets in TIME_WAIT belong to siw. The counts of slabs at that time are written to FILE
# (memory_note of memory.sh).
peer_server_memory() {
	within 60 no_connected_qp || fail "a connection stays"
	rm -rf "${EXPORT:?}"/*
	server_stop
	within 90 no_time_wait || fail "sockets stay in TIME_WAIT"
	memory_note "$1"
	awk -v pages="$(memory_lone_pages)" '
		/^(SUnreclaim|KernelStack|PageTables|Percpu|VmallocUsed):/ { n += $2 }
		END { print n, pages }' /proc/meminfo
	server_tune
	server_threads "$NFSD_THREADS"
	server_listen
}

no_time_wait() {
	grep -q '^TCP: .* tw 0 ' /proc/net/sockstat
}

# Starts a real NFS server on TCP only; the raw peer is its RDMA front end. In a single
# guest siw uses lo.
peer_backend() {
	local keepalive=/sys/module/rpcrdma/parameters/keepalive_seconds

	# On iWARP the peer itself answers keepalives, and with many Calls at once not soon.
	[ ! -e $keepalive ] || scaled 10 > $keepalive
	[ "$PROVIDER" != siw ] || link_delay lo
	server_file_systems
	server_export
	server_daemons
	server_tune
	server_threads "$NFSD_THREADS"
}

# peer_responder PATTERN...: the scenarios of those names against the client
peer_responder() {
	PEER_EXPORT=$EXPORT "$PEER" responder "$SERVER_ADDR" "$PORT" "$@" ||
		fail "the raw peer found something wrong"
}

# peer_requester2 PATTERN...: those of version 2
peer_requester2() {
	log_mark
	"$PEER" requester2 "$SERVER_ADDR" "$PORT" "$@" ||
		fail "the raw peer found something wrong"
}

# peer_responder2 PATTERN...: those of version 2
peer_responder2() {
	PEER_EXPORT=$EXPORT "$PEER" responder2 "$SERVER_ADDR" "$PORT" "$@" ||
		fail "the raw peer found something wrong"
}

# peer_fuzz2 SEED SECONDS: in version 2
peer_fuzz2() {
	fuzz_seed_say "$1"
	"$PEER" fuzz --two --seed "$1" --seconds "$2" "$SERVER_ADDR" "$PORT" ||
		fail "the server did not survive the fuzz"
}
