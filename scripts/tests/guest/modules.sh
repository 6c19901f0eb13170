# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Loading and unloading the modules under test: ours, or the in-tree rpcrdma.

OUR_MODULES="rpcrdma xprtrdma svcrdma"

# In User-Mode Linux everything else is built in, and there is no /lib/modules.
modules_prerequisites() {
	[ -d "/lib/modules/$(uname -r)" ] || return 0
	modprobe -a sunrpc ib_core rdma_cm
}

# module_parameters NAME: the words of $RUN_PARAMETERS and $PARAMETERS ("xprtrdma.versions=2,...")
# for it; the last one counts
module_parameters() {
	local word

	# A value may have commas too
	for word in $(sed -E 's/,([a-z]+\.)/ \1/g' <<< "${RUN_PARAMETERS:-} ${PARAMETERS:-}"); do
		[[ $word != "$1".* ]] || echo "${word#*.}"
	done
}

modules_load() {
	local name words

	case $MODS in
	ours)
		modules_prerequisites
		for name in $OUR_MODULES; do
			mapfile -t words < <(module_parameters "$name")
			insmod "$KO_DIR/$name.ko" "${words[@]}"
		done
		;;
	intree)
		modules_prerequisites
		if [ -n "${INTREE_KO:-}" ]; then
			insmod "$INTREE_KO"
		else
			modprobe rpcrdma
		fi
		;;
	esac
}

modules_unload() {
	local name

	for name in svcrdma xprtrdma rpcrdma; do
		module_loaded "$name" || continue
		within 10 try_rmmod "$name" || fail "module $name stays in use"
	done
}

# A connection that is being closed holds its module for a moment.
try_rmmod() {
	rmmod "$1" 2> /dev/null
}

module_loaded() {
	[ -d "/sys/module/$1" ]
}

# modules_are_ours: the three modules are loaded and came from our build
modules_are_ours() {
	local name

	for name in $OUR_MODULES; do
		module_loaded "$name" || return 1
		[ "$(cat "/sys/module/$name/srcversion")" = \
		  "$(modinfo -F srcversion "$KO_DIR/$name.ko")" ] || return 1
	done
}
