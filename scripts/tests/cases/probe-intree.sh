#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: probe with the in-tree client: the probes of our server do it no harm, and find it when it is dead
# lanes: uml
# provider: rxe siw
# guests: 2
# peers: intree-ours
# timeout: 150
# in-check: yes

# shellcheck disable=SC1091
. "${SRC:?}/scripts/tests/cases/probe.sh"
