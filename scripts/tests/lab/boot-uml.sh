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
	# With random addresses the guest's memory size varies from boot to boot.
	TMPDIR=$(guest_memory_dir) exec setarch "$(uname -m)" -R \
		"$kernel/linux" "${args[@]}"
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
