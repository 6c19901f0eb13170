# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Files and trees with known content, checksums, and what must not be left over.

# copy_real_tree DIR: a real tree (/usr/include), of at least 200 files
copy_real_tree() {
	mkdir -p "$1"
	cp -a /usr/include/rdma /usr/include/asm-generic /usr/include/linux/*/ "$1"
	[ "$(count_files "$1")" -ge 200 ] || fail "/usr/include has few files"
}

count_files() {
	find "$1" -type f | wc -l
}

# random_file PATH BYTES
random_file() {
	head -c "$2" /dev/urandom > "$1"
	[ "$(stat -c %s "$1")" -eq "$2" ] || fail "$1 is short"
}

# tree_sums DIR: a line of checksum and name for each file, in order of name
tree_sums() {
	(cd "$1" && find . -type f -print0 | sort -z | xargs -0 b2sum -l 256)
}

# has_sums DIR SUMS: the same names and bytes as when tree_sums ran; SUMS must not be empty
has_sums() {
	local sums

	sums=$(tree_sums "$1")
	[ -n "$2" ] || fail "nothing to compare with $1"
	[ "$sums" = "$2" ] || {
		diff <(echo "$2") <(echo "$sums") | head -20
		fail "$1 has other files or other bytes than it should"
	}
}

same_tree() {
	has_sums "$2" "$(tree_sums "$1")"
}

# file_sum PATH
file_sum() {
	b2sum -l 256 < "$1"
}

same_file() {
	[ "$(file_sum "$1")" = "$(file_sum "$2")" ] || fail "$1 and $2 differ"
}

# A connection is closed in the background, which may take a few seconds.
no_leftover() {
	[ -n "$RDMA_DEVS" ] || return 0
	within 15 only_resources_of_the_link || {
		echo "before: $RESOURCES_BEFORE"
		rdma_resources
		fail "RDMA resources are left over"
	}
}

only_resources_of_the_link() {
	[ "$(link_resources)" = "$RESOURCES_BEFORE" ]
}
