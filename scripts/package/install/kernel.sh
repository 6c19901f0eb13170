# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Facts about a kernel, for the scripts in scripts/package/install. Source it.

MODULE_NAMES="rpcrdma xprtrdma svcrdma"
# Series of kernels with all tests
TESTED="6.1 6.12 7.3"

note() {
	printf '%s\n' "rpcrdma: $*"
}

die() {
	printf '%s\n' "rpcrdma: error: $*" >&2
	exit 1
}

# kernel_release KDIR: as uname -r prints it on that kernel, and as its modules have it. In Debian 12
# the file that is named after it has 6.1.192 where the kernel is 6.1.0-57-amd64.
kernel_release() {
	sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$1/include/generated/utsrelease.h" 2> /dev/null ||
		die "no prepared kernel build directory at $1; install the kernel's headers (Debian: linux-headers-$(uname -r)), or name another kernel with KDIR=..."
}

# The value of a kernel option, empty when it is off.
kernel_option() {
	local config=$1/include/config/auto.conf

	[ -r "$config" ] || config=$1/.config
	sed -n "s/^$2=//p" "$config"
}

# note_untested RELEASE: the modules depend on more than the probes of the build can check
note_untested() {
	local series

	series=$(sed -E 's/^([0-9]+\.[0-9]+).*/\1/' <<< "$1")
	[[ " $TESTED " == *" $series "* ]] ||
		note "the modules were not tested on kernel $1, only on ${TESTED// /, }" >&2
}

# Our modules replace the kernel's module, so the kernel must have one, not built in.
refuse_unfit() {
	local release

	release=$(kernel_release "$1") || exit
	case $(kernel_option "$1" CONFIG_SUNRPC_XPRT_RDMA) in
	m)	;;
	y)	die "kernel $release has its RDMA transport built in (CONFIG_SUNRPC_XPRT_RDMA=y), which no module can replace; it must be =m" ;;
	*)	die "kernel $release was built without CONFIG_SUNRPC_XPRT_RDMA; it must be =m, because the kernel's NFS code depends on it" ;;
	esac
}

refuse_unbuilt() {
	local name made

	for name in $MODULE_NAMES; do
		[ -e "$1/$name.ko" ] || die "$1/$name.ko does not exist; run make first"
		made=$(modinfo -F vermagic "$1/$name.ko")
		[ "${made%% *}" = "$2" ] ||
			die "$1/$name.ko was built for kernel ${made%% *}, not for $2; run make with the same KDIR"
	done
}

need_root() {
	[ "$(id -u)" -eq 0 ] || [ -n "$1" ] || die "this needs root"
}

run_depmod() {
	depmod ${2:+-b "$2"} "$1"
}
