#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the server's network device is down for 20 seconds during I/O: the I/O continues by itself, correct data
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# boot: time-travel
# timeout: 150
# in-check: yes

# Not with several CPUs: while one device of a veth pair goes down, the other one, which
# is up and has its carrier, reports each packet as dropped. rxe takes that for an error
# of the queue pair, also of the connection manager's.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"
. "$GUEST_DIR/steady-io.sh"
. "$GUEST_DIR/portdown.sh"

wire_up
modules_load
server_start
portdown_rounds server
finish
