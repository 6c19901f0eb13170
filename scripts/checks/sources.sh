# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Shared by the checks: lists of the project's files. Source it. A check prints what it
# finds and exits 1. With exit status 77 it could not be done, and the last line says why.

set -euo pipefail
CHECKS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034
LAB=$CHECKS/../tests/lab
cd "$CHECKS/../.."

c_sources() {
	find rpcrdma xprtrdma svcrdma include kunit scripts/tests/modules \
		-name '*.[ch]' ! -name '*.mod.c' ! -name probed.h 2> /dev/null | sort
}

scripts() {
	find scripts .ci include -type f ! -path '*/tests/modules/*' -print0 |
		xargs -0 grep -lE -m1 '^#!/bin/(ba)?sh|^# shellcheck shell=' | sort
}

# found LINES MESSAGE: fail with the message if there are lines
found() {
	[ -n "$1" ] || return 0
	printf '%s\n' "$1"
	printf '%s\n' "$2"
	exit 1
}

something() {
	[ -n "$1" ] || { echo "there is no source file to look at"; exit 1; }
}
