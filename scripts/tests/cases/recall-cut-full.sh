#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: recall-cut with 200 cuts
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 1500
# in-check: no

CUTS=${CUTS:-200}
# shellcheck disable=SC1091
. "${SRC:?}/scripts/tests/cases/recall-cut.sh"
