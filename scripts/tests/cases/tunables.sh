#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# case: every tunable, set at load, in sysfs, by its sysctl or on a live connection, has the value that was set, and the documented effect where no other case shows it
# lanes: uml umldbg stock smpdbg kcsan
# provider: rxe siw
# guests: 1
# mods: ours
# every: uml smpdbg/rxe kcsan/siw
# timeout: 240
# in-check: yes

. "${GUEST_LIB:?}"
. "$GUEST_DIR/connections.sh"

# Two values for each parameter, neither of them the default: the first is set when the
# module is loaded, the other one in sysfs. The effect of probe_timeout needs a server
# that does not answer: see wire-client-v2-negotiate; that of read_memory and
# transfer_timeout clients that mean harm: see hostile-clients. Those of type of service and
# timers, and of rules for them: traffic-class; of failover and failover_ms: failover;
# of busy_poll_us: busy-poll.
FIRST="rpcrdma.probe_seconds=1 rpcrdma.latency_histograms=0 rpcrdma.quiet_sends=0
	rpcrdma.busy_poll_us=50
	xprtrdma.slot_table_entries=24 xprtrdma.max_inline_read=4096 xprtrdma.max_inline_write=2048
	xprtrdma.max_payload=262144 xprtrdma.mr_pages=8 xprtrdma.copy_max=0
	xprtrdma.backchannel_slots=5 xprtrdma.idle_timeout=77 xprtrdma.connect_timeout=7
	xprtrdma.resolve_timeout=1 xprtrdma.probe_timeout=7 xprtrdma.versions=both
	xprtrdma.failover=0 xprtrdma.failover_ms=300
	xprtrdma.tos=4 xprtrdma.ack_timeout=18 xprtrdma.rnr_timer=21 xprtrdma.rnr_retries=5
	xprtrdma.traffic_rules=10.0.0.0/8,tos=8;fd00::/8,tos=12
	svcrdma.tos=16 svcrdma.ack_timeout=17 svcrdma.rnr_timer=19 svcrdma.rnr_retries=4
	svcrdma.traffic_rules=10.0.0.0/8,rnr_timer=8
	svcrdma.max_requests=20 svcrdma.min_requests=11 svcrdma.receive_memory=4
	svcrdma.max_bc_requests=6 svcrdma.max_inline_size=16384
	svcrdma.max_outbound_reads=3 svcrdma.pullup=0 svcrdma.read_memory=8
	svcrdma.read_memory_client=4 svcrdma.transfer_timeout=50 svcrdma.versions=2"
SECOND="rpcrdma.keepalive_seconds=0 rpcrdma.latency_histograms=1 rpcrdma.unsignaled_sends=30
	rpcrdma.busy_poll_us=100
	xprtrdma.slot_table_entries=40 xprtrdma.max_inline_read=12288 xprtrdma.max_inline_write=5120
	xprtrdma.max_payload=131072 xprtrdma.mr_pages=4 xprtrdma.copy_max=8000
	xprtrdma.backchannel_slots=9 xprtrdma.idle_timeout=78 xprtrdma.connect_timeout=8
	xprtrdma.resolve_timeout=2 xprtrdma.negotiate_timeout=8 xprtrdma.versions=1
	xprtrdma.failover=1 xprtrdma.failover_ms=2000
	xprtrdma.tos=8 xprtrdma.ack_timeout=17 xprtrdma.rnr_timer=19 xprtrdma.rnr_retries=4
	xprtrdma.traffic_rules=10.0.0.0/16,ack_timeout=8
	svcrdma.tos=20 svcrdma.ack_timeout=18 svcrdma.rnr_timer=21 svcrdma.rnr_retries=5
	svcrdma.traffic_rules=fd00::/8,rnr_timer=8
	svcrdma.max_requests=33 svcrdma.min_requests=64 svcrdma.receive_memory=5
	svcrdma.max_bc_requests=11 svcrdma.max_inline_size=9216
	svcrdma.max_outbound_reads=2 svcrdma.pullup=9000 svcrdma.read_memory=6
	svcrdma.read_memory_client=3 svcrdma.transfer_timeout=40 svcrdma.versions=1"

