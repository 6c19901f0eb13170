# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The raw peer (scripts/peer), for cases that source this file and have the header
# line "# needs: peer". PEER is the program, built by the runner.

# What the kernel needs for verbs in user space.
peer_ready() {
	[ -x "${PEER:-}" ] || fail "the raw peer was not built"
	if [ ! -e /dev/infiniband/rdma_cm ]; then
		modprobe -a ib_uverbs rdma_ucm
		within 10 test -e /dev/infiniband/rdma_cm ||
			fail "there is no /dev/infiniband/rdma_cm"
	fi
	within 10 peer_devices || fail "there is no /dev/infiniband/uverbs*"
	PEER_SLOW=$(scaled 1)
	PEER_EXPORT=$EXPORT
	export PEER_SLOW PEER_EXPORT
}

peer_devices() {
	compgen -G '/dev/infiniband/uverbs*' > /dev/null
}

# peer_requester PATTERN...: the scenarios of those names against the server
peer_requester() {
	log_mark
	"$PEER" requester "$SERVER_ADDR" "$PORT" "$@" ||
		fail "the raw peer found something wrong"
}

# peer_fuzz SEED SECONDS
peer_fuzz() {
	"$PEER" fuzz --seed "$1" --seconds "$2" "$SERVER_ADDR" "$PORT" ||
		fail "the server did not survive the fuzz"
}

# Kernel memory that cannot be reclaimed, in KiB, once no connection is left and
# the exported directory is empty.
peer_server_memory() {
	within 60 no_connected_qp || fail "a connection stays"
	rm -rf "${EXPORT:?}"/*
	drop_caches
	sleep 1
	drop_caches
	awk '/^(SUnreclaim|KernelStack|PageTables|Percpu|VmallocUsed):/ { n += $2 }
	     END { print n }' /proc/meminfo
}

# A real NFS server on TCP only: the raw peer stands in front of it. On one guest siw
# goes over lo.
peer_backend() {
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
