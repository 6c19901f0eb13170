#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: linkcuts with 500 cuts
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours
# timeout: 9000
# in-check: no

CUTS=${CUTS:-500}
# shellcheck disable=SC1091
. "${SRC:?}/scripts/tests/cases/linkcuts.sh"