# other_name MODULE.PARAMETER: the new name of a former one, and the other way round
other_name() {
	case $1 in
	rpcrdma.probe_seconds)		echo rpcrdma.keepalive_seconds ;;
	rpcrdma.keepalive_seconds)	echo rpcrdma.probe_seconds ;;
	rpcrdma.quiet_sends)		echo rpcrdma.unsignaled_sends ;;
	rpcrdma.unsignaled_sends)	echo rpcrdma.quiet_sends ;;
	xprtrdma.probe_timeout)		echo xprtrdma.negotiate_timeout ;;
	xprtrdma.negotiate_timeout)	echo xprtrdma.probe_timeout ;;
	*)				echo "$1" ;;
	esac
}

# wanted MODULE.PARAMETER: its value in $set, by either name
wanted() {
	local word other

	other=$(other_name "$1")
	for word in $set; do
		[[ $word != "$1="* && $word != "$other="* ]] || echo "${word#*=}"
	done
}

# Nothing is left out above. FIRST has former names, SECOND the new ones: both show it.
all_are_named() {
	local file name

	for file in /sys/module/{rpcrdma,xprtrdma,svcrdma}/parameters/*; do
		name=$(cut -d/ -f4 <<< "$file").$(basename "$file")
		[ -n "$(set=$FIRST wanted "$name")" ] && [ -n "$(set=$SECOND wanted "$name")" ] ||
			fail "this case does not set $name"
		[ "$(cat "$file")" = "$(wanted "$name")" ] ||
			fail "$name is $(cat "$file"), not $(wanted "$name")"
	done
}

set_all() {
	local word

	for word in $set; do
		echo "${word#*=}" > "/sys/module/${word%%.*}/parameters/$(sed 's/^[^.]*\.\([^=]*\)=.*/\1/' <<< "$word")"
	done
}

# is SIDE FILE VALUE
is() {
	[ "$(shown "$1" "$2")" = "$3" ] || fail "$1: $2 is '$(shown "$1" "$2")', not '$3'"
}

least() {
	printf '%s\n' "$@" | sort -n | head -1
}

# counted SIDE COUNTER COMMAND...: by how much it grows
counted() {
	local side=$1 counter=$2 before
	shift 2

	before=$(shown "$side" "counters/$counter")
	"$@" > /dev/null
	sync
	echo $(($(shown "$side" "counters/$counter") - before))
}

# The server's Receives for Calls when a connection begins: on iWARP all
first_credits() {
	local most

	most=$(wanted svcrdma.max_requests)
	[ "$PROVIDER" = siw ] && echo "$most" || least "$(wanted svcrdma.min_requests)" "$most"
}

sizes_of_connections() {
	local slots read write inline credits

	slots=$(wanted xprtrdma.slot_table_entries)
	read=$(wanted xprtrdma.max_inline_read)
	write=$(wanted xprtrdma.max_inline_write)
	inline=$(wanted svcrdma.max_inline_size)
	credits=$(wanted svcrdma.max_requests)
	is client credits_max "$slots"
	is client credits_asked "$slots"
	is server credits_asked "$slots"
	is server credits_max "$credits"
	is client credits_granted "$(least "$slots" "$(first_credits)")"
	is client reverse_credits "$(wanted xprtrdma.backchannel_slots)"
	is server reverse_credits "$(wanted svcrdma.max_bc_requests)"
	is server rdma_reads_max "$(wanted svcrdma.max_outbound_reads)"
	# In version 2 both sides announce the size of their Receives, at least 4096.
	if [ "$(wanted xprtrdma.versions)" = both ]; then
		is client version 2
		is server version 2
		is client inline_receive "$(least 4096 "$inline")"
		is client inline_send "$(least 4096 "$inline")"
	else
		is client version 1
		is server version 1
		is client inline_receive "$(least "$read" "$inline")"
		is client inline_send "$(least "$write" "$inline")"
	fi
	is server inline_send "$(shown client inline_receive)"
	is server inline_receive "$(shown client inline_send)"
}

values_of_mounts() {
	local payload

	payload=$(wanted xprtrdma.max_payload)
	grep -E " $MNT nfs.*rsize=$payload,wsize=$payload," /proc/mounts > /dev/null ||
		fail "the mount has other sizes than $payload: $(grep " $MNT " /proc/mounts)"
	is client idle_timeout_seconds "$(wanted xprtrdma.idle_timeout)"
	is client connect_timeout_seconds "$(wanted xprtrdma.connect_timeout)"
}

