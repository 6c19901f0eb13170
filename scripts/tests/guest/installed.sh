# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# For cases with the files of the package installed, and the modules where DKMS puts them.
# The modules are those of $KO_DIR, or of another directory.
#
#   package_comes [DIRECTORY]    installs the files and modules
#   modules_come DIRECTORY       installs other modules, as an upgrade does
#   server_of_the_package        starts nfsd, which the package has configured for RDMA
#   says PATTERN COMMAND...      it succeeds, and prints one line that matches, in /tmp/said
#   silent COMMAND...            it succeeds, and prints nothing
#   printed_step                 the command at the end of that line

PACKAGE_MODULES=/lib/modules/$(uname -r)/updates/dkms
TRANSPORT=/usr/lib/rpcrdma/transport

modules_come() {
	local name

	mkdir -p "$PACKAGE_MODULES"
	for name in $OUR_MODULES; do
		cp "$1/$name.ko" "$PACKAGE_MODULES/"
	done
	# User-Mode Linux has none of these, and depmod misses them.
	for name in order builtin builtin.modinfo; do
		[ -e "${PACKAGE_MODULES%/updates/dkms}/modules.$name" ] || : > "${PACKAGE_MODULES%/updates/dkms}/modules.$name"
	done
	depmod
}

package_comes() {
	"$SRC/scripts/package/stage" / > /dev/null
	modules_come "${1:-$KO_DIR}"
}

# Nothing is said about RDMA here: the package has configured it.
server_of_the_package() {
	server_file_systems
	server_export
	server_daemons
	server_tune
	server_threads "$NFSD_THREADS"
	grep -q '^rdma 20049$' $NFSD/portlist || fail "nfsd has no rdma listener"
}

says() {
	local pattern=$1
	shift

	"$@" > /tmp/said 2>&1 || fail "$* fails: $(cat /tmp/said)"
	say "$*: $(cat /tmp/said)"
	[ "$(wc -l < /tmp/said)" -eq 1 ] || fail "$* does not print one line"
	grep -E -- "$pattern" /tmp/said > /dev/null || fail "$* does not say $pattern"
}

silent() {
	local said

	said=$("$@" 2>&1) || fail "$* fails: $said"
	[ -z "$said" ] || fail "$* says: $said"
}

printed_step() {
	sed -n 's/.*, and run: //p' /tmp/said
}
