#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: 1 byte to 1 MiB at odd offsets, lengths and addresses, with direct, buffered and mapped I/O, and 16 writers at once: correct data
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# versions: 1 2
# guests: 1
# mods: ours
# timeout: 150
# in-check: yes
# strict-run: rxe/bnxt_re siw/cxgb4
# lanes[strict]: uml umldbg
# lanes[v2]: uml umldbg smpdbg kcsan
# every[v2]: uml/siw umldbg/siw smpdbg/siw kcsan/rxe
# Proves at version 2 V2-CHK-03, V2-INL-04, V2-MSG-07.
# Proves V1-CHK-18, V1-WR-14, V1-WR-25, V1-PAD-14, V1-INL-09, ULB-V23-01, ULB-V23-03,
# ULB-V4-01, ULB-V4-03.

. "${GUEST_LIB:?}"

WRITERS=16

odd_sizes() {
	local version=$1 mode seed

	for mode in direct buffered mmap; do
		seed=$mode-$version-$RANDOM
		limited 60 "$GUEST_DIR/odd-io" $mode "$MNT/odd-$mode" "$OPERATIONS" "$seed"
		same_file "/tmp/odd-io.$seed" "$EXPORT/odd-$mode"
		rm "/tmp/odd-io.$seed" "$EXPORT/odd-$mode"
	done
}

# More than is copied, and not too much for a Send: it names the pages of the file
gathered_writes() {
	random_file /tmp/gathered 100000
	limited 60 dd if=/tmp/gathered of="$MNT/gathered" bs=5000 oflag=sync status=none
	same_file /tmp/gathered "$EXPORT/gathered"
	rm "$EXPORT/gathered"
}

many_writers() {
	local version=$1 mode sum

	for mode in direct buffered; do
		sum=$(limited 60 "$GUEST_DIR/many-writers" $mode "$MNT/many-$mode" $WRITERS "$RECORDS")
		[ "$(file_sum "$EXPORT/many-$mode")" = "$sum  -" ] ||
			fail "$WRITERS $mode writers, vers=$version: wrong data on the server"
		drop_caches
		[ "$(file_sum "$MNT/many-$mode")" = "$sum  -" ] ||
			fail "$WRITERS $mode writers, vers=$version: wrong data at the client"
		rm "$EXPORT/many-$mode"
	done
}

# Each job verifies every block it wrote; blocks begin and end anywhere.
fio_verify() {
	local version=$1

	limited 120 fio --output-format=terse --directory="$MNT" --thread --size="${FIO_KIB}k" \
		--bsrange=200-256k --bs_unaligned=1 --verify=crc32c --verify_fatal=1 \
		--numjobs=$WRITERS --group_reporting --fallocate=none \
		--name=odd-direct --rw=write --direct=1 --ioengine=libaio --iodepth=8 \
		--name=odd-buffered --stonewall --rw=write --ioengine=psync \
		&> /tmp/fio.log || { cat /tmp/fio.log; fail "fio, vers=$version"; }
	fio_direct_pages "$version"
	rm -f "$EXPORT"/odd-*
}

fio_direct_pages() {
	limited 120 fio --output-format=terse --directory="$MNT" --thread --size="${FIO_KIB}k" \
		--bsrange=4k-256k --blockalign=4k --verify=crc32c --verify_fatal=1 \
		--numjobs=3 --group_reporting --fallocate=none \
		--name=odd-pages --rw=randwrite --direct=1 --ioengine=libaio --iodepth=16 \
		--name=odd-mmap --stonewall --rw=randwrite --ioengine=mmap \
		&> /tmp/fio.log || { cat /tmp/fio.log; fail "fio in pages, vers=$1"; }
}

amount OPERATIONS 120 40
amount RECORDS 256 96
amount FIO_KIB 1200 300
link_up
modules_load
server_start
for version in 3 4.2; do
	nfs_mount $version
	gathered_writes
	odd_sizes $version
	say "vers=$version: odd sizes verified"
	many_writers $version
	say "vers=$version: $WRITERS writers verified"
	fio_verify $version
	say "vers=$version: fio verified"
	nfs_umount
done
finish
