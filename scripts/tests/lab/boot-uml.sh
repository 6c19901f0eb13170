# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-only
#
# How a User-Mode Linux guest is started. Sourced by scripts/tests/lab/guest.

# uml_exec KERNEL_DIR RUN_DIR ENV_FILE [LINK_FD]: does not return
uml_exec() {
	local kernel=$1 run=$2 env=$3 link=${4:-} args

	args=(
		"mem=${GUEST_MEM:-1G}" "umid=g" "uml_dir=$run/"
		rootfstype=hostfs rootflags=/ ro "init=$LAB/stage1"
		"GUEST_ENV=$env" con=null loglevel=7
	)
	if [ "${GUEST_TTY:-no}" = yes ]; then
		args+=('con0=fd:0,fd:1')
	else
		args+=('con0=null,fd:1')
	fi
	# Since 6.16: a quarter less work for the host than with ptrace, and several threads
	[ "$(lane_series "$lane")" != 7.3 ] || args+=(seccomp=on)
	[ "$GUEST_CPUS" = 1 ] || args+=("ncpus=$GUEST_CPUS" slab_debug=FZP)
	[ -z "$link" ] ||
		args+=("vec0:transport=fd,fd=$link,mtu=$GUEST_MTU,depth=128,vec=$(uml_vector)")
	# shellcheck disable=SC2206
	args+=(${GUEST_ARGS:-})
	[ "$GUEST_CPUS" != 1 ] || stay_on_one_processor
	# With random addresses the guest's memory size varies from boot to boot.
	TMPDIR=$(guest_memory_dir) exec setarch "$(uname -m)" -R \
		"$kernel/linux" "${args[@]}"
}

# The guest's kernel and its programs are processes of the host that run in turn, thousands of
# times each second. If they are on two processors, each of these switches needs an interrupt: half
# as much work again for a guest that is alone. The guest takes a processor with the fewest guests;
# it holds the lock of its place there until it ends.
stay_on_one_processor() {
	local choice own='' fewest processor guests place=0 fd

	mkdir -p "$CACHE/locks"
	exec {choice}> "$CACHE/locks/processors"
	flock "$choice"
	for processor in $(processors_allowed); do
		guests=$(guests_on "$processor")
		[ -z "$own" ] || [ "$guests" -lt "$fewest" ] || continue
		own=$processor
		fewest=$guests
	done
	until exec {fd}> "$CACHE/locks/processor-$own-$place" && flock -n "$fd"; do
		exec {fd}>&-
		place=$((place + 1))
	done
	taskset -pc "$own" "$BASHPID" > /dev/null
	exec {choice}>&-
}

# guests_on PROCESSOR: the number of its places that are taken
guests_on() {
	local place

	for place in "$CACHE/locks/processor-$1-"*; do
		[ ! -e "$place" ] || flock -n "$place" true || echo
	done | wc -l
}

# Those that are online and that this process may use: "0-2,5" is 0 1 2 5.
processors_allowed() {
	local range

	for range in $(taskset -pc "$BASHPID" | sed 's/.*: //' | tr , ' '); do
		seq "${range%-*}" "${range#*-}"
	done
}

# How many frames the link takes at once. The driver of 6.1 takes the two locks of its queue in
# both orders, which ends lockdep's work; with 0 it has no queue.
uml_vector() {
	[ "$(lane_series "$lane")" = 6.1 ] && echo 0 || echo 64
}

# The guest's memory is a file, on a tmpfs with enough free space.
guest_memory_dir() {
	local own=$CACHE/memory room

	room=$(df -m --output=avail /dev/shm 2> /dev/null | tail -n 1)
	if [ "${room:-0}" -ge 1500 ]; then
		echo /dev/shm
		return
	fi
	mkdir -p "$own"
	mountpoint -q "$own" || mount -t tmpfs -o size=90% tmpfs "$own"
	echo "$own"
}
