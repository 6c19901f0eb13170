# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Finds memory leaks. Counts the live objects of every slab cache, and the pages of
# vmalloc, after equal amounts of work. Free objects in a cache are not counted. A cache
# that fills up once does not grow each time. Single pages are counted apart, and less
# exactly: nothing says whose they are.
#
#   memory_note FILE            writes the counts of live objects; exact on one CPU
#   memory_leak COUNT FILE...   lists what grew by COUNT or more from each file to
#                               the next; false if nothing did
#
#   memory_kernel               KiB that the kernel uses, single pages too; after
#                               memory_quiet
#   memory_lone_pages           pages that are in use and counted nowhere: those of
#                               alloc_page(), and of files and programs that are gone; after
#                               memory_quiet, exact to some dozens on one CPU

memory_note() {
	memory_quiet
	{
		memory_slabs
		memory_pages
	} > "$1"
}

# Objects that wait for RCU are freed by the second call of the shrinkers. Shrinking a
# cache takes back the slabs of the CPUs, after which its count is exact.
memory_quiet() {
	local cache

	drop_caches
	sleep 1
	drop_caches
	for cache in /sys/kernel/slab/*/; do
		[ -L "${cache%/}" ] || echo 1 > "$cache/shrink"
	done
}

# NAME COUNT SIZE. Three caches are left out. Two belong to other subsystems and are
# emptied late: areas of vmalloc, whose pages are counted below, and descriptions of the
# memory of processes. The third has an object for each inode of the system, which is
# counted in its own cache.
memory_slabs() {
	awk 'NR > 2 && $1 !~ /^(vmap_area|maple_node|lsm_inode_cache)$/ {
		print $1, $2, $4
	     }' /proc/slabinfo
}

memory_pages() {
	awk '/^(VmallocUsed|Percpu):/ { print $1, $2 / 4, 4096 }' /proc/meminfo
}

# Free pages that a CPU keeps at hand are not in MemFree, and may be megabytes.
memory_at_hand() {
	awk '$1 == "count:" { pages += $2 } END { print 4 * pages }' /proc/zoneinfo
}

# Files and programs are not counted.
memory_kernel() {
	awk -v at_hand="$(memory_at_hand)" '
		$1 == "MemTotal:" { used += $2 }
		/^(MemFree|Buffers|Cached|AnonPages):/ { used -= $2 }
		END { print used - at_hand }' /proc/meminfo
}

memory_lone_pages() {
	awk -v at_hand="$(memory_at_hand)" '
		$1 == "MemTotal:" { used += $2 }
		/^(MemFree|Buffers|Cached|SwapCached|AnonPages|Slab|KernelStack):/ ||
		/^(PageTables|SecPageTables|VmallocUsed|Percpu):/ { used -= $2 }
		END { printf "%d\n", (used - at_hand) / 4 }' /proc/meminfo
}

memory_leak() {
	awk -v least="$1" '
		FNR == 1 { file++ }
		{ count[file, $1] = $2; size[$1] = $3 }
		END {
			for (name in size) {
				leaks = 1
				text = ""
				for (i = 2; i <= file; i++) {
					by = count[i, name] - count[i - 1, name]
					text = text " " by
					if (by < least)
						leaks = 0
				}
				if (!leaks)
					continue
				printf "%s, %d bytes each, grew by%s\n", \
					name, size[name], text
				found = 1
			}
			exit !found
		}' "${@:2}"
}
