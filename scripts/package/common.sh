# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Shared by the scripts in scripts/package. Source it.

set -euo pipefail
export LC_ALL=C
PACKAGE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(cd "$PACKAGE/../.." && pwd)
# shellcheck disable=SC2034
VERSION=$(sed -n 's/^#define RPCRDMA_RELEASE[^"]*"\(.*\)"/\1/p' "$TOP/include/rpcrdma/release.h")
# What DKMS builds from
MODULE_SOURCES="Makefile Kbuild COPYING include rpcrdma xprtrdma svcrdma kunit scripts/package/install"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES KDIR ARCH

die() {
	printf '%s\n' "package: error: $*" >&2
	exit 1
}

# copy_sources FROM TO NAME...: without the products of a build
copy_sources() {
	local from=$1 to=$2 name
	shift 2

	for name in "$@"; do
		(cd "$from" && find "$name" -type f ! -name '*.o' ! -name '*.ko' \
			! -name '*.mod' ! -name '*.mod.c' ! -name '.*.cmd' ! -name '*.d' \
			! -name '*.symvers' ! -name '*.order' ! -name '*.pyc' \
			! -name 'probed.h*' -print0 | cpio -0 -pdm --quiet "$to")
	done
}

# need PROGRAM PACKAGE
need() {
	command -v "$1" > /dev/null || die "$1 is missing; install it: apt install $2"
}
