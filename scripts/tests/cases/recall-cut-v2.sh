#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: connections cut under recalls at version 2 of the protocol
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml/rxe umldbg/rxe
# timeout: 180
# in-check: yes

# A client that takes nothing else (V2-NEG-25, V2-NEG-29, V2-RI-12).
# shellcheck disable=SC2034  # for modules_load
PARAMETERS="xprtrdma.versions=2"
. "${BASH_SOURCE[0]%/*}/recall-cut.sh"
