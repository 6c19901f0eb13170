# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How a QEMU guest is started. Sourced by scripts/tests/lab/guest.

. "$LAB/initramfs.sh"

# qemu_exec KERNEL_DIR RUN_DIR ENV_FILE [LINK_FD]: does not return
qemu_exec() {
	local kernel=$1 env=$3 link=${4:-} cpus=$GUEST_CPUS args accel append initrd

	initrd=$(qemu_initrd "$kernel")
	mapfile -t accel < <(qemu_accel "$kernel")
	append="console=ttyS0 loglevel=7 panic=-1 net.ifnames=0"
	append+=" GUEST_ENV=$env GUEST_STAGE1=$LAB/stage1 ${GUEST_ARGS:-}"
	# A socket is never on two nodes
	[ -z "${GUEST_NUMA:-}" ] || cpus+=,sockets=$GUEST_CPUS
	args=(
		"${accel[@]}" -smp "$cpus" -m "${GUEST_MEM:-2G}"
		-nodefaults -no-user-config -display none
		-serial stdio -device virtio-rng-pci
		-kernel "$kernel/vmlinuz" -initrd "$initrd"
		-append "$append"
	)
	qemu_share args host /
	qemu_share args layer "$kernel/layer"
	if [ "${GUEST_FIRMWARE:-}" = uefi ]; then
		qemu_uefi args "$2"
	else
		args+=(-no-reboot)
	fi
	[ -z "${GUEST_NUMA:-}" ] || qemu_numa args "$GUEST_NUMA"
	[ -z "$link" ] || args+=(
		-netdev "socket,id=link,fd=$link"
		-device "virtio-net-pci,netdev=link,host_mtu=$GUEST_MTU,mac=$(qemu_mac)"
	)
	exec qemu-system-x86_64 "${args[@]}"
}

# Built again when the script that makes it has changed.
qemu_initrd() {
	local kernel=$1 file

	file=$kernel/initrd-$(sha256sum "$LAB/initramfs.sh" | cut -c1-12).img
	if [ ! -e "$file" ]; then
		make_initramfs "$kernel/layer/usr" "$(cat "$kernel/release")" \
			"$file.$BASHPID" || die "could not make an initramfs"
		mv "$file.$BASHPID" "$file"
	fi
	echo "$file"
}

qemu_share() {
	# shellcheck disable=SC2178
	local -n list=$1

	list+=(
		-fsdev "local,id=$2,path=$3,security_model=none,readonly=on,multidevs=remap"
		-device "virtio-9p-pci,fsdev=$2,mount_tag=$2"
	)
}

# qemu_numa LIST NODES: each has as much memory, and the processors in turn
qemu_numa() {
	# shellcheck disable=SC2178
	local -n list=$1
	local nodes=$2 mib cpu node cpus

	mib=$(($(numfmt --from=iec "${GUEST_MEM:-2G}") >> 20))
	for ((node = 0; node < nodes; node++)); do
		cpus=
		for ((cpu = node; cpu < GUEST_CPUS; cpu += nodes)); do
			cpus+=,cpus=$cpu
		done
		list+=(
			-object "memory-backend-ram,id=node$node,size=$((mib / nodes))M"
			-numa "node,nodeid=$node,memdev=node$node$cpus"
		)
	done
}

# UEFI with variables of its own, which survive when the guest reboots
qemu_uefi() {
	# shellcheck disable=SC2178
	local -n list=$1
	local drive=if=pflash,format=raw

	cp /usr/share/OVMF/OVMF_VARS_4M.fd "$2/uefi-variables"
	list+=(
		-drive "$drive,unit=0,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd"
		-drive "$drive,unit=1,file=$2/uefi-variables"
	)
}

qemu_mac() {
	case ${role:-} in
	server)	echo 52:54:00:00:00:01 ;;
	*)	echo 52:54:00:00:00:02 ;;
	esac
}

# One argument per line. GUEST_ICOUNT=yes: the guest's clock advances by one nanosecond
# for each instruction, and jumps ahead when all CPUs are idle.
qemu_accel() {
	if [ "${GUEST_ICOUNT:-no}" = yes ]; then
		printf '%s\n' -machine q35 -accel tcg,thread=single -cpu max \
			-icount shift=0,sleep=off
	elif [ "$(kvm_verdict "$1")" = works ]; then
		printf '%s\n' -machine q35 -accel kvm -cpu host
	else
		printf '%s\n' -machine q35 -accel tcg,thread=multi -cpu max
	fi
}

# /dev/kvm can exist and yet not run an ordinary guest, so this boots one.
kvm_verdict() {
	local kernel=$1 file key verdict

	key=$(uname -r; qemu-system-x86_64 --version | head -n 1; cat "$kernel/release")
	file=$CACHE/kvm-$(printf '%s' "$key" | sha256sum | cut -c1-12)
	if [ ! -s "$file" ]; then
		verdict=broken
		[ ! -w /dev/kvm ] || ! kvm_probe "$kernel" || verdict=works
		echo "$verdict" > "$file.$$" && mv "$file.$$" "$file"
		say "KVM on this machine: $verdict (kept in $file)"
	fi
	cat "$file"
}

kvm_probe() {
	local log initrd

	log=$(mktemp)
	initrd=$(qemu_initrd "$1")
	timeout -s KILL 30 qemu-system-x86_64 -machine q35 -accel kvm -cpu host \
		-smp 2 -m 512M -nodefaults -no-user-config -display none -no-reboot \
		-serial stdio -kernel "$1/vmlinuz" -initrd "$initrd" \
		-append "console=ttyS0 panic=-1 GUEST_PROBE=yes" \
		> "$log" 2>&1 < /dev/null || true
	if grep -aq PROBE-OK "$log"; then
		rm -f "$log"
		return 0
	fi
	mkdir -p "$CACHE/logs"
	mv "$log" "$CACHE/logs/kvm-probe.log"
	return 1
}
