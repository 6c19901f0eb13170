#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: parameters refuse values that are not numbers or out of range, at load and later, with a message, and keep their old value
# lanes: uml umldbg stock
# provider: rxe
# guests: 1
# mods: ours
# timeout: 90
# in-check: yes
# strict: it makes no connection

. "${GUEST_LIB:?}"

tried=0

parameters() {
	local file

	for file in "/sys/module/$1/parameters"/*; do
		[ ! -w "$file" ] || echo "${file##*/}"
	done
}

# refused_later MODULE PARAMETER: bad values written to sysfs
refused_later() {
	local file=/sys/module/$1/parameters/$2 before value

	before=$(cat "$file")
	log_mark
	for value in banana -1 99999999999999999999; do
		! (echo "$value" > "$file") 2> /tmp/refusal ||
			fail "$1.$2 takes $value"
		[ "$(< "$file")" = "$before" ] || fail "$1.$2 changed to $(< "$file")"
		tried=$((tried + 1))
	done
	log_has "$1.*$2" || fail "the kernel log does not explain why $1.$2 refuses"
}

# refused_at_load MODULE PARAMETER VALUE: the module is not loaded at the time
refused_at_load() {
	log_mark
	refused 'invalid parameters|invalid argument|out of range|numerical' \
		insmod "$KO_DIR/$1.ko" "$2=$3"
	! module_loaded "$1" || fail "$1 is loaded although $2=$3 is refused"
	log_has "$2" || fail "the kernel log does not name $2"
	tried=$((tried + 1))
}

bad_values() {
	local module name

	for module in $OUR_MODULES; do
		for name in $(parameters "$module"); do
			refused_later "$module" "$name"
			keeps_good_value "$module" "$name"
		done
	done
}

keeps_good_value() {
	local file=/sys/module/$1/parameters/$2 value

	value=$(cat "$file")
	echo "$value" > "$file"
	[ "$(cat "$file")" = "$value" ] || fail "$1.$2 does not take its own value back"
}

bad_values_at_load() {
	local module names name

	for module in xprtrdma svcrdma; do
		names=$(parameters "$module")
		rmmod "$module"
		for name in $names; do
			refused_at_load "$module" "$name" banana
		done
		log_mark
		insmod "$KO_DIR/$module.ko" no_such_parameter=1
		log_has 'no_such_parameter' || fail "an unknown parameter passes in silence"
		rmmod "$module"
		insmod "$KO_DIR/$module.ko"
	done
}

# The names that the in-tree module has under /proc/sys/sunrpc.
bad_sysctls() {
	local file before

	for file in /proc/sys/sunrpc/rdma_* /proc/sys/sunrpc/svc_rdma/max*; do
		[ -w "$file" ] || continue
		before=$(cat "$file")
		refused 'invalid argument|out of range' bash -c "echo banana > $file"
		[ "$(cat "$file")" = "$before" ] || fail "$file changed to $(cat "$file")"
		tried=$((tried + 1))
	done
}

link_up
modules_load
bad_values
bad_sysctls
[ "$MODS" != ours ] || bad_values_at_load
[ $tried -ge 5 ] || fail "only $tried values were tried"
say "$tried bad values refused"
finish
