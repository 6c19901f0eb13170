#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The demonstration: from a Debian 12 machine with nothing prepared to NFS over RDMA
# with our modules, on Debian's own 6.12 kernel in a virtual machine. Nothing of
# this machine changes but its installed packages and the cache.
#
# usage: scripts/tests/demo.sh          (as `make demo`; needs root)
#
# This is the half that runs here: packages, kernel, modules, virtual machine. The
# half in the guest is scripts/tests/guest/demo.sh. The last line says how it ended.

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
lab=$top/scripts/tests/lab
SECONDS=0

say() {
	printf 'demo: [%3d s] %s\n' "$SECONDS" "$*"
}

failed() {
	say "FAILED: $*"
	exit 1
}

[ "$(id -u)" -eq 0 ] || failed "make demo needs root: it installs packages and starts a virtual machine"

# What is loaded here does not matter to the guest, but a user may wonder.
note_host_module() {
	[ ! -d /sys/module/rpcrdma ] || "$top/scripts/package/install/loaded" "$1" ||
		say "that is this machine's own rpcrdma; the guest has another kernel, so the demo goes on"
}

guest_cpus() {
	local cpus

	cpus=$(nproc)
	[ "$cpus" -le 4 ] && echo "$cpus" || echo 4
}

# Lines of the guest's half as they come; the whole console goes to the log.
show_progress() {
	tr -d '\r' | sed -un -e 's/^demo: /demo:         /p' \
		-e 's/^\[.*\] demo: FAILED/demo:         FAILED/p'
}

boot() {
	GUEST_MEM=3G GUEST_CPUS=$(guest_cpus) "$lab/guest" stock -m none -p rxe \
		-k "$modules" -t 900 -o "$log" "$top/scripts/tests/guest/demo.sh" 2>&1
}

why() {
	"$lab/verdict" "$log" demo || true
	grep -a 'FAILED\|rmmod rpcrdma' "$log" | tail -n 5 || true
}

say "step 1 of 4: packages this machine needs"
"$lab/deps" || failed "packages are missing and could not be installed"
say "step 2 of 4: Debian's own 6.12 kernel"
kernel=$("$lab/kernel" stock) || failed "no Debian 6.12 kernel could be fetched"
release=$(cat "$kernel/release")
say "step 3 of 4: our modules for $release"
modules=$("$lab/build-modules" stock) || failed "the modules did not build"
note_host_module "$modules"
log=$(dirname "$modules")/demo.log
say "step 4 of 4: boot $release with $(guest_cpus) CPUs and use them"
boot | show_progress || {
	why
	failed "the whole log of the guest is in $log"
}
say "PASSED: NFS over RDMA with our own modules on $release, NFSv3, 4.0, 4.1 and 4.2, checksums equal, nothing left behind"
