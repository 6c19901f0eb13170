#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: fault-points with 50 rounds
# lanes: umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 1500
# in-check: no

FAULTS=${FAULTS:-50}
# shellcheck disable=SC1091
. "${SRC:?}/scripts/tests/cases/fault-points.sh"
