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

# One on each line. Nothing here may be given to compgen -W, which expands its words as the
# shell does: a mount point can have any name.
_rpcrdmactl_connections() {
	ls /sys/kernel/rpcrdma/connections 2> /dev/null
}

_rpcrdmactl_mounts() {
	awk '$3 ~ /^nfs4?$/ && $4 ~ /(^|,)proto=rdma6?(,|$)/ { print $2 }' /proc/mounts
}

# _rpcrdmactl_offer COMMAND...: the lines of its output that begin with what is typed
_rpcrdmactl_offer() {
	local one found

	mapfile -t found < <("$@")
	for one in "${found[@]}"; do
		# /proc/mounts has white space and backslashes in octal.
		printf -v one %b "${one//\\/\\0}"
		printf -v one %q "$one"
		[[ $one != "$word"* ]] || COMPREPLY+=("$one")
	done
}

# _rpcrdmactl_offer_words WORD...
_rpcrdmactl_offer_words() {
	_rpcrdmactl_offer printf '%s\n' "$@"
}

_rpcrdmactl() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]}
	local -a words

	COMPREPLY=()
	case $command$before in
	traffic-f|*-o|*-output|*-i|*-input|*-findings|*-file)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return ;;
	report-s|exporter-l|*-seconds|*-d|*-delay|*-duration|*-n|*-c|*-count|*-p|*-port|*-listen)
		return ;;
	*-f|*-format)
		_rpcrdmactl_offer_words openmetrics prometheus
		return ;;
	esac
	[ "$COMP_CWORD" -gt 1 ] || command=
	read -ra words < <(_rpcrdmactl_words "$command")
	case $command-$word in
	*--*)	;;
	status-*) _rpcrdmactl_offer _rpcrdmactl_connections ;;
	trace-*)
		_rpcrdmactl_offer _rpcrdmactl_mounts
		_rpcrdmactl_offer _rpcrdmactl_connections ;;
	path-*)
		words+=(list drain resume remove add)
		[ "$COMP_CWORD" -le 2 ] || { _rpcrdmactl_offer _rpcrdmactl_connections; return; } ;;
	traffic-*) words+=(show check load) ;;
	report-*)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return ;;
	doctor-*)
		mapfile -t COMPREPLY < <(compgen -A hostname -- "$word")
		return ;;
	esac
	_rpcrdmactl_offer_words "${words[@]}"
}

complete -F _rpcrdmactl rpcrdmactl
