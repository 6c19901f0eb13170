#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: parameters have the documented defaults and ranges, and refuse values that are not numbers or out of range, at load and later, with a message, and keep their old value
# lanes: uml umldbg stock
# provider: rxe
# guests: 1
# mods: ours
# timeout: 90
# in-check: yes
# strict: it makes no connection

. "${GUEST_LIB:?}"

ABI=$SRC/Documentation/ABI/testing
# They have no range, or a default that depends on the machine.
WORDS="latency_histograms failover versions traffic_rules"
MEMORY="receive_memory read_memory read_memory_client"
tried=0
bounded=0

# Everybody may read all, and the administrator may set most.
modes() {
	local file

	for file in /sys/module/{rpcrdma,xprtrdma,svcrdma}/parameters/*; do
		[[ $(stat -c %a "$file") =~ ^(644|444)$ ]] ||
			fail "the mode of $file is $(stat -c %a "$file")"
	done
}

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
	for value in banana -1 99999999999999999999; do
		log_mark
		! (echo "$value" > "$file") 2> /tmp/refusal ||
			fail "$1.$2 takes $value"
		[ "$(< "$file")" = "$before" ] || fail "$1.$2 changed to $(< "$file")"
		explained "$1" "$2" "$value"
		tried=$((tried + 1))
	done
}

# explained MODULE PARAMETER VALUE
explained() {
	log_has "$1.*$2" || fail "the kernel log does not explain why $1.$2 refuses $3"
	in_words "$2" "$WORDS" || log_has "$1.*$2.*not $3" ||
		fail "the kernel log does not show that $1.$2 refuses $3"
}

# refused_at_load MODULE PARAMETER VALUE: the module is not loaded at the time
refused_at_load() {
	log_mark
	refused 'invalid parameters|invalid argument|out of range|numerical' \
		insmod "$KO_DIR/$1.ko" "$2=$3"
	! module_loaded "$1" || fail "$1 is loaded although $2=$3 is refused"
	explained "$1" "$2" "$3"
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
	local module names name high step

	for module in svcrdma xprtrdma rpcrdma; do
		names=$(parameters "$module")
		rmmod "$module"
		for name in $names; do
			refused_at_load "$module" "$name" banana
		done
		while read -r name _ high step _; do
			refused_at_load "$module" "$name" $((high + step))
		done < <(documented "$module")
		log_mark
		insmod "$KO_DIR/$module.ko" no_such_parameter=1
		log_has 'no_such_parameter' || fail "an unknown parameter passes in silence"
		rmmod "$module"
	done
	modules_load
}

# The names that the in-tree module has under /proc/sys/sunrpc.
bad_sysctls() {
	local file before count=0

	for file in /proc/sys/sunrpc/rdma_* /proc/sys/sunrpc/svc_rdma/max*; do
		[ -w "$file" ] || continue
		before=$(cat "$file")
		refused 'invalid argument|out of range' bash -c "echo banana > $file"
		[ "$(cat "$file")" = "$before" ] || fail "$file changed to $(cat "$file")"
		count=$((count + 1))
	done
	compare "sysctls of the in-tree module" $count -ge 9
	tried=$((tried + count))
}

# documented MODULE: "PARAMETER LOW HIGH STEP DEFAULT" of each that is a number, from a sentence such as
# "from 0 (never) to 60, default 5"; the default is - if it depends on the machine.
documented() {
	awk -v page="$(getconf PAGESIZE)" '
	function number(words) {
		return match(words, /[0-9]+/) ? substr(words, RSTART, RLENGTH) : "-"
	}
	function end(    range, step, usual, n, i, name) {
		if (match(text, /from [a-z (]*[0-9]+[^,;]* to [0-9]+( in steps of ([0-9]+|a page))?/)) {
			range = substr(text, RSTART, RLENGTH)
			step = 1
			if (range ~ /steps of a page/)
				step = page
			else if (match(range, /steps of [0-9]+/))
				step = number(substr(range, RSTART, RLENGTH))
			else if (match(text, /a multiple of [0-9]+/))
				step = number(substr(text, RSTART, RLENGTH))
			range = number(range) " " number(substr(range, index(range, " to "))) " " step
			usual = "-"
			if (match(text, /default,? [0-9]+/))
				usual = number(substr(text, RSTART, RLENGTH))
			n = split(names, name, " ")
			for (i = 1; i <= n; i++)
				print name[i], range, usual
		}
		names = text = ""
	}
	/^What:/	{ if (text) end(); sub(/.*\//, ""); names = names " " $0; told = 0; next }
	/^Description:/ { told = 1 }
	told		{ $1 = $1; text = text " " $0 }
	END		{ end() }' "$ABI/sysfs-module-$1"
}

# bound MODULE PARAMETER VALUE takes|refuses
bound() {
	local file=/sys/module/$1/parameters/$2

	if [ "$4" = takes ]; then
		echo "$3" > "$file" || fail "$1.$2 refuses $3"
		[ "$(< "$file")" = "$3" ] || fail "$1.$2 is $(< "$file"), not $3"
	else
		! (echo "$3" > "$file") 2> /tmp/refusal || fail "$1.$2 takes $3"
	fi
}

in_words() {
	[[ " $2 " == *" $1 "* ]]
}

# has_default MODULE PARAMETER DEFAULT: or what this run has set (--parameters)
has_default() {
	local value set

	value=$(cat "/sys/module/$1/parameters/$2")
	set=$(module_parameters "$1" | sed -n "s/^$2=//p" | tail -n 1)
	if [ -n "$set" ]; then
		[ "$value" = "$set" ] || fail "$1.$2 is $value, this run has set $set"
	elif [ "$3" = - ]; then
		in_words "$2" "$MEMORY" || fail "$1.$2 has no documented default"
	elif [ "$value" != "$3" ]; then
		fail "the default of $1.$2 is $value, documented is $3"
	fi
}

# has_range MODULE PARAMETER LOW HIGH STEP
has_range() {
	local before

	before=$(cat "/sys/module/$1/parameters/$2")
	bound "$1" "$2" "$3" takes
	bound "$1" "$2" "$4" takes
	[ "$3" -lt "$5" ] || bound "$1" "$2" $(($3 - $5)) refuses
	bound "$1" "$2" $(($4 + $5)) refuses
	[ "$5" -eq 1 ] || bound "$1" "$2" $(($3 + $5 / 2)) refuses
	bound "$1" "$2" "$before" takes
	bounded=$((bounded + 1))
}

documented_ranges() {
	local module name low high step default told

	for module in $OUR_MODULES; do
		told=
		while read -r name low high step default; do
			has_default "$module" "$name" "$default"
			has_range "$module" "$name" "$low" "$high" "$step"
			told+=" $name"
		done < <(documented "$module")
		for name in $(parameters "$module"); do
			in_words "$name" "$told $WORDS" || fail "$module.$name has no documented range"
		done
	done
}

# about PARAMETER MIB: its default, within one MiB
about() {
	local value

	value=$(cat "/sys/module/svcrdma/parameters/$1")
	[ "$value" -ge $(($2 - 1)) ] && [ "$value" -le $(($2 + 1)) ] ||
		fail "the default of svcrdma.$1 is $value, documented are about $2 MiB"
}

memory_defaults() {
	local mib

	mib=$(($(awk '/^MemTotal:/ { print $2 }' /proc/meminfo) / 1024))
	about receive_memory $((mib / 16))
	about read_memory $((mib / 8))
	about read_memory_client $((mib / 8 / 4))
}

link_up
modules_load
if [ "$MODS" = ours ]; then
	modes
	memory_defaults
	documented_ranges
fi
bad_values
bad_sysctls
[ "$MODS" != ours ] || bad_values_at_load
[ $tried -ge 5 ] || fail "only $tried values were tried"
say "$bounded ranges as documented, $tried bad values refused"
finish
