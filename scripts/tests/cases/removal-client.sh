#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the client's RDMA device is removed under load: it goes, I/O goes on when it is back, modules unload right after a removal
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 150
# in-check: yes

# More of it by removal-client-full, or with REMOVALS=number.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"
. "$GUEST_DIR/steady-io.sh"
. "$GUEST_DIR/removal.sh"

wire_up
modules_load
server_start
removal_rounds client "${REMOVALS:-$((2 * ${RUNS:-2}))}"
finish
