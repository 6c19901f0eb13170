#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The demonstration: starts from an unprepared Debian 12 machine and ends with NFS over
# RDMA with our modules, on Debian's own kernel in a virtual machine. Only installed
# packages and the cache change on this machine.
#
# usage: scripts/tests/demo.sh [LANE]   (as `make demo LANE=stock73`; needs root)
#   LANE  one of Debian's kernels in scripts/tests/lab/lanes.sh: stock (6.12, default),
#         stock61, stock73
#
# This part runs on the host: packages, kernel, modules, virtual machine. The part in the
# guest is scripts/tests/guest/demo.sh. The last line of output is the result.

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
lab=$top/scripts/tests/lab
. "$lab/lanes.sh"
SECONDS=0

say() {
	printf 'demo: [%3d s] %s\n' "$SECONDS" "$*"
}

failed() {
	say "FAILED: $*"
	exit 1
}

lane=${1:-stock}
[ "$(lane_kernel "$lane")" = debian ] || failed "there is no kernel of Debian's called '$lane'; see lanes.sh"
series=$(lane_series "$lane")
[ "$(id -u)" -eq 0 ] || failed "make demo needs root: it installs packages and starts a virtual machine"

# Modules loaded on the host do not affect the guest, but they may confuse the user.
note_host_module() {
	[ ! -d /sys/module/rpcrdma ] || "$top/scripts/package/install/loaded" "$1" ||
		say "that is this machine's own rpcrdma; the guest has another kernel, so the demo goes on"
}

guest_cpus() {
	local cpus

	cpus=$(nproc)
	[ "$cpus" -le 4 ] && echo "$cpus" || echo 4
}

# Prints the lines of the guest's part as they appear; the whole console is logged.
show_progress() {
	tr -d '\r' | sed -un -e 's/^demo: /demo:         /p' \
		-e 's/^\[.*\] demo: FAILED/demo:         FAILED/p'
}

boot() {
	GUEST_MEM=3G GUEST_CPUS=$(guest_cpus) "$lab/guest" "$lane" -m none -p rxe \
		-k "$modules" -t 900 -o "$log" "$top/scripts/tests/guest/demo.sh" 2>&1
}

why() {
	"$lab/verdict" "$log" demo || true
	grep -a 'FAILED\|rmmod rpcrdma' "$log" | tail -n 5 || true
}

say "step 1 of 4: packages this machine needs"
"$lab/deps" || failed "packages are missing and could not be installed"
say "step 2 of 4: Debian's own $series kernel"
kernel=$("$lab/kernel" "$lane") || failed "no Debian $series kernel could be fetched"
release=$(cat "$kernel/release")
say "step 3 of 4: our modules for $release"
modules=$("$lab/build-modules" "$lane") || failed "the modules did not build"
note_host_module "$modules"
log=$(dirname "$modules")/demo.log
say "step 4 of 4: boot $release with $(guest_cpus) CPUs and use them"
boot | show_progress || {
	why
	failed "the whole log of the guest is in $log"
}
say "PASSED: NFS over RDMA with our own modules on $release, NFSv3, 4.0, 4.1 and 4.2, checksums equal, nothing left behind"
