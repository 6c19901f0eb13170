# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of rpcrdmactl for bash; installed as
# /usr/share/bash-completion/completions/rpcrdmactl.

_rpcrdmactl_words() {
	case $1 in
	status)	echo "--json --help --long" ;;
	top)	echo "--json --help --batch --delay --count --no-color" ;;
	trace)	echo "--json --help --duration --count --events --output --input" ;;
	doctor)	echo "--json --help --port --output --no-color" ;;
	report)	echo "--json --help --seconds --redact" ;;
	metrics) echo "--json --help --each --findings --format --output" ;;
	exporter) echo "--help --each --findings --listen" ;;
	path)	echo "--json --help" ;;
	traffic) echo "--json --help --file" ;;
	*)	echo "status top trace doctor report metrics exporter path traffic --help --version" ;;
	esac
}

_rpcrdmactl_connections() {
	ls /sys/kernel/rpcrdma/connections 2> /dev/null
}

_rpcrdmactl_mounts() {
	awk '$3 ~ /^nfs4?$/ && $4 ~ /(^|,)proto=rdma6?(,|$)/ { print $2 }' /proc/mounts
}

_rpcrdmactl() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]} words

	COMPREPLY=()
	case $command$before in
	traffic-f|*-o|*-output|*-i|*-input|*-findings|*-file)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return ;;
	report-s|*-seconds|*-d|*-delay|*-duration|*-n|*-c|*-count|*-p|*-port|*-listen)
		return ;;
	*-f|*-format)
		mapfile -t COMPREPLY < <(compgen -W "openmetrics prometheus" -- "$word")
		return ;;
	esac
	[ "$COMP_CWORD" -gt 1 ] || command=
	words=$(_rpcrdmactl_words "$command")
	case $command-$word in
	*--*)	;;
	status-*) words+=" $(_rpcrdmactl_connections)" ;;
	trace-*) words+=" $(_rpcrdmactl_mounts) $(_rpcrdmactl_connections)" ;;
	path-*)
		words+=" list drain resume remove"
		[ "$COMP_CWORD" -le 2 ] || words=$(_rpcrdmactl_connections) ;;
	traffic-*) words+=" show check load" ;;
	report-*)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return ;;
	doctor-*)
		mapfile -t COMPREPLY < <(compgen -A hostname -- "$word")
		return ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _rpcrdmactl rpcrdmactl
