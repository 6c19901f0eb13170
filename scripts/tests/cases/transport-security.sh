#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a client that demands transport layer security gets no transport, since RDMA has none: NFS creates such a client for a referral below a mount over TCP with xprtsec=tls
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# symbols: authtls_ops
# timeout: 60
# in-check: yes

. "${GUEST_LIB:?}"

# No machine has it.
FIRST=$(((192 << 24) + (168 << 16) + (80 << 8) + 1))

transports() {
	compgen -G '/sys/kernel/sunrpc/xprt-switches/switch-*/xprt-*-rdma' | wc -l
}

no_transport() {
	[ "$(transports)" -eq 0 ]
}

# client TLS: one as NFS creates
client() {
	insmod "$TESTMOD_DIR/test_dead.ko" first=$FIRST count=1 tls="$1"
}

link_up
modules_load
server_start
client 0
compare "transports of a client without TLS" "$(transports)" -eq 1
rmmod test_dead
within 20 no_transport || fail "the transport stays"

refused 'permission denied' client 1
compare "transports of a client with TLS" "$(transports)" -eq 0
finish