# direct_write N: N WRITEs of 16 pages
direct_write() {
	dd if=/tmp/file of="$MNT/direct" bs=64k count="$1" oflag=direct conv=notrunc status=none
}

small_write() {
	head -c 1500 /tmp/file > "$MNT/small"
}

small_read() {
	drop_caches
	cat "$MNT/small"
}

effects_on_operations() {
	local pages regs

	# Opening the file may need some too, so the difference is compared.
	direct_write 4
	pages=$(wanted xprtrdma.mr_pages)
	regs=$(counted client registrations direct_write 1)
	regs=$(($(counted client registrations direct_write 4) - regs))
	compare "registrations for three times 16 pages, $pages each" "$regs" -eq $((48 / pages))
	if [ "$(wanted xprtrdma.copy_max)" -lt 1500 ]; then
		compare 'copied of 1500 bytes' "$(counted client pullup_bytes small_write)" -lt 1500
	else
		compare 'copied of 1500 bytes' "$(counted client pullup_bytes small_write)" -ge 1500
	fi
	if [ "$(wanted svcrdma.pullup)" -lt 1500 ]; then
		compare 'copied by the server' "$(counted server pullup_bytes small_read)" -lt 1500
	else
		compare 'copied by the server' "$(counted server pullup_bytes small_read)" -ge 1500
	fi
}

effects_on_sends() {
	local sends over times

	times=$(histogram client post_to_completion)
	sends=$(shown client counters/sends)
	over=$(shown client counters/completions)
	for _ in $(seq 40); do
		stat -f "$MNT" > /dev/null
	done
	sends=$(($(shown client counters/sends) - sends))
	over=$(($(shown client counters/completions) - over))
	times=$(($(histogram client post_to_completion) - times))
	compare 'Sends' "$sends" -ge 40
	# On Soft-iWARP every Send is signaled.
	if [ "$(wanted rpcrdma.quiet_sends)" = 0 ] || [ "$PROVIDER" = siw ]; then
		compare "completions of $sends Sends" "$over" -ge "$((sends - 1))"
	else
		compare "completions of $sends Sends" "$over" -lt $((sends / 7))
	fi
	if [ "$(wanted rpcrdma.latency_histograms)" = 1 ]; then
		compare 'times in the histogram' "$times" -gt 0
	else
		compare 'times in the histogram' "$times" -eq 0
	fi
}

effect_of_probe_seconds() {
	local probes

	probes=$(counted server keepalives sleep 4)
	if [ "$(wanted rpcrdma.probe_seconds)" = 0 ]; then
		compare 'probes in 4 seconds' "$probes" -eq 0
	else
		compare 'probes in 4 seconds' "$probes" -ge 1
	fi
}

# No host has that address: ARP takes three seconds to fail.
effect_of_resolve_timeout() {
	log_mark
	! timeout 20 mount -t nfs -o "vers=4.2,proto=rdma,port=$PORT,retry=0,soft,timeo=30,retrans=1" \
		192.168.77.99:/ /mnt 2> /dev/null || fail "a mount from nowhere succeeds"
	log_has '192.168.77.99:20049: no connection: .*\(-110\)' ||
		fail "resolve_timeout=$(wanted xprtrdma.resolve_timeout): not a time-out"
}

all_effects() {
	mkdir -p /mnt
	nfs_mount 4.2
	small_write
	sync
	sizes_of_connections
	values_of_mounts
	effects_on_operations
	effects_on_sends
	effect_of_probe_seconds
	if [ "$PROVIDER" = rxe ]; then
		effect_of_resolve_timeout
	else
		say "left out: the effect of resolve_timeout, on siw"
	fi
}

sysctls() {
	local pair file name

	for pair in rdma_slot_table_entries:xprtrdma/slot_table_entries:51 \
		    rdma_max_inline_read:xprtrdma/max_inline_read:7168 \
		    rdma_max_inline_write:xprtrdma/max_inline_write:6144 \
		    svc_rdma/max_requests:svcrdma/max_requests:27 \
		    svc_rdma/max_req_size:svcrdma/max_inline_size:5120 \
		    svc_rdma/max_outbound_read_requests:svcrdma/max_outbound_reads:4; do
		IFS=: read -r file name value <<< "$pair"
		echo "$value" > "/proc/sys/sunrpc/$file"
		[ "$(cat "/sys/module/${name%/*}/parameters/${name#*/}")" = "$value" ] ||
			fail "$file does not change $name"
	done
	# Without a remount: what is for new connections is in force on the next one.
	reconnect
	is client inline_receive 5120
	is client inline_send 5120
	is server credits_max 27
	is server rdma_reads_max 4
}

