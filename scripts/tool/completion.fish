# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of rpcrdmactl for fish; installed as
# /usr/share/fish/vendor_completions.d/rpcrdmactl.fish.

function __rpcrdmactl_connections
    set -l found /sys/kernel/rpcrdma/connections/*
    test (count $found) -eq 0; or path basename $found 2>/dev/null; or string replace -r '.*/' '' $found
end

function __rpcrdmactl_mounts
    awk '$3 ~ /^nfs4?$/ && $4 ~ /(^|,)proto=rdma6?(,|$)/ { print $2 }' /proc/mounts
    __rpcrdmactl_connections
end

# __rpcrdmactl_option COMMAND... : rest of "complete", for these commands
function __rpcrdmactl_option
    complete -c rpcrdmactl -n "__fish_seen_subcommand_from $argv[1]" $argv[2..-1]
end

complete -c rpcrdmactl -f
complete -c rpcrdmactl -n __fish_use_subcommand -a status -d 'a table of all connections'
complete -c rpcrdmactl -n __fish_use_subcommand -a top -d 'live rates of all connections'
complete -c rpcrdmactl -n __fish_use_subcommand -a trace -d 'record and decode the RPCs of one mount'
complete -c rpcrdmactl -n __fish_use_subcommand -a doctor -d 'find what is wrong'
complete -c rpcrdmactl -n __fish_use_subcommand -a report -d 'write one HTML page for a bug report'
complete -c rpcrdmactl -n __fish_use_subcommand -a metrics -d 'print metrics for Prometheus'
complete -c rpcrdmactl -n __fish_use_subcommand -a exporter -d 'serve metrics for Prometheus'
complete -c rpcrdmactl -n __fish_use_subcommand -a path -d 'the transports of mounts'
complete -c rpcrdmactl -n __fish_use_subcommand -a traffic -d 'type of service and timers by address'
complete -c rpcrdmactl -s h -l help -d 'show the options'
complete -c rpcrdmactl -n __fish_use_subcommand -l version -d 'show the version'
__rpcrdmactl_option 'status top trace doctor report metrics path traffic' -l json -d 'print JSON for programs'

__rpcrdmactl_option status -s l -l long -d 'all values and counters'
__rpcrdmactl_option status -a '(__rpcrdmactl_connections)'

__rpcrdmactl_option top -s d -l delay -x -d 'seconds between two looks'
__rpcrdmactl_option top -s n -l count -x -d 'end after so many tables'
__rpcrdmactl_option top -s b -l batch -d 'tables one below the other'

__rpcrdmactl_option 'top doctor' -l no-color -d 'no colour, also in a terminal'

__rpcrdmactl_option trace -a '(__rpcrdmactl_mounts)'
__rpcrdmactl_option trace -s d -l duration -x -d 'end after that time, in seconds'
__rpcrdmactl_option trace -s c -l count -x -d 'end after so many RPCs'
__rpcrdmactl_option trace -s e -l events -d 'show the events of each RPC'
__rpcrdmactl_option trace -s o -l output -r -F -d 'also write what was recorded'
__rpcrdmactl_option trace -s i -l input -r -F -d 'decode such a file'

__rpcrdmactl_option doctor -a '(__fish_print_hostnames)'
__rpcrdmactl_option doctor -s p -l port -x -d 'RDMA port of the server'
__rpcrdmactl_option doctor -s o -l output -r -F -d 'write there'

__rpcrdmactl_option report -F
__rpcrdmactl_option report -s s -l seconds -x -d 'how long to watch the counters'
__rpcrdmactl_option report -s r -l redact -d 'replace addresses and host names'

__rpcrdmactl_option 'metrics exporter' -s e -l each -d 'counters of each connection'
__rpcrdmactl_option 'metrics exporter' -l findings -r -F -d 'what doctor --json has written'
__rpcrdmactl_option metrics -s f -l format -x -a 'openmetrics prometheus'
__rpcrdmactl_option metrics -s o -l output -r -F -d 'write there'
__rpcrdmactl_option exporter -s l -l listen -x -d 'address and port'

__rpcrdmactl_option path -a 'list drain resume remove add (__rpcrdmactl_connections)'

__rpcrdmactl_option traffic -a 'show check load'
__rpcrdmactl_option traffic -s f -l file -r -F -d 'rules'
