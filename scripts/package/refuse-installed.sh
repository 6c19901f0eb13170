# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Included in the scripts that packages run before they are installed: modules of "make install"
# would be loaded again when the package is removed.
for module in /lib/modules/*/updates/xprtrdma.ko*; do
	if [ -e "$module" ]; then
		kernel=${module#/lib/modules/}
		echo "rpcrdma: \"make install\" has installed modules for kernel ${kernel%%/*}; remove them first, in their source tree: make uninstall KDIR=/lib/modules/${kernel%%/*}/build" >&2
		exit 1
	fi
done