# refused_with_reason FILE VALUE TEXT
refused_with_reason() {
	log_mark
	refused 'invalid argument' bash -c "echo $2 > /proc/sys/sunrpc/$1"
	log_has "$3" || fail "the log does not say why $1 refuses $2"
}

fixed_sysctls() {
	refused_with_reason rdma_inline_write_padding 4 'rdma_inline_write_padding stays 0.*padding'
	refused_with_reason rdma_memreg_strategy 4 'rdma_memreg_strategy stays 5.*FRWR'
	refused_with_reason rdma_pad_optimize 1 'rdma_pad_optimize stays 0.*pads'
	refused_with_reason rdma_slot_table_entries 3 'rdma_slot_table_entries must be'
	refused_with_reason svc_rdma/max_requests 3 'max_requests must be'
	refused_with_reason svc_rdma/rdma_stat_rq_poll 0 'rdma_stat_rq_poll stays 0'
	refused_with_reason svc_rdma/rdma_stat_sq_poll 0 'rdma_stat_sq_poll stays 0'
}

# Files rdma_stat_* that are reset by a write, and the counters that each adds up
STATS="read:read_chunks recv:receives write:write_chunks,reply_chunks rq_prod:receives
	sq_prod:completions"
declare -A stat_base=()

# counts_of_server NAME,...: their sum, of its connection
counts_of_server() {
	local name sum=0

	for name in ${1//,/ }; do
		sum=$((sum + $(shown server "counters/$name")))
	done
	echo $sum
}

# reset_stat NAME COUNTERS: false if the connection was used meanwhile
reset_stat() {
	stat_base[$1]=$(counts_of_server "$2")
	echo 0 > "/proc/sys/sunrpc/svc_rdma/rdma_stat_$1"
	[ "$(counts_of_server "$2")" = "${stat_base[$1]}" ]
}

# stat_fits NAME COUNTERS: the file shows what its counters have counted since its reset
stat_fits() {
	local value

	value=$(cat "/proc/sys/sunrpc/svc_rdma/rdma_stat_$1")
	[ "$value" -gt 0 ] && [ "$value" = $(($(counts_of_server "$2") - stat_base[$1])) ]
}

stat_sysctls() {
	local stat

	for stat in $STATS; do
		within 10 reset_stat "${stat%:*}" "${stat#*:}" || fail "rdma_stat_${stat%:*} is never at rest"
	done
	direct_write 1
	drop_caches
	cat "$MNT/direct" > /dev/null
	for stat in $STATS; do
		within 10 stat_fits "${stat%:*}" "${stat#*:}" ||
			fail "rdma_stat_${stat%:*} does not count ${stat#*:}"
	done
	[ "$(cat /proc/sys/sunrpc/svc_rdma/rdma_stat_rq_starve)" = 0 ] || fail "rdma_stat_rq_starve"
}

# Pages of RDMA Reads: all, and those that a Read before had used
read_page_sysctls() {
	local pages recycled

	direct_write 5
	pages=$(cat /proc/sys/sunrpc/svc_rdma/read_pages)
	recycled=$(cat /proc/sys/sunrpc/svc_rdma/read_pages_recycled)
	direct_write 5
	pages=$(($(cat /proc/sys/sunrpc/svc_rdma/read_pages) - pages))
	recycled=$(($(cat /proc/sys/sunrpc/svc_rdma/read_pages_recycled) - recycled))
	[ $((pages * $(getconf PAGESIZE))) -ge 300000 ] || fail "read_pages: $pages for 300,000 bytes"
	[ $recycled -gt 0 ] && [ $recycled -le $pages ] ||
		fail "read_pages_recycled: $recycled of $pages"
}

# reconnect: as an administrator does it
reconnect() {
	local before

	before=$(shown client connection)
	echo 1 > "$(connection_dir client)/disconnect"
	stat -f "$MNT" > /dev/null
	within 15 is_another "$before" || fail "there is no new connection"
	stat -f "$MNT" > /dev/null
}

is_another() {
	has_connection client && has_connection server && [ "$(shown client connection)" -gt "$1" ]
}

live_on_a_connection() {
	local dir number value

	dir=$(connection_dir client)
	number=$(cat "$dir/connection")
	for value in 1 3; do
		echo $value > "$dir/credits_limit"
		stat -f "$MNT" > /dev/null
		is client credits_asked $value
		is server credits_asked $value
		is client credits_granted $value
	done
	echo 16384 > "$dir/credits_limit"
	echo 2 > "$(connection_dir server)/credits_limit"
	stat -f "$MNT" > /dev/null
	is client credits_granted 2
	echo 16384 > "$(connection_dir server)/credits_limit"
	stat -f "$MNT" > /dev/null
	is client credits_granted 27
	echo 11 > "$dir/connect_timeout_seconds"
	is client connect_timeout_seconds 11
	is client connection "$number"
}

bad_values_of_a_connection() {
	local dir file value before

	dir=$(connection_dir client)
	for file in credits_limit:0 credits_limit:16385 idle_timeout_seconds:86401 \
		    connect_timeout_seconds:0 connect_timeout_seconds:601 disconnect:2; do
		for value in "${file#*:}" banana -1 99999999999999999999; do
			before=$(cat "$dir/${file%:*}" 2> /dev/null || true)
			refused 'invalid argument|out of range' \
				bash -c "echo $value > $dir/${file%:*}"
			[ "$(cat "$dir/${file%:*}" 2> /dev/null || true)" = "$before" ] ||
				fail "${file%:*} changed"
		done
	done
}

goes_idle() {
	[ "$(cat "$1/state")" = none ]
}

# Without an NFSv4.1 session an idle connection is closed.
idle_timeout() {
	local dir

	nfs_umount
	nfs_mount 3
	dir=$(connection_dir client)
	echo 2 > "$dir/idle_timeout_seconds"
	stat -f "$MNT" > /dev/null
	within 20 goes_idle "$dir" || fail "an idle connection stays"
	[ "$(cat "$dir/last_error_reason")" = 'closed by this end' ] ||
		fail "the reason is '$(cat "$dir/last_error_reason")'"
	[ -z "$(cat "$dir/device")" ] || fail "without a connection it has a device"
	stat -f "$MNT" > /dev/null
	[ "$(cat "$dir/state")" = established ] || fail "it does not connect again"
	echo 0 > "$dir/idle_timeout_seconds"
	sleep 4
	[ "$(cat "$dir/state")" = established ] || fail "an idle timeout of 0 ends a connection"
}

# sunrpc has no timer for such a mount.
no_idle_timeout() {
	local parameter=/sys/module/xprtrdma/parameters/idle_timeout dir seconds

	nfs_umount
	seconds=$(cat $parameter)
	echo 0 > $parameter
	nfs_mount 3
	echo "$seconds" > $parameter
	dir=$(connection_dir client)
	refused 'not supported' bash -c "echo 2 > $dir/idle_timeout_seconds"
	echo 0 > "$dir/idle_timeout_seconds"
	is client idle_timeout_seconds 0
}

# sunrpc's own file takes effect on the next connection, which it causes.
dstaddr() {
	local dir number file

	address_add 192.168.77.2
	dir=$(connection_dir client)
	number=$(cat "$dir/connection")
	file=$(echo /sys/kernel/sunrpc/xprt-switches/switch-*/xprt-"$(cat "$dir/sunrpc_xprt")"-rdma/dstaddr)
	echo 192.168.77.2 > "$file"
	stat -f "$MNT" > /dev/null
	within 15 is_another "$number" || fail "dstaddr makes no new connection"
	stat -f "$MNT" > /dev/null
	is client peer_address 192.168.77.2
	is server source_address 192.168.77.2
}

link_up
random_file /tmp/file 300000
PARAMETERS=$(echo $FIRST)
modules_load
server_start
set=$FIRST
all_are_named
all_effects
say "set at load: all have their effect"
nfs_umount
set=$SECOND
set_all
all_are_named
all_effects
say "set in sysfs: all have their effect"
sysctls
fixed_sysctls
stat_sysctls
read_page_sysctls
say "sysctls: all have their effect, or a reason"
live_on_a_connection
bad_values_of_a_connection
idle_timeout
no_idle_timeout
dstaddr
say "live: all have their effect"
nfs_umount
ip addr del 192.168.77.2/24 dev "$NET_DEV"
finish
