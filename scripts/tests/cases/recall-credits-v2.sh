#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: credits of callbacks at version 2 of the protocol
# lanes: uml umldbg
# provider: rxe siw
# guests: 2
# peers: ours-ours
# every: uml/rxe umldbg/rxe
# timeout: 120
# in-check: yes

# A client that takes nothing else (V2-CRD-01, V2-CRD-02, V2-CRD-03, V2-BRS-09).
# shellcheck disable=SC2034  # for modules_load
PARAMETERS="xprtrdma.versions=2"
. "${BASH_SOURCE[0]%/*}/recall-credits.sh"
