#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: version 2: the raw peer exchanges properties with the server, and negotiates the version in every way
# lanes: uml umldbg stock
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# every: uml umldbg
# timeout: 120
# env: PARAMETERS=svcrdma.versions=both
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
server_start
peer_ready
VERSIONS=/sys/module/svcrdma/parameters/versions

peer_requester2 v2-connprop v2-rbsiz v2-defaults v2-unknown-properties \
	v2-property-twice v2-bad-properties v2-connprop-answers \
	v2-connprop-again v2-connprop-late v2-receives v2-unknown-versions \
	v2-unknown-opaque v2-settled v2-side-by-side v2-probe-version-1 \
	v2-private-data
echo 1 > $VERSIONS
peer_requester2 v2-off
echo 2 > $VERSIONS
peer_requester2 v2-only
echo both > $VERSIONS
refused_for short vers unknown_xid reply_too_big property properties_twice
finish
