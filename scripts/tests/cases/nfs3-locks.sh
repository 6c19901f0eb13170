#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: NFSv3 over RDMA with its helpers over TCP: MOUNT, locks by NLM, unmount
# lanes: uml stock
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml
# timeout: 120
# in-check: yes
# Proves ULB-AUX-01, ULB-AUX-02, ULB-AUX-03, ULB-AUX-05.

. "${GUEST_LIB:?}"

helpers_start() {
	mkdir -p /var/lib/nfs/sm /var/lib/nfs/sm.bak
	chown -R statd /var/lib/nfs/sm /var/lib/nfs/sm.bak
	pidof -q rpc.statd || rpc.statd --no-notify
}

# The programs of MOUNT, NLM and NSM, over TCP, and none of them over RDMA.
helpers_offered() {
	local program

	rpcinfo -p > /tmp/programs
	for program in 100005 100021 100024; do
		grep -qE "^ *$program +[0-9]+ +tcp " /tmp/programs ||
			fail "program $program is not offered over TCP"
	done
	rpcinfo > /tmp/transports
	! grep -qE '^ *1000(05|21|24) .*rdma' /tmp/transports ||
		fail "a helper program is offered over RDMA"
}

lock_file() {
	exec 7<> "$MNT/locked"
	flock -x 7 || fail "no lock"
}

unlock_file() {
	exec 7>&-
}

# lockd holds the lock for the client: a process on the server finds the file locked.
held_on_server() {
	"$GUEST_DIR/try-lock" "$EXPORT/locked" && return 1
	return 0
}

free_on_server() {
	"$GUEST_DIR/try-lock" "$EXPORT/locked"
}

mount_with_locks() {
	mkdir -p "$MNT"
	limited 60 mount -t nfs \
		-o "vers=3,proto=rdma,port=$PORT,mountproto=tcp,lock" \
		"$SERVER_ADDR:$EXPORT" "$MNT"
	over_rdma "$MNT"
}

link_up
modules_load
server_start
helpers_start
helpers_offered
mount_with_locks
echo content > "$MNT/locked"
lock_file
held_on_server || fail "the server does not hold the lock"
say "a lock is held"
unlock_file
within 10 free_on_server || fail "the server keeps the lock"
say "the lock is gone"
rm "$EXPORT/locked"
nfs_umount
finish
