# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The strict layer over the RDMA devices (scripts/tests/modules/strict), for any case.
#
# STRICT=yes loads it before everything else; in place of "yes" there may be parameters of
# the module, with commas between: STRICT=profile=mlx5,payload=late. It stays loaded, and
# so modules that replace operations of a device too are loaded after it and unloaded
# before it.

STRICT_COUNTS=/sys/kernel/debug/rpcrdma_strict/counts

# The RDMA core has mapped memory before the layer is there, and unmaps it later, which DMA API
# debugging would report. It is told to look at one driver only, which is none.
strict_load() {
	local words=() filter=/sys/kernel/debug/dma-api/driver_filter

	[ -n "${STRICT:-}" ] || return 0
	modules_prerequisites
	[ ! -w $filter ] || echo rpcrdma_strict > $filter
	[ "$STRICT" = yes ] || IFS=', ' read -ra words <<< "$STRICT"
	insmod "${TESTMOD_DIR:?}/rpcrdma_strict.ko" "${words[@]}"
}

# strict_count NAME: checks of a rule, or what is only counted
strict_count() {
	awk -v name="$1" '$1 == name { print $2 }' $STRICT_COUNTS
}

strict_show() {
	[ ! -e $STRICT_COUNTS ] ||
		awk 'NF == 3 { checks += $2; reports += $3; text = text " " $1 ":" $2 }
		     NF == 2 { text = text " " $1 ":" $2 }
		     END { print "strict: " checks " checks, " reports " reports;" text }' \
			$STRICT_COUNTS
}

# At the end of a case. Reports are in the kernel log too, where the verdict finds them.
strict_finish() {
	[ -n "${STRICT:-}" ] || return 0
	say "$(strict_show)"
	awk 'NF == 3 && $3 { bad = 1 } END { exit bad }' $STRICT_COUNTS ||
		fail "the strict layer has reports"
	[ "$MODS" = none ] || strict_posted ||
		fail "the strict layer has checked nothing, because nothing was posted"
}

# Connections that failed have posted Receives.
strict_posted() {
	[ $(($(strict_count send_wrs) + $(strict_count recv_wrs))) -gt 0 ]
}
