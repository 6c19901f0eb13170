#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: a kernel that wants signed modules refuses ours without a signature, and with a key that is not enrolled, and doctor says which; when the machine's own key is enrolled they load
# lanes: stock
# provider: rxe
# guests: 1
# mods: none
# strict: its kernel refuses modules without a signature
# boot: module.sig_enforce=1 nosoftlockup
# firmware: uefi
# timeout: 400
# in-check: no
#
# The key is made and used as DKMS does it. Shim would ask a person at the console, and the
# kernel takes keys from shim only with Secure Boot. So the case enrolls the key with the
# firmware itself (variable db), from where it comes to the same keyring, and reboots the guest.

. "${GUEST_LIB:?}"

variables=/sys/firmware/efi/efivars
vendor=605dab50-e046-4300-abb6-3dd810dd8b23
installed=/lib/modules/$(uname -r)/updates/dkms
key=/tmp/mok.key
certificate=/tmp/mok.pub

# write_variable NAME FILE: it is kept when the machine reboots. Attributes and value must be
# one write.
write_variable() {
	{ printf '\x07\0\0\0'; cat "$2"; } > /tmp/variable
	dd if=/tmp/variable of="$variables/$1-$vendor" bs=64k status=none
}

read_variable() {
	dd if="$variables/$1-$vendor" bs=64k status=none | tail -c +5
}

make_key() {
	openssl req -new -x509 -nodes -days 36500 -subj "/CN=DKMS module signing key" \
		-newkey rsa:2048 -keyout $key -outform DER -out $certificate 2> /dev/null
}

enroll() {
	openssl x509 -inform DER -in $certificate -out /tmp/mok.pem
	cert-to-efi-sig-list /tmp/mok.pem /tmp/mok.list
	write_variable TestKey $key
	write_variable TestCertificate $certificate
	efi-updatevar -e -f /tmp/mok.list db
}

# install_modules unsigned|signed
install_modules() {
	local name

	mkdir -p "$installed"
	for name in $OUR_MODULES; do
		cp "$KO_DIR/$name.ko" "$installed/"
		[ "$1" = unsigned ] || "$KDIR/scripts/sign-file" sha256 $key $certificate "$installed/$name.ko"
	done
	cp "$SRC/scripts/package/install/modprobe.conf" /etc/modprobe.d/rpcrdma.conf
	depmod
	[[ $(modinfo -n rpcrdma) == */updates/dkms/* ]] || fail "modprobe would load $(modinfo -n rpcrdma)"
}

# is_refused REASON-OF-THE-KERNEL SENTENCE-OF-DOCTOR
is_refused() {
	dmesg -C
	! modprobe rpcrdma 2> /tmp/refused || fail "the modules are loaded, although they are $1"
	grep -q 'Key was rejected by service' /tmp/refused || fail "another reason: $(cat /tmp/refused)"
	dmesg | grep "Loading of $1 is rejected" || fail "the kernel does not say that it refused: $(dmesg)"
	"$SRC/scripts/tool/rpcrdmactl" doctor > /tmp/doctor || true
	tr -s ' \n' ' ' < /tmp/doctor | grep -q "ERROR module-rejected: .*$2" ||
		fail "doctor says: $(cat /tmp/doctor)"
	say "ok: $1"
}

[ "$(cat /sys/module/module/parameters/sig_enforce)" = Y ] || fail "the kernel loads unsigned modules"
modprobe efivarfs
mount -t efivarfs efivarfs $variables
modprobe -a sunrpc rdma_cm nfsd
install_modules unsigned
is_refused "unsigned module" "are not signed"
if [ ! -e "$variables/TestKey-$vendor" ]; then
	make_key
	install_modules signed
	is_refused "module with unavailable key" 'does not trust the key of "DKMS module signing key"'
	enroll
	say "reboot"
	busybox reboot -f
fi
read_variable TestKey > $key
read_variable TestCertificate > $certificate
install_modules signed
modprobe rpcrdma
for name in $OUR_MODULES; do
	module_loaded "$name" || fail "$name is not loaded"
	[ "$(cat "/sys/module/$name/srcversion")" = "$(modinfo -F srcversion "$KO_DIR/$name.ko")" ] ||
		fail "another $name is loaded"
done
! "$SRC/scripts/tool/rpcrdmactl" doctor | grep module-rejected || fail "doctor complains about modules that run"
say "ok: signed with an enrolled key"
modprobe -r rpcrdma
for name in $OUR_MODULES; do
	! module_loaded "$name" || fail "$name stays loaded"
done
success
