#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: rpcrdmactl gives the rules of a file to both modules, now and when they are loaded again, refuses a wrong file, and doctor says what goes out and what is older than the rules
# lanes: uml
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 200
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/rpcrdmactl.sh"

FILE=/etc/rpcrdma/traffic-class.conf
MODPROBE=/etc/modprobe.d/rpcrdma-traffic.conf
faults=0	# counted by ill

# has MODULE RULES
has() {
	local rules

	rules=$(cat "/sys/module/$1/parameters/traffic_rules")
	[ "$rules" = "$2" ] || fail "$1 has the rules '$rules', not '$2'"
}

reconnect() {
	echo 1 > "$(echo /sys/kernel/rpcrdma/connections/client-*)/disconnect"
	stat -f "$MNT" > /dev/null
}

# client_shows TOS: nothing on iWARP
client_shows() {
	[ "$PROVIDER" = rxe ] || set -- ''
	[ "$(cat /sys/kernel/rpcrdma/connections/client-*/tos)" = "$1" ] ||
		fail "type of service is $(cat /sys/kernel/rpcrdma/connections/client-*/tos), not '$1'"
}

# noted WHEN TEXT: doctor finds nothing, and has a note
noted() {
	doctor_run 0
	doctor_says '.notes[]' | grep -qE "$2" || { doctor_says '.notes[]'; fail "doctor has no note '$2' $1"; }
	say "doctor $1: $(doctor_says '.notes[]' | head -n 1)"
}

load() {
	printf '%s\n' "$@" > $FILE
	say "$("$CTL" traffic load)"
}

# wrong LINE TEXT
wrong() {
	local action

	printf 'client 10.9.0.0/16 tos=4\n%s\n' "$1" > $FILE
	for action in check load; do
		refused "line 2: .*$2" "$CTL" traffic $action
	done
	has xprtrdma ""
	[ ! -e $MODPROBE ] || fail "$MODPROBE is there"
	ill traffic-rules "line 2: .*$2"
}

wrong_files() {
	wrong "client 10.0.0.0/33 tos=4" 'does not appear'
	wrong "client 10.0.0.0/8 dscp=64" 'dscp must be a number from 0 to 63'
	wrong "server 10.0.0.0/8 tos=4" 'its clients choose it'
	rm $FILE
}

loaded_now() {
	printf '%s\n' "client $SERVER_ADDR dscp=26" "server 192.168.0.0/16 rnr_timer=12" > $FILE
	ill traffic-rules 'other rules in'
	repair
	has xprtrdma "$SERVER_ADDR/32,tos=104"
	has svcrdma "192.168.0.0/16,rnr_timer=12"
	client_shows 0
	if [ "$PROVIDER" = rxe ]; then
		ill traffic-class 'type of service 0 \(DSCP 0\), a new connection would send with 104 \(DSCP 26\)'
		repair
		stat -f "$MNT" > /dev/null
		client_shows 104
		noted "with the rules" 'sends with type of service 104 \(DSCP 26\)'
		[ "$(cat /sys/kernel/rpcrdma/connections/server-*/rnr_timer)" = 12 ] || fail "the server has another timer"
	else
		reconnect
		noted "on iWARP" 'was given to the driver of siw.*Soft-iWARP does'
	fi
	"$CTL" traffic
	"$CTL" status
}

# modprobe reads what was written beside
loaded_again() {
	nfs_umount
	within 30 no_connected_qp || fail "queue pairs stay"
	server_stop
	rmmod xprtrdma svcrdma
	modprobe -a xprtrdma svcrdma
	has xprtrdma "$SERVER_ADDR/32,tos=104"
	has svcrdma "192.168.0.0/16,rnr_timer=12"
	server_threads "$NFSD_THREADS"
	server_listen
	nfs_mount 4.2
	client_shows 104
}

removed() {
	load '# nothing'
	has xprtrdma ""
	has svcrdma ""
	[ ! -e $MODPROBE ] || fail "$MODPROBE is still there"
	reconnect
	client_shows 0
	healthy "without rules"
}

link_up
modules_load
ctl_install
server_start
mkdir -p /etc/rpcrdma
nfs_mount 4.2
healthy "before"
wrong_files
loaded_now
loaded_again
removed
nfs_umount
finish
