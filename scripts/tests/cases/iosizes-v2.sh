#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: I/O of all sizes at version 2 of the protocol
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml/siw umldbg/siw smpdbg/siw kcsan/rxe
# timeout: 150
# in-check: yes

# A client that takes nothing else (V2-CHK-03, V2-INL-04, V2-MSG-07).
# shellcheck disable=SC2034  # for modules_load
PARAMETERS="xprtrdma.versions=2"
. "${BASH_SOURCE[0]%/*}/iosizes.sh"
