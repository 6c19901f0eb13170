# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# rpcrdmactl exporter and a Prometheus that scrapes it, with our alert rules. Source it
# after rpcrdmactl.sh; then ill and healthy also say which alerts must fire.
#
#   exporter_start          without any privilege
#   prometheus_start
#   scrape                  what the exporter reads from now on, in /tmp/metrics
#   metric NAME LABEL...    the value of the only sample in it that has these labels
#   alerts_are [FINDING]    within 60 s exactly the alert of this finding fires, or none; then
#                           no alert of a finding is pending either

EXPORTER=127.0.0.1:20149
PROMETHEUS=127.0.0.1:9090
ALERT_SECONDS=60

# The user of the exporter may not be able to reach the source tree.
exporter_start() {
	cp -rT "$SRC/scripts/tool" /tmp/tool
	chmod -R a+rX /tmp/tool
	setpriv --reuid=nobody --regid=nogroup --clear-groups --no-new-privs --bounding-set=-all \
		/tmp/tool/rpcrdmactl exporter --listen "$EXPORTER" --findings /tmp/doctor.json \
		> /tmp/exporter.log 2>&1 &
	within 30 scraped || { cat /tmp/exporter.log; fail "the exporter does not answer"; }
	say "$(cat /tmp/exporter.log)"
}

scraped() {
	/usr/bin/python3 -c '
import sys, urllib.request
sys.stdout.write(urllib.request.urlopen(f"http://{sys.argv[1]}/metrics", timeout=20).read().decode())' \
		"$EXPORTER" > /tmp/metrics 2> /tmp/scrape-error
}

# A scrape may get the reading that the one before it has asked for.
scrape() {
	local now

	now=$(date +%s.%N)
	within 20 scraped_since "$now" || fail "no scrape: $(cat /tmp/scrape-error)"
}

scraped_since() {
	scraped && awk -v since="$1" '$1 == "rpcrdma_sample_timestamp_seconds" { found = $2 >= since }
		END { exit !found }' /tmp/metrics
}

metric() {
	local name=$1 found word
	shift

	found=$(grep -E "^$name(\{| )" /tmp/metrics || true)
	for word in "$@"; do
		found=$(grep -F -- "$word" <<< "$found" || true)
	done
	[ "$(grep -c . <<< "$found")" -eq 1 ] || fail "not one sample of $name with $*: $found"
	echo "${found##* }"
}

prometheus_start() {
	cat > /tmp/prometheus.yml <<- END
		global: { scrape_interval: 2s, evaluation_interval: 2s }
		rule_files: [ $SRC/scripts/tool/monitoring/rules.yml ]
		scrape_configs:
		- job_name: rpcrdma
		  static_configs: [ { targets: [ "$EXPORTER" ] } ]
	END
	promtool check config /tmp/prometheus.yml > /tmp/prometheus-check ||
		{ cat /tmp/prometheus-check; fail "the configuration of Prometheus is wrong"; }
	prometheus --config.file=/tmp/prometheus.yml --storage.tsdb.path=/tmp/prometheus \
		--web.listen-address="$PROMETHEUS" --log.level=warn > /tmp/prometheus.log 2>&1 &
	within 60 has_scraped || { cat /tmp/prometheus.log; fail "Prometheus does not scrape"; }
}

# query EXPRESSION: its series without their values; false if there is an error
query() {
	promtool query instant "http://$PROMETHEUS" "$1" 2> /dev/null | sed 's/ => .*//'
}

has_scraped() {
	[ "$(query 'up{job="rpcrdma"} == 1' | wc -l)" -eq 1 ]
}

# alerts SELECTOR: their names
alerts() {
	query "count by (alertname) (ALERTS{$1})" | sed 's/.*"\(.*\)".*/\1/' | paste -sd' '
}

# An alert of a finding has its name, and is pending for 30 s before it fires.
firing_is() {
	FIRING=$(alerts 'alertstate="firing"') || return 1
	[ "$FIRING" = "$1" ] || return 1
	[ -z "$1" ] || return 0
	PENDING=$(alerts 'alertstate="pending",name!=""') || return 1
	[ -z "$PENDING" ]
}

# The scrape that shows it must be newer than what doctor has found.
alerts_are() {
	local wanted='' begin

	[ -z "${1:-}" ] || wanted=Rpcrdma$(sed -E 's/(^|-)(.)/\U\2/g' <<< "$1")
	begin=$(now_ms)
	within 20 has_seen_doctor || fail "Prometheus does not have the findings of now"
	# Rules are evaluated every 2 s.
	sleep 3
	PENDING=
	within $ALERT_SECONDS firing_is "$wanted" ||
		fail "these alerts fire: '$FIRING', instead of '$wanted'; pending: '$PENDING'"
	say "alerts that fire: ${wanted:-none}, after $(($(now_ms) - begin)) ms"
}

has_seen_doctor() {
	[ -n "$(query "rpcrdma_doctor_timestamp_seconds >= $(stat -c %.3Y /tmp/doctor.json)")" ]
}
