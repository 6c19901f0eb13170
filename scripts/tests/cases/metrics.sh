#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: rpcrdmactl exporter shows what the modules count without any privilege, its sums survive connections, and a Prometheus that scrapes it has no alert on a healthy machine and the right one after a fault
# lanes: uml
# provider: rxe siw
# guests: 1
# mods: ours
# timeout: 300
# in-check: yes
#
# All faults, each with its alert: doctor-full.

. "${GUEST_LIB:?}"
. "$GUEST_DIR/rpcrdmactl.sh"
. "$GUEST_DIR/prometheus.sh"

CONNECTIONS=/sys/kernel/rpcrdma/connections
SERVER_SIDE='side="server"'
CLIENT_SIDE='side="client"'

# counted SIDE NAME: by the only connection
counted() {
	sed -n "s/^$2 //p" "$CONNECTIONS/$1"-*/counters
}

work() {
	random_file "$MNT/data" $((1 << 20)) && drop_caches && cat "$MNT/data" > /dev/null
}

# at_least NAME LABEL VALUE
at_least() {
	local found

	found=$(metric "$1" "$2")
	[ "$found" -ge "$3" ] || fail "$1 of $2 is $found, below $3"
}

# promtool accepts both ways to get them.
accepted() {
	promtool check metrics < /tmp/metrics || fail "promtool does not accept what the exporter answers"
	"$CTL" metrics --output /tmp/rpcrdma.prom
	promtool check metrics < /tmp/rpcrdma.prom || fail "promtool does not accept the text file"
	"$CTL" metrics | tail -n 1 | grep -qx '# EOF' || fail "that is not OpenMetrics"
	"$CTL" metrics --json | jq -e '.families | length > 50' > /dev/null || fail "JSON has less"
	say "promtool accepts $(grep -vc '^#' /tmp/metrics) series"
}

# The same numbers as in sysfs and mountstats
values() {
	local sends receives

	work
	# The pages of the first payload serve the second one.
	work
	sends=$(counted client sends)
	receives=$(counted server receives)
	scrape
	at_least rpcrdma_sends_total "$CLIENT_SIDE" "$sends"
	at_least rpcrdma_receives_total "$SERVER_SIDE" "$receives"
	at_least rpcrdma_write_bytes_total "$SERVER_SIDE" $((1 << 20))
	[ "$(metric rpcrdma_sends_total "$CLIENT_SIDE")" -le "$(counted client sends)" ] ||
		fail "the exporter counts more sends than the module"
	[ "$(metric rpcrdma_connections "$CLIENT_SIDE" established)" = 1 ] || fail "not one client"
	[ "$(metric rpcrdma_credits_granted "$CLIENT_SIDE")" = "$(cat "$CONNECTIONS"/client-*/credits_granted)" ] ||
		fail "other credits"
	[ "$(metric rpcrdma_mount_server_read_bytes_total "mount=\"$MNT\"")" -ge $((1 << 20)) ] ||
		fail "READ has fewer bytes"
	metric rpcrdma_mount_info "mount=\"$MNT\"" "server=\"$SERVER_ADDR:20049\"" > /dev/null
	metric rpcrdma_module_info 'module="svcrdma"' > /dev/null
	metric rpcrdma_read_memory_limit_bytes > /dev/null
	[ "$(metric rpcrdma_read_pages_total)" -ge 256 ] || fail "WRITE needs no pages"
	[ "$(metric rpcrdma_read_pages_recycled_total)" -gt 0 ] || fail "no page was recycled"
}

# Another exporter counts from its start: Prometheus takes a counter that has decreased for one
# that began at 0.
restarted() {
	kill "$!"
	exporter_start
	scrape
	[ "$(metric rpcrdma_sends_total "$CLIENT_SIDE")" -lt 20 ] ||
		fail "an exporter that has just begun counts $(metric rpcrdma_sends_total "$CLIENT_SIDE") sends"
	work
	scrape
	at_least rpcrdma_write_bytes_total "$SERVER_SIDE" $((1 << 20))
}

# Connections that have ended stay in the sums.
ended() {
	local sends received

	sends=$(metric rpcrdma_sends_total "$CLIENT_SIDE")
	received=$(metric rpcrdma_read_bytes_total "$SERVER_SIDE")
	nfs_umount
	within 20 no_connection || fail "a connection stays"
	scrape
	at_least rpcrdma_sends_total "$CLIENT_SIDE" "$sends"
	at_least rpcrdma_closes_total "$SERVER_SIDE" 1
	at_least rpcrdma_connection_ends_total "$SERVER_SIDE,cause=\"closed by the peer\"" 1
	at_least rpcrdma_connection_ends_total "$CLIENT_SIDE,cause=\"closed by this end\"" 1
	nfs_mount 4.2
	work
	scrape
	at_least rpcrdma_sends_total "$CLIENT_SIDE" $((sends + 4))
	at_least rpcrdma_read_bytes_total "$SERVER_SIDE" $((received + (1 << 20)))
	at_least rpcrdma_connects_total "$SERVER_SIDE" 1
	say "the sums go on over connections"
}

no_connection() {
	! ls -d "$CONNECTIONS"/*-* > /dev/null 2>&1
}

dashboard_has_data() {
	work || fail "I/O fails"
	sleep 3
	"$GUEST_DIR/dashboard-queries" "$SRC/scripts/tool/monitoring/dashboard.json" "$PROMETHEUS" 20s \
		"Findings of rpcrdmactl doctor" "Messages refused" \
		"Connections that ended, by cause" "Waits for a credit, 99 %" \
		"Waits for send queue slots, 99 %" > /tmp/queries
}

# Each panel of the dashboard has data; a healthy system has neither findings nor refusals. A rate
# takes two scrapes with work between them, and a slow machine scrapes late.
dashboard() {
	within "$(scaled 40)" dashboard_has_data ||
		{ cat /tmp/queries; fail "the dashboard has panels without data"; }
	say "dashboard: $(cat /tmp/queries)"
}

fault() {
	nfs_umount
	healthy "with an exporter and Prometheus"
	ip link set "$NET_DEV" down
	ill link-down "is DOWN, not ACTIVE: $NET_DEV is down"
	repair
	within 10 rdma_link_active "${PROVIDER}0" || fail "the link stays down"
	healthy "after the repair"
}

link_up
modules_load
ctl_install
server_start
exporter_start
nfs_mount 4.2
values
restarted
accepted
ended
prometheus_start
dashboard
fault
finish
