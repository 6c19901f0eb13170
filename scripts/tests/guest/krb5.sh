# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A Kerberos realm inside the guest, with MIT's KDC, the two daemons that make GSS
# contexts, rpc.gssd for the client and rpc.svcgssd for the server, and the server's
# rpc.idmapd, because Kerberos uses names in place of numbers.
#
#   krb5_realm             names, configuration, KDC, keys
#   krb5_join              in a guest of its own for the client: the same, with the keys
#                          that the server's guest hands out
#   krb5_user NAME         an account with a principal and a ticket
#   krb5_guest_user NAME   the same in the client's guest
#   krb5_daemons           after server_start
#   krb5_export SEC        the export accepts this flavour only
#   krb5_mount VERSION SEC
#   krb5_overwritten VERSION SEC KERNEL MODS
#                          that server's check sums of READs are wrong now and then
#   krb5_umount
#   krb5_count VERSION SEC chunks of the mount so far
#   krb5_reduced SEC MIB   they are as the flavour demands after so many MiB each way
#   krb5_needs_ticket FILE a user without one cannot read it
#   krb5_stop
#
# rpc.gssd of Debian 12 creates each context in a thread, and closes a client's pipe when
# the client goes, even if a thread uses it: the thread may then write into the socket of
# another client ("RPC fragment too large" in the kernel log), and a mount fails. So
# nothing is unmounted while gssd works, and a mount that fails is tried once more with a
# new gssd, if the kernel log has that line. Without it the mount has failed.

KRB5_REALM=LAB.TEST
KRB5_HOST=nfs.lab.test
KRB5_CLIENT=client.lab.test
KRB5_LOGS=/run/krb5-logs
KRB5_DAEMONS="krb5kdc rpc.gssd rpc.svcgssd rpc.idmapd"
GSSD_MIXED_UP=0

krb5_realm() {
	mkdir -p $KRB5_LOGS
	hostname $KRB5_HOST
	echo "$SERVER_ADDR $KRB5_HOST" >> /etc/hosts
	krb5_configuration 127.0.0.1
	rm -f /var/lib/krb5kdc/principal* /etc/krb5.keytab
	limited 60 kdb5_util -r $KRB5_REALM -P master create -s > /dev/null
	krb5_principal "nfs/$KRB5_HOST" /etc/krb5.keytab
	krb5_principal "host/$KRB5_HOST" /etc/krb5.keytab
	krb5kdc
}

krb5_join() {
	KRB5_DAEMONS=rpc.gssd
	mkdir -p $KRB5_LOGS
	hostname $KRB5_CLIENT
	printf '%s\n' "$SERVER_ADDR $KRB5_HOST" "$OWN_ADDR $KRB5_CLIENT" >> /etc/hosts
	krb5_configuration "$SERVER_ADDR"
	on_server krb5_principal host/$KRB5_CLIENT /run/client.keytab
	krb5_fetch /run/client.keytab /etc/krb5.keytab
}

# krb5_fetch KEYTAB FILE: from the server's guest
krb5_fetch() {
	on_server base64 -w0 "$1" | base64 -d > "$2"
}

