# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Does something leak? Counts the live objects of every slab cache, and the pages of
# vmalloc, at equal distances. What a cache keeps for later is not counted, and what
# fills up once does not grow in every stretch. Single pages are not counted: those
# that the allocator keeps at hand make their number uncertain by hundreds.
#
#   memory_note FILE            what lives now; exact on one CPU
#   memory_leak COUNT FILE...   lists what grew by COUNT or more from each file to
#                               the next; false if nothing did

memory_note() {
	memory_quiet
	{
		memory_slabs
		memory_pages
	} > "$1"
}

# Objects that wait for RCU go with the second look at the shrinkers. Shrinking a
# cache takes back the slabs of the processors, after which its count is exact.
memory_quiet() {
	local cache

	drop_caches
	sleep 1
	drop_caches
	for cache in /sys/kernel/slab/*/; do
		[ -L "${cache%/}" ] || echo 1 > "$cache/shrink"
	done
}

# NAME COUNT SIZE. Two caches belong to others and are emptied late: areas of
# vmalloc, whose pages count below, and what describes the memory of processes. A third
# has an object for each inode of the whole system, which counts in its own cache.
memory_slabs() {
	awk 'NR > 2 && $1 !~ /^(vmap_area|maple_node|lsm_inode_cache)$/ {
		print $1, $2, $4
	     }' /proc/slabinfo
}

memory_pages() {
	awk '/^(VmallocUsed|Percpu):/ { print $1, $2 / 4, 4096 }' /proc/meminfo
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
