#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: mounts of every NFS version do I/O with the raw peer as their server, which checks every message of the client
# lanes: uml umldbg
# also: umlsmp73
# provider: rxe siw
# guests: 1
# mods: ours
# needs: peer
# timeout: 180
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/peer.sh"

link_up
modules_load
# The tmpfs of 6.1 has no attributes "user.*".
server_export_on_disk
peer_backend
peer_ready
peer_responder 'watch-*'
finish
