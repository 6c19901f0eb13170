#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: operations that only NFSv4.2 has: COPY, ALLOCATE, DEALLOCATE, SEEK and extended attributes, small and large, with the data that a local file would have
# lanes: uml umldbg
# provider: rxe siw
# versions: 1 2
# guests: 1
# mods: ours
# timeout: 90
# refused: reply fits neither inline nor its chunk
# in-check: yes
# every[v2]: uml/rxe

. "${GUEST_LIB:?}"

BYTES=20000000

# sent OPERATION: how often the mount sent it
sent() {
	op_count "$MNT" "$1"
}

copies() {
	local reads

	cp /tmp/file "$MNT/file"
	sync
	reads=$(op_count "$MNT" "READ WRITE")
	python3 - "$MNT/file" "$MNT/copy" $BYTES <<- 'END'
		import os, sys
		source, target, left = sys.argv[1], sys.argv[2], int(sys.argv[3])
		read = os.open(source, os.O_RDONLY)
		write = os.open(target, os.O_WRONLY | os.O_CREAT)
		while left:
		    done = os.copy_file_range(read, write, left)
		    assert done > 0
		    left -= done
		os.fsync(write)
	END
	[ "$(sent COPY)" -gt 0 ] || fail "no COPY was sent"
	[ "$(op_count "$MNT" "READ WRITE")" -eq "$reads" ] || fail "the client copied the data itself"
	same_file /tmp/file "$EXPORT/copy"
	drop_caches
	same_file /tmp/file "$MNT/copy"
	say "COPY of $BYTES bytes: ok"
}

# The same holes in a local file
holes() {
	local file

	for file in /tmp/holes "$MNT/holes"; do
		cp /tmp/file "$file"
		sync
		fallocate --punch-hole --offset 100000 --length 5000000 "$file"
		fallocate --offset $BYTES --length 4096 "$file"
	done
	[ "$(sent DEALLOCATE)" -gt 0 ] && [ "$(sent ALLOCATE)" -gt 0 ] || fail "a hole was not sent"
	same_file /tmp/holes "$EXPORT/holes"
	drop_caches
	same_file /tmp/holes "$MNT/holes"
	[ "$(data_ranges "$MNT/holes")" = "$(data_ranges "$EXPORT/holes")" ] ||
		fail "data lies elsewhere: $(data_ranges "$MNT/holes")"
	[ "$(sent SEEK)" -gt 0 ] || fail "no SEEK was sent"
	say "DEALLOCATE, ALLOCATE, SEEK: ok"
}

# data_ranges FILE: where data begins and ends
data_ranges() {
	python3 - "$1" <<- 'END'
		import os, sys
		file = os.open(sys.argv[1], os.O_RDONLY)
		size, at = os.fstat(file).st_size, 0
		while at < size:
		    try:
		        begin = os.lseek(file, at, os.SEEK_DATA)
		    except OSError:
		        break
		    at = os.lseek(file, begin, os.SEEK_HOLE)
		    print(begin, at, end="; ")
	END
}

# 65,000 bytes go by chunk, 10 inline.
attributes() {
	export_has_xattrs || return 0
	python3 - "$MNT/file" "$EXPORT/file" <<- 'END'
		import ctypes, os, sys
		there, here = sys.argv[1:]
		libc = ctypes.CDLL(None, use_errno=True)

		# Python begins with 256 bytes, and a list that is longer is E2BIG over NFS.
		def listed(path):
		    names = ctypes.create_string_buffer(65536)
		    size = libc.listxattr(path.encode(), names, len(names))
		    assert size >= 0, os.strerror(ctypes.get_errno())
		    return sorted(name for name in names.raw[:size].split(b"\0")
				  if name.startswith(b"user."))

		for size in 10, 3000, 65000:
		    value = os.urandom(size)
		    os.setxattr(there, "user.value", value)
		    assert os.getxattr(here, "user.value") == value, size
		    other = os.urandom(size)
		    os.setxattr(here, "user.other%d" % size, other)
		    assert os.getxattr(there, "user.other%d" % size) == other, size
		    os.removexattr(here, "user.other%d" % size)
		for number in range(250):
		    os.setxattr(there, "user.%0200d" % number, b"x")
		assert len(listed(here)) == 251
		assert listed(there) == listed(here)
		for name in listed(there):
		    os.removexattr(there, name)
		assert not listed(here)
	END
	[ "$(sent SETXATTR)" -gt 250 ] && [ "$(sent GETXATTR)" -gt 0 ] && [ "$(sent LISTXATTRS)" -gt 0 ] &&
		[ "$(sent REMOVEXATTR)" -gt 0 ] || fail "attributes were not sent"
	say "extended attributes: ok"
}

link_up
random_file /tmp/file $BYTES
modules_load
server_start
nfs_mount 4.2
copies
holes
attributes
nfs_umount
finish
