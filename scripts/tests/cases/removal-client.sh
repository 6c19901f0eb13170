#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: the client's RDMA device is removed under load: the removal ends, I/O continues when the device is back, modules unload right after a removal
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# lengths: short full
# guests: 1
# mods: ours
# timeout: 150
# in-check: yes
# lanes[full]: uml umldbg
# timeout[full]: 1500
# in-check[full]: no
# env[full]: REMOVALS=50

# REMOVALS=number sets how many; "env[full]" above does so for the full run.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/wire.sh"
. "$GUEST_DIR/steady-io.sh"
. "$GUEST_DIR/removal.sh"

wire_up
modules_load
server_start
removal_rounds client "${REMOVALS:-$((2 * ${RUNS:-2}))}"
finish
