# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Listeners of nfsd, for cases that make them in different ways.
#
#   mount_works VERSION NAME   NAME tells how the listener was made
#   listeners_gone NAME        none is left, nor its RDMA port

mount_works() {
	nfs_mount "$1"
	echo "$2" > "$MNT/word"
	[ "$(cat "$EXPORT/word")" = "$2" ] || fail "$2: the file differs"
	nfs_umount
	say "$2: a mount works"
}

listeners_gone() {
	[ -z "$(cat "$NFSD/portlist")" ] || fail "$1: listeners stay: $(cat "$NFSD/portlist")"
	no_listening_id
}

# The RDMA core has forgotten the port too.
no_listening_id() {
	within 10 no_id || fail "an RDMA listener stays"
}

no_id() {
	[ "$(rdma_count cm_id)" -eq 0 ]
}
