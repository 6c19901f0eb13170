# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# For the cases about rpcrdmactl: source it after lib.sh.

CTL=$SRC/scripts/tool/rpcrdmactl
# Once for all commands: most of them take less time than that.
/usr/bin/python3 -m compileall -q "$SRC/scripts/tool/rpcrdma_ctl"

# The commands that doctor prints name it so.
rpcrdmactl() {
	"$CTL" "$@"
}

# Installs the modules as a package does, because doctor checks what modprobe would load.
ctl_install() {
	local base name

	base=/lib/modules/$(uname -r)
	mkdir -p "$base/updates"
	cp "$KO_DIR"/{rpcrdma,xprtrdma,svcrdma}.ko "$base/updates"
	# User-Mode Linux has none of these, and depmod misses them.
	for name in order builtin builtin.modinfo; do
		[ -e "$base/modules.$name" ] || : > "$base/modules.$name"
	done
	cp "$SRC/scripts/package/install/modprobe.conf" /etc/modprobe.d/rpcrdma.conf
	depmod
}

# shown COMMAND...: runs it, with its output in the log of the case
shown() {
	say "\$ rpcrdmactl $*"
	"$CTL" "$@" || true
}

# doctor_says FILTER: a part of doctor's findings, by jq
doctor_says() {
	jq -r "$1" /tmp/doctor.json
}

# doctor_run STATUS [ARGUMENT...]
doctor_run() {
	local wanted=$1 status=0
	shift

	"$CTL" doctor --json --output /tmp/doctor.json "$@" || status=$?
	[ "$status" -eq "$wanted" ] || {
		cat /tmp/doctor.json
		fail "doctor $* ends with status $status instead of $wanted"
	}
}

# healthy WHEN [ARGUMENT...]: doctor finds nothing, and could check everything
healthy() {
	local when=$1 lines
	shift

	lines=$("$CTL" doctor "$@") || fail "doctor finds something $when: $lines"
	[ "$lines" = "nothing found" ] || fail "doctor says more than 'nothing found' $when: $lines"
	say "doctor finds nothing $when"
	alerts_follow "$@"
}

# alerts_follow [ARGUMENT...]: with prometheus.sh, alerts are those of what doctor finds
alerts_follow() {
	local found

	declare -F alerts_are > /dev/null || return 0
	"$CTL" doctor --json --output /tmp/doctor.json "$@" || true
	found=$(doctor_says '.findings[].name')
	alerts_are "$found"
}

# ill NAME TEXT [ARGUMENT...]: doctor reports exactly this fault, its text matches TEXT,
# and it prints a command
ill() {
	local name=$1 text=$2 found
	shift 2

	doctor_run 1 "$@"
	shown doctor "$@"
	found=$(doctor_says '.findings[].name' | paste -sd' ')
	[ "$found" = "$name" ] || fail "doctor finds '$found' instead of '$name'"
	doctor_says '.findings[0].text' | grep -qE -- "$text" ||
		fail "the text of $name does not match '$text'"
	[ "$(doctor_says '.findings[0].repair | length')" -gt 0 ] || fail "$name has no repair"
	alerts_follow "$@"
	faults=$((${faults:-0} + 1))	# for the case
}

# repair: runs the commands that doctor printed last, unchanged
repair() {
	local command

	doctor_says '.findings[0].repair[].command' > /tmp/repair
	while read -r command; do
		say "repair: $command"
		eval "$command" || fail "this repair fails: $command"
	done < /tmp/repair
}

# logged TEXT OPTIONS [SERVER]: a mount fails, and the kernel log says why. The
# attempt must not take long, whatever the parameters of the module are.
logged() {
	local text=$1 options=$2 server=${3:-$SERVER_ADDR} status=0

	log_mark
	mkdir -p "$MNT"
	limited 60 mount -t nfs -o "$(nfs_options 4.2 rdma),retry=0${options:+,$options}" \
		"$server:/" "$MNT" 2> /dev/null || status=$?
	[ $status -gt 0 ] || fail "this mount should have failed"
	[ $status -lt 124 ] || fail "this mount hangs"
	log_has "$text" || { log_since; fail "the kernel log does not say '$text'"; }
	say "the kernel log: $(log_since | grep -E "$text" | head -n 1)"
}
