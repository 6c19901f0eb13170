# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The lanes: kernels, and how guests boot them. Sourced by scripts/tests/lab/common.sh.
#
# GUEST   uml or qemu: how it is booted
# KERNEL  built: from linux-source, with these CONFIGs; debian: a package
# CPUS    of a guest
# LONGER  factor for all time limits, compared with the plain lanes

#    LANE     GUEST  KERNEL  CPUS  LONGER  CONFIG...
lane_table='
     uml      uml    built   1     1       test uml
     umldbg   uml    built   1     4       test uml debug umldbg
     stock    qemu   debian  2     1
     stock61  qemu   debian  2     1
     smpdbg   qemu   built   4     4       test qemu debug smpdbg
     kcsan    qemu   built   4     2       test qemu kcsan
'

lane_names() {
	awk 'NF { print $1 }' <<< "$lane_table" | paste -sd' '
}

is_lane() {
	[[ " $(lane_names) " == *" $1 "* ]]
}

lane_column() {
	awk -v lane="$1" -v n="$2" '$1 == lane { print $n }' <<< "$lane_table"
}

lane_guest() {
	lane_column "$1" 2
}

lane_kernel() {
	lane_column "$1" 3
}

lane_cpus() {
	lane_column "$1" 4
}

lane_longer() {
	lane_column "$1" 5
}

lane_configs() {
	awk -v lane="$1" '$1 == lane { for (i = 6; i <= NF; i++) print $i }' <<< "$lane_table"
}
