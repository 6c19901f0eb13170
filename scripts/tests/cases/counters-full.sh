#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: after two million operations every counter of both ends is right
# lanes: uml stock
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 7200
# in-check: no

OPERATIONS=${OPERATIONS:-2200000}
# shellcheck disable=SC1091
. "${SRC:?}/scripts/tests/cases/counters.sh"
