#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: removal-server with 50 removals
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 1500
# in-check: no

REMOVALS=${REMOVALS:-50}
# shellcheck disable=SC1091
. "${SRC:?}/scripts/tests/cases/removal-server.sh"
