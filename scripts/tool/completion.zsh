#compdef rpcrdmactl
# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of rpcrdmactl for zsh; installed as
# /usr/share/zsh/vendor-completions/_rpcrdmactl.

_rpcrdmactl_connections() {
	local -a found
	found=(/sys/kernel/rpcrdma/connections/*(N:t))
	compadd -a found
}

_rpcrdmactl_mounts() {
	local -a found
	found=(${(f)"$(awk '$3 ~ /^nfs4?$/ && $4 ~ /(^|,)proto=rdma6?(,|$)/ { print $2 }' /proc/mounts)"})
	compadd -a found
	_rpcrdmactl_connections
}

# Options of a command, as _arguments takes them
_rpcrdmactl_options() {
	local json='--json[print JSON for programs]' no_color='--no-color[no colour, also in a terminal]'
	local -a metrics=('(-e --each)'{-e,--each}'[counters of each connection]'
		'--findings[what doctor --json has written]:file:_files')

	case $1 in
	status)	reply=($json '(-l --long)'{-l,--long}'[all values and counters]' '*:connection:_rpcrdmactl_connections') ;;
	top)	reply=($json '(-b --batch)'{-b,--batch}'[tables one below the other]'
			'(-d --delay)'{-d,--delay}'[seconds between two looks]:seconds:'
			'(-n --count)'{-n,--count}'[end after so many tables]:count:' $no_color) ;;
	trace)	reply=($json '(-d --duration)'{-d,--duration}'[end after that time]:seconds:'
			'(-c --count)'{-c,--count}'[end after so many RPCs]:count:'
			'(-e --events)'{-e,--events}'[show the events of each RPC]'
			'(-o --output)'{-o,--output}'[also write what was recorded]:file:_files'
			'(-i --input)'{-i,--input}'[decode such a file]:file:_files'
			'1:mount:_rpcrdmactl_mounts') ;;
	doctor)	reply=($json '(-p --port)'{-p,--port}'[RDMA port of the server]:port:'
			'(-o --output)'{-o,--output}'[write there]:file:_files' $no_color '1:server:_hosts') ;;
	report)	reply=('--json[write JSON instead]' '(-s --seconds)'{-s,--seconds}'[how long to watch]:seconds:'
			'(-r --redact)'{-r,--redact}'[replace addresses and host names]' '1:file:_files') ;;
	metrics) reply=($json $metrics '(-f --format)'{-f,--format}'[format]:format:(openmetrics prometheus)'
			'(-o --output)'{-o,--output}'[write there]:file:_files') ;;
	exporter) reply=($metrics '(-l --listen)'{-l,--listen}'[where]:address and port:') ;;
	path)	reply=($json '1:action:(list drain resume remove add)' '2:connection:_rpcrdmactl_connections') ;;
	traffic) reply=($json '(-f --file)'{-f,--file}'[rules]:file:_files' '1:action:(show check load)') ;;
	esac
	reply+=('(-h --help)'{-h,--help}'[show the options]')
}

_rpcrdmactl() {
	local -a reply

	if ((CURRENT == 2)); then
		compadd status top trace doctor report metrics exporter path traffic --help --version
		return
	fi
	_rpcrdmactl_options ${words[2]}
	shift words
	((CURRENT--))
	_arguments -s $reply
}

# The completion system calls this file as a function; a test reads it.
[[ ${funcstack[1]:-} != _rpcrdmactl ]] || _rpcrdmactl "$@"
