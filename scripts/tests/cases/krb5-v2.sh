#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: krb5, krb5i and krb5p at version 2 of the protocol
# lanes: uml
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 240
# in-check: yes
# every: uml/siw

# A client that takes nothing else (V2-SEC-01, V2-INL-04, V2-MSG-07).
# shellcheck disable=SC2034  # for modules_load
PARAMETERS="xprtrdma.versions=2"
. "${BASH_SOURCE[0]%/*}/krb5.sh"
