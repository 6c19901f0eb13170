#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a Reply that is larger than the client's estimate fails its RPC at version 1, and arrives at version 2, with and without Kerberos (ULB-V2X-06); an attribute larger than the buffer draws ERANGE
# lanes: uml umldbg stock
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg
# timeout: 120
# env: PARAMETERS=svcrdma.versions=both
# refused: reply fits neither inline nor its chunk
# in-check: yes
# Proves V2-ERC-23, V2-ERC-24 to -27, V2-ERR-15, V2-SEC-08, V2-INL-09, V2-CRD-08.

# The test module reads a directory with one READDIRPLUS, for which it offers a Write
# chunk only: it makes the client believe that all but the beginning of the Reply
# can be placed directly. That is not so with a directory, and the Reply is too
# large to come inline.
. "${GUEST_LIB:?}"
. "$GUEST_DIR/krb5.sh"

FILES=60
PARAMS=/sys/module/test_estimate/parameters

# list BYTES: with memory for that many, or for the whole Reply if that is 0
list() {
	echo "$MNT $1" > $PARAMS/list
}

rebuilt() {
	local count

	count=$(connections client count_calls_rebuilt)
	echo "${count:-0}"
}

# The mount still works, with the same connection.
still_works() {
	echo "$1" > "$MNT/again"
	[ "$(cat "$EXPORT/again")" = "$1" ] || fail "the mount does not work any more"
	rm "$MNT/again"
	[ "$(rdma_counter "$MNT" connects)" = 1 ] || fail "the connection was lost"
}

# comes REBUILT: the Reply comes, and that many Calls have been rebuilt until now.
# "." and ".." are names too.
comes() {
	list 0
	[ "$(cat $PARAMS/names)" = $((FILES + 2)) ] || fail "$(cat $PARAMS/names) names"
	[ "$(rebuilt)" = "$1" ] || fail "$(rebuilt) Calls were rebuilt"
	say "the Reply comes with $(cat $PARAMS/names) names"
}

# ends REBUILT ERROR BYTES
ends() {
	refused "$2" list "$3"
	[ "$(rebuilt)" = "$1" ] || fail "$(rebuilt) Calls were rebuilt"
}

# at_version VERSION FLAVOUR
at_version() {
	echo "$1" > /sys/module/xprtrdma/parameters/versions
	krb5_mount 3 "$2"
	[ "$(connections client version)" = "$1" ] || fail "it is not version $1"
	say "version $1, sec=$2"
	case $1-$2 in
	1-sys|1-krb5)
		ends 0 'input/output error' 0
		ends 0 'input/output error' 2000
		;;
	2-sys|2-krb5)
		comes 1
		comes 2
		ends 2 'message too long' 2000
		;;
	# Nothing is reduced, so a Reply chunk is there from the beginning.
	*-krb5i)
		comes 0
		ends 0 'input/output error|message too long' 2000
		;;
	esac
	still_works "$1"
	krb5_umount
}

# An attribute and an ACL that are larger than the buffer: the application sees what it
# sees on TCP. The server answers an RPC whose Reply does not fit with an error, and the
# session goes on.
outgrown() {
	drop_caches
	if [ "$xattrs" = yes ]; then
		"$GUEST_DIR/big-attr" outgrow-user "$MNT/attribute" 16000
		drop_caches
	fi
	"$GUEST_DIR/big-attr" outgrow-nfs4 "$MNT/attribute" 600
	! log_has 'RPC call returned error' || fail "each such Call writes a line to the log"
}

outgrown_at_version() {
	echo "$1" > /sys/module/xprtrdma/parameters/versions
	nfs_mount 4.2
	[ "$(connections client version)" = "$1" ] || fail "it is not version $1"
	outgrown
	[ "$(connections client count_rdma_errors_received)" -ge $replies ] || fail "no Reply was too large"
	still_works "$1"
	nfs_umount
	say "version $1: a buffer that is too small draws ERANGE"
}

link_up
modules_load
krb5_realm
server_start
krb5_daemons
"$GUEST_DIR/big-dir" make "$EXPORT" $FILES
insmod "$TESTMOD_DIR/test_estimate.ko"
for flavour in sys krb5 krb5i; do
	krb5_export $flavour
	for version in 1 2; do
		at_version $version $flavour
	done
done
rmmod test_estimate
krb5_export sys
: > "$EXPORT/attribute"
xattrs=no replies=1
if export_has_xattrs; then
	"$GUEST_DIR/big-attr" set-user "$EXPORT/attribute" 16000
	xattrs=yes replies=2
fi
"$GUEST_DIR/big-attr" set-posix "$EXPORT/attribute" 600
log_mark
PORT=2049 nfs_mount_program "$SERVER_ADDR" tcp 4.2 "$MNT" ""
outgrown
nfs_umount
log_mark
outgrown_at_version 1
outgrown_at_version 2
krb5_stop
finish
