#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: every NFS version at version 2 of the protocol, IPv4 and IPv6 (ULB-V2X-01)
# lanes: uml umldbg smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml umldbg smpdbg/rxe kcsan/siw
# timeout: 90
# in-check: yes

# A client that takes nothing else (V2-INL-04, V2-MSG-01, V2-NEG-29).
# shellcheck disable=SC2034  # for modules_load
PARAMETERS="xprtrdma.versions=2"
. "${BASH_SOURCE[0]%/*}/smoke.sh"
