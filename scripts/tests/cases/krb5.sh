#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: krb5, krb5i and krb5p with a real KDC: correct data with every NFS version, and no direct data placement with krb5i and krb5p (ULB-SEC-01, ULB-SEC-02, V1-SEC-02, V1-SEC-03, V1-SEC-06)
# lanes: uml umldbg stock
# also: umlsmp73
# provider: rxe siw
# versions: 1 2
# guests: 1
# mods: ours
# timeout: 240
# in-check: yes
# every: uml/rxe
# lanes[v2]: uml
# every[v2]: uml/siw
# Proves at version 2 V2-SEC-01, V2-INL-04, V2-MSG-07.
# Proves V1-SEC-07, V1-SEC-09, T-43, T-44.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/krb5.sh"

amount FILE_MIB 64 8

write_and_read() {
	cp /tmp/file "$MNT/file"
	same_file /tmp/file "$EXPORT/file"
	drop_caches
	same_file /tmp/file "$MNT/file"
	rm "$MNT/file"
}

works() {
	local version=$1 flavour=$2

	krb5_mount "$version" "$flavour"
	write_and_read
	krb5_count "$version" "$flavour"
	krb5_reduced "$flavour" "$FILE_MIB"
	krb5_umount
}

# One with a ticket, one without.
users_are_told_apart() {
	krb5_mount 4.2 "$1"
	as_user alice cp /tmp/file "$MNT/hers"
	[ "$(stat -c %U "$EXPORT/hers")" = alice ] || fail "her file is not hers"
	same_file /tmp/file "$EXPORT/hers"
	krb5_needs_ticket "$MNT/hers"
	rm "$MNT/hers"
	krb5_umount
}

link_up
modules_load
krb5_realm
krb5_user alice
server_start
krb5_daemons
chmod 1777 "$EXPORT"
random_file /tmp/file $((FILE_MIB << 20))
chmod 644 /tmp/file
for flavour in krb5 krb5i krb5p; do
	krb5_export $flavour
	! krb5_lacks $flavour || continue
	for version in $VERSIONS; do
		! krb5_overwritten "$version" $flavour "$(uname -r)" "$MODS" || continue
		works "$version" $flavour
	done
	users_are_told_apart $flavour
done
krb5_stop
finish
