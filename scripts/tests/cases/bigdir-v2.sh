#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a large directory at version 2 of the protocol
# lanes: uml umldbg
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml/rxe umldbg/rxe
# timeout: 150
# in-check: yes

# A client that takes nothing else (V2-MSG-07, V2-MSG-08).
# shellcheck disable=SC2034  # for modules_load
PARAMETERS="xprtrdma.versions=2"
. "${BASH_SOURCE[0]%/*}/bigdir.sh"