# krb5_configuration KDC. Nothing may look for a name server.
krb5_configuration() {
	mkdir -p /etc/krb5kdc /var/lib/krb5kdc
	cat > /etc/krb5.conf <<- END
	[libdefaults]
	default_realm = $KRB5_REALM
	dns_lookup_kdc = false
	dns_lookup_realm = false
	dns_canonicalize_hostname = false
	rdns = false
	[realms]
	$KRB5_REALM = {
		kdc = $1
	}
	[domain_realm]
	.${KRB5_HOST#*.} = $KRB5_REALM
	END
	cat > /etc/krb5kdc/kdc.conf <<- END
	[realms]
	$KRB5_REALM = {
		database_name = /var/lib/krb5kdc/principal
		key_stash_file = /var/lib/krb5kdc/stash
	}
	END
	# The client's root is the server's root, as with no_root_squash.
	cat > /etc/idmapd.conf <<- END
	[General]
	Domain = ${KRB5_HOST#*.}
	[Mapping]
	Nobody-User = nobody
	Nobody-Group = nogroup
	[Translation]
	Method = static,nsswitch
	GSS-Methods = static,nsswitch
	[Static]
	nfs/$KRB5_HOST@$KRB5_REALM = root
	host/$KRB5_HOST@$KRB5_REALM = root
	host/$KRB5_CLIENT@$KRB5_REALM = root
	END
}

# krb5_principal NAME KEYTAB
krb5_principal() {
	krb5_admin "addprinc -randkey +requires_preauth $1"
	krb5_admin "ktadd -k $2 $1"
}

krb5_admin() {
	limited 30 kadmin.local -r $KRB5_REALM -q "$1" >> $KRB5_LOGS/kadmin 2>&1
}

krb5_user() {
	useradd --no-create-home "$1"
	krb5_principal "$1" "/run/$1.keytab"
	krb5_ticket "$1"
}

krb5_guest_user() {
	useradd --no-create-home "$1"
	on_server krb5_user "$1"
	krb5_fetch "/run/$1.keytab" "/run/$1.keytab"
	krb5_ticket "$1"
}

krb5_ticket() {
	chown "$1" "/run/$1.keytab"
	as_user "$1" kinit -k -t "/run/$1.keytab" "$1"
}

as_user() {
	setpriv --reuid "$1" --regid "$1" --clear-groups "${@:2}"
}

# In the foreground, because there is no syslog.
krb5_daemons() {
	gssd_start
	if [[ $KRB5_DAEMONS == *svcgssd* ]]; then
		rpc.svcgssd -f -v > $KRB5_LOGS/svcgssd 2>&1 &
		rpc.idmapd -f -S > $KRB5_LOGS/idmapd 2>&1 &
	fi
	within 20 krb5_is_up || fail "a Kerberos daemon does not run"
}

krb5_is_up() {
	local name

	for name in $KRB5_DAEMONS; do
		pidof -q "$name" || return 1
	done
}

krb5_export() {
	exportfs -o "rw,no_root_squash,insecure,fsid=0,no_subtree_check,sec=$1" "*:$EXPORT"
}

gssd_start() {
	rpc.gssd -f -v >> $KRB5_LOGS/gssd 2>&1 &
}

# Two threads always remain: the first one, and the one that watches the others.
gssd_rests() {
	local tasks=(/proc/"$(pidof rpc.gssd)"/task/*)

	[ ${#tasks[@]} -le 2 ]
}

gssd_is_gone() {
	! pidof -q rpc.gssd
}

gssd_again() {
	pkill -x rpc.gssd || true
	within 10 gssd_is_gone || fail "rpc.gssd does not end"
	gssd_start
	within 20 krb5_is_up || fail "there is no new rpc.gssd"
}

# gssd_mixed_up: once more than when it was asked last
gssd_mixed_up() {
	local lines

	lines=$(dmesg | grep -c 'RPC fragment too large') || true
	[ "$lines" -gt "$GSSD_MIXED_UP" ] || return
	GSSD_MIXED_UP=$lines
}

krb5_mount() {
	mkdir -p "$MNT"
	if ! nfs_mount_program $KRB5_HOST rdma "$1" "$MNT" "sec=$2"; then
		gssd_mixed_up || fail "not mounted with sec=$2, and not because of rpc.gssd"
		say "not mounted: once more, with a new rpc.gssd"
		gssd_again
		nfs_mount_program $KRB5_HOST rdma "$1" "$MNT" "sec=$2"
	fi
	over_rdma "$MNT"
	grep -qE "^[^ ]+ $MNT nfs4? [^ ]*sec=$2," /proc/mounts ||
		fail "$MNT is not mounted with sec=$2"
}

# krb5_lacks FLAVOUR: krb5p of Linux 6.1 does not work on TCP either.
krb5_lacks() {
	[[ $1 = krb5p && $(uname -r) = 6.1.* ]] || return 1
	mkdir -p "$MNT"
	if PORT=2049 nfs_mount_program $KRB5_HOST tcp 3 "$MNT" sec=krb5p; then
		umount "$MNT"
		return 1
	fi
	say "left out: krb5p, which fails on TCP, too"
}

# krb5_overwritten VERSION FLAVOUR SERVER-KERNEL SERVER-MODS: with krb5i, nfsd of Linux 7
# writes the check sum of the next READ over the last one, and only our server keeps it
# (Documentation/kernel-bugs.rst).
krb5_overwritten() {
	[[ $1 = 4.* && $2 = krb5i && $3 = 7.* && $4 = intree ]] || return 1
	say "left out: vers=$1 sec=$2, where nfsd overwrites its check sums"
}

krb5_umount() {
	within 30 gssd_rests || say "rpc.gssd is still at work"
	nfs_umount
}

# Data items are placed directly by Read chunks and Write chunks. Whole messages go
# in Position-Zero Read chunks, one for each long Call, and in Reply chunks. The in-tree
# client counts segments in place of Read chunks, and may offer a Reply chunk for a READ of
# NFSv3 with Kerberos (seen on 7.3 with siw).
krb5_count() {
	LONG_CALLS=$(rdma_counter "$MNT" nomsg_calls)
	READ_CHUNKS=$(($(rdma_counter "$MNT" read_chunks) - LONG_CALLS))
	WRITE_CHUNKS=$(rdma_counter "$MNT" write_chunks)
	REPLY_CHUNKS=$(rdma_counter "$MNT" reply_chunks)
	say "vers=$1 sec=$2: $READ_CHUNKS Read chunks, $WRITE_CHUNKS Write chunks," \
		"$LONG_CALLS long Calls, $REPLY_CHUNKS Reply chunks"
}

# In pieces of a megabyte at most
krb5_reduced() {
	case $1 in
	krb5)
		[ "$READ_CHUNKS" -ge "$2" ] || fail "too few Read chunks"
		[ "$MODS" != intree ] || WRITE_CHUNKS=$((WRITE_CHUNKS + REPLY_CHUNKS))
		[ "$WRITE_CHUNKS" -ge "$2" ] || fail "too few Write chunks" ;;
	*)
		[ "$MODS" = intree ] || [ "$READ_CHUNKS" -eq 0 ] ||
			fail "a data item was reduced in a Call"
		[ "$WRITE_CHUNKS" -eq 0 ] || fail "a data item was reduced in a Reply"
		[ "$LONG_CALLS" -ge "$2" ] || fail "too few long Calls"
		[ "$REPLY_CHUNKS" -ge "$2" ] || fail "too few Reply chunks" ;;
	esac
}

krb5_needs_ticket() {
	refused 'permission denied|required key not available' \
		limited 60 setpriv --reuid nobody --clear-groups cat "$1"
}

krb5_stop() {
	local name

	for name in $KRB5_DAEMONS; do
		pkill -x "$name" || true
	done
}

# Called when the case fails.
diagnose_case() {
	tail -n 40 $KRB5_LOGS/*
}
