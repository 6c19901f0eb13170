#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: failslab with every place that allocates
# lanes: umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 1800
# in-check: no

EVERY=${EVERY:-1}
# shellcheck disable=SC1091
. "${SRC:?}/scripts/tests/cases/failslab.sh"
