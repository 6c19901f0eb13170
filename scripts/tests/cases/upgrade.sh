#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: while a mount is in use, an upgrade and a downgrade of the package lose nothing and stop nothing, the next step is printed, and it works; a side does not load beside a core of another version
# lanes: uml stock
# provider: rxe
# guests: 1
# mods: none
# every: uml
# timeout: 300
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/installed.sh"
. "$GUEST_DIR/rpcrdmactl.sh"
. "$GUEST_DIR/steady-io.sh"

second=/mnt/second

# The same modules with another version number, which is text in the files. As with a release
# that changes headers only, the source version is the same.
other_version() {
	mkdir -p /tmp/other
	python3 - "$KO_DIR" /tmp/other $OUR_MODULES <<- 'END'
	import re, sys
	source, to, *names = sys.argv[1:]
	for name in names:
	    with open(f"{source}/{name}.ko", "rb") as file:
	        content = file.read()
	    version = re.search(rb"\0version=([^\0]+)\0", content)[1]
	    content = content.replace(version + b"\0", version[:-1] + b"9\0")
	    with open(f"{to}/{name}.ko", "wb") as file:
	        file.write(content)
	END
	[ "$(modinfo -F version /tmp/other/rpcrdma.ko)" != "$(modinfo -F version "$KO_DIR/rpcrdma.ko")" ] ||
		fail "the other version has the same number"
}

# runs DIRECTORY: the modules that are loaded are those
runs() {
	local name

	for name in $OUR_MODULES; do
		[ "$(cat "/sys/module/$name/version")" = "$(modinfo -F version "$1/$name.ko")" ] || return 1
	done
}

use() {
	server_of_the_package
	nfs_mount 4.2
}

# Another connection to the same server, made while the modules on disk are not those that run
mounts_more() {
	mkdir -p $second
	limited 60 mount -t nfs -o "$(nfs_options 3 rdma),nosharecache" "$SERVER_ADDR:$EXPORT" $second ||
		fail "a mount after the $1 fails"
	cmp "$MNT/kept" $second/kept || fail "a mount after the $1 has other data"
	umount $second
}

# stays_in_use WHAT FROM TO: I/O goes on, nothing is replaced, and the user is told so
stays_in_use() {
	steady_start 40
	modules_come "$3"
	says '^rpcrdma: .*stays in use, .*, and run: rmmod ' $TRANSPORT switch
	step=$(printed_step)
	steady_count
	steady_goes_on 20
	runs "$2" || fail "the $1 has replaced modules that are in use"
	refused 'is not the installed one' $TRANSPORT check
	doctor_run 1
	[ "$(doctor_says '.findings[].name')" = package-stale ] ||
		fail "doctor does not see the $1: $(cat /tmp/doctor.json)"
	mounts_more "$1"
	steady_finish 120
}

# changes WHAT FROM TO: all of it, with the step that is printed
changes() {
	stays_in_use "$@"
	nfs_umount
	server_stop
	within 20 bash -c "$step" || fail "the printed command does not work: $step"
	runs "$3" || fail "after the printed command others run"
	silent $TRANSPORT check
	use
	sha256sum --quiet -c /tmp/sum || fail "the $1 has changed data"
	say "$1: done; $(modinfo -F version rpcrdma) runs"
}

# A release that changes one of the sides only
side_changes() {
	mkdir -p /tmp/side
	cp "$KO_DIR"/*.ko /tmp/side/
	sed -i 's/srcversion=.\{8\}/srcversion=00000000/' /tmp/side/svcrdma.ko
	silent $TRANSPORT check
	modules_come /tmp/side
	refused 'the loaded svcrdma .* is not the installed one' $TRANSPORT check
	says '^rpcrdma: .*stays in use' $TRANSPORT switch
	modules_come "$KO_DIR"
	silent $TRANSPORT check
}

# One side is loaded, and the other comes from the other version: it must not use that core.
sides_differ() {
	nfs_umount
	rmmod xprtrdma
	modules_come /tmp/other
	logged 'xprtrdma: version .* does not fit version .* of rpcrdma' ''
	modules_come "$KO_DIR"
	nfs_mount 4.2
	sha256sum --quiet -c /tmp/sum || fail "other data"
}

link_up
modules_prerequisites
other_version
package_comes
use
random_file "$MNT/kept" $((1 << 20))
sha256sum "$MNT/kept" > /tmp/sum
changes upgrade "$KO_DIR" /tmp/other
changes downgrade /tmp/other "$KO_DIR"
side_changes
sides_differ
nfs_umount
server_stop
finish
