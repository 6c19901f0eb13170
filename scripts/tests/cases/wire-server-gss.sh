#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the raw peer uses Kerberos, in both protocol versions: with integrity and privacy the server reduces no Reply, although there is a Write list, and takes no Call that is reduced
# lanes: uml umldbg
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg
# timeout: 120
# env: PARAMETERS=svcrdma.versions=both
# in-check: yes
# symbols: gss_krb5_wrap_v2

# Linux 6.1, which has no such function, lacks a working krb5p, also on TCP.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"
. "$GUEST_DIR/krb5.sh"

link_up
modules_load
krb5_realm
server_start
krb5_daemons
krb5_export sys:krb5:krb5i:krb5p
kinit -k -t /etc/krb5.keytab "nfs/$KRB5_HOST"
peer_ready
export PEER_GSS=nfs@$KRB5_HOST
peer_requester gss-read gss-write gss-reduced
peer_requester2 v2-gss-read v2-gss-write v2-gss-reduced
refused_for reduced
krb5_stop
finish
