#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: suspend for a minute
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours
# timeout: 400
# in-check: no

SUSPEND_SECONDS=${SUSPEND_SECONDS:-60}
# shellcheck disable=SC1091
. "${SRC:?}/scripts/tests/cases/suspend.sh"
