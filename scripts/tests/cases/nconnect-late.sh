#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a connection of a mount with nconnect that is made only when the server refuses it delays Calls, and none of them fails
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 60
# env: PARAMETERS=xprtrdma.versions=2,svcrdma.versions=both
# refused: version not supported
# in-check: yes

. "${GUEST_LIB:?}"

# The kernel's limit. Mounting needs fewer Calls than that, so not all are in use then.
CONNECTIONS=16

server_takes() {
	echo "$1" > /sys/module/svcrdma/parameters/versions
}

server_refuses() {
	log_since | grep -q 'no protocol version in common'
}

link_up
modules_load
server_start
random_file /tmp/source $((CONNECTIONS << 17))
nfs_mount 3 "$MNT" nconnect=$CONNECTIONS
: > "$MNT/file"
log_mark
server_takes 1
dd if=/tmp/source of="$MNT/file" bs=64k oflag=direct conv=notrunc status=none &
writer=$!
within 20 server_refuses || fail "no connection is made after the mount"
sleep 1
server_takes both
wait $writer || fail "a WRITE failed because a connection was refused"
same_file /tmp/source "$EXPORT/file"

# A mount that the server refuses from the beginning fails at once, with the cause
nfs_umount
server_takes 1
refused 'not supported' limited 20 mount -t nfs \
	-o "$(nfs_options 3 rdma),retry=0" "$SERVER_ADDR:$(nfs_path 3)" "$MNT"
finish
