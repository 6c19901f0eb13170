#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: recall-load with 10,000 recalls
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 1500
# in-check: no

RECALLS=${RECALLS:-10000}
# shellcheck disable=SC1091
. "${SRC:?}/scripts/tests/cases/recall-load.sh"
