#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: two guests, krb5, krb5i and krb5p with a KDC beside the server, every NFS version: correct data, users told apart, and no direct data placement with krb5i and krb5p (ULB-SEC-01, ULB-SEC-02, V1-SEC-02)
# lanes: uml umldbg
# also: umlsmp73
# provider: rxe siw
# guests: 2
# peers: ours-ours ours-intree intree-ours
# every[ours-intree]: uml/rxe
# every[intree-ours]: uml/siw
# timeout: 240
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/krb5.sh"

FILE_MIB=8

there_and_back() {
	cp /tmp/up/file "$MNT/up/file"
	[ "$(on_server tree_sums "$EXPORT/up")" = "$SUMS" ] || fail "the server has other data"
	drop_caches
	has_sums "$MNT/up" "$SUMS"
	rm "$MNT/up/file"
}

works() {
	local version=$1 flavour=$2

	krb5_mount "$version" "$flavour"
	mkdir -p "$MNT/up"
	there_and_back
	krb5_count "$version" "$flavour"
	krb5_reduced "$flavour" $FILE_MIB
	krb5_umount
}

# One with a ticket, one without.
users_are_told_apart() {
	krb5_mount 4.2 "$1"
	as_user alice cp /tmp/up/file "$MNT/hers"
	[ "$(on_server stat -c %U "$EXPORT/hers")" = alice ] || fail "her file is not hers"
	krb5_needs_ticket "$MNT/hers"
	rm "$MNT/hers"
	krb5_umount
}

server() {
	krb5_realm
	server_start
	krb5_daemons
	chmod 1777 "$EXPORT"
	pair_serve
	krb5_stop
	finish
}

client() {
	local flavour kernel mods version

	client_start
	mkdir /tmp/up
	random_file /tmp/up/file $((FILE_MIB << 20))
	chmod 644 /tmp/up/file
	SUMS=$(tree_sums /tmp/up)
	pair_wait_server
	krb5_join
	krb5_guest_user alice
	krb5_daemons
	kernel=$(on_server uname -r)
	mods=$(on_server "echo \$MODS")
	for flavour in krb5 krb5i krb5p; do
		on_server krb5_export $flavour
		! krb5_lacks $flavour || continue
		for version in $VERSIONS; do
			! krb5_overwritten "$version" $flavour "$kernel" "$mods" || continue
			works "$version" $flavour
		done
		users_are_told_apart $flavour
	done
	krb5_stop
	pair_stop
	finish
}

link_up
modules_load
"$ROLE"
