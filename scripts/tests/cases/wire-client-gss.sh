#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a Reply with a wrong Kerberos verifier: the client closes the connection, and the Call is answered on the next one; credentials and verifiers count against the inline thresholds
# lanes: uml umldbg
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml
# timeout: 120
# in-check: yes
# symbols: gss_krb5_wrap_v2

# sunrpc of 6.1, which has no such function, reads the same Reply three times and fails the RPC
# before the connection is closed, also with the in-tree module.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"
. "$GUEST_DIR/krb5.sh"

link_up
modules_load
krb5_realm
peer_backend
krb5_daemons
krb5_export sys:krb5:krb5i
peer_ready
export PEER_SERVER_NAME=$KRB5_HOST
peer_responder wrong-verifier gss-sizes
krb5_stop
finish
