# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Connections that the server's device takes long to set up, by test_stall. Source it after peer.sh.
#
#   setups_stall COUNT   so many queue pairs are not created before COUNT is 0 again
#   setups_stalled COUNT true if so many wait
#   join NAME [ADDRESS [FROM]] a new client connects, maybe from an address, and asks once
#   joined NAME          it had an answer

STALL=/sys/module/test_stall/parameters

setups_stall() {
	echo "$1" > $STALL/stall_qps
}

setups_stalled() {
	[ "$(cat $STALL/stalled_qps)" -eq "$1" ]
}

join() {
	: > "/tmp/$1.log"
	"$PEER" crowd --connections 1 ${3:+--from "$3"} "${2:-$SERVER_ADDR}" "$PORT" < /dev/null > "/tmp/$1.log" 2>&1
}

joined() {
	grep -q '^up ' "/tmp/$1.log"
}
