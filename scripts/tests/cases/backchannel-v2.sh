#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: delegations and callbacks at version 2 of the protocol
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/siw kcsan/rxe
# timeout: 90
# in-check: yes

# A client that takes nothing else (V2-BRS-02, V2-BRS-08, V2-BRS-15, V2-NEG-15).
# shellcheck disable=SC2034  # for modules_load
PARAMETERS="xprtrdma.versions=2"
. "${BASH_SOURCE[0]%/*}/backchannel.sh"
