#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: soak for an hour
# lanes: umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 4500
# in-check: no

SOAK_SECONDS=${SOAK_SECONDS:-3600}
# shellcheck disable=SC1091
. "${SRC:?}/scripts/tests/cases/soak.sh"
