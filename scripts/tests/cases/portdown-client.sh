#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the client's network device is down for 20 seconds during I/O: the I/O continues by itself, correct data
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 150
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"
. "$GUEST_DIR/steady-io.sh"
. "$GUEST_DIR/portdown.sh"

wire_up
modules_load
server_start
portdown_rounds client
finish
