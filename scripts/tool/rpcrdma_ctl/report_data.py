# SPDX-License-Identifier: GPL-2.0-only
"""What rpcrdmactl report shows, as plain data: the same for HTML and for JSON. Reads the machine, changes nothing."""

import os
import time

from . import VERSION, doctor, facts, findings, findings_traffic, kmod, parse, rates, sample, status, system, views
from .failure import Failure
from .history import SHOWN, History

LOG_LINES = 200
POINTS = 40
LEAST_STEP = 0.2


def modules(known):
    return [{"name": one.name, "loaded": one.loaded,
             "version": system.read(f"/sys/module/{one.name}/version") or None,
             "srcversion": one.srcversion or None, "file": one.file or None,
             "file_srcversion": one.file_srcversion or None, "signer": one.signer or None}
            for one in known.modules.values()]


def versions(known):
    system_ = os.uname()
    return {"rpcrdmactl": VERSION, "modules": modules(known), "host": system_.nodename, "kernel": system_.release,
            "kernel_build": system_.version, "architecture": system_.machine,
            "distribution": parse.distribution(system.read("/etc/os-release")) or None,
            "rdma_core": known.rdma_core or None}


def devices(known):
    return [{"name": port.name(), "kind": port.kind, "state": port.state,
             "rate": system.read(f"{facts.INFINIBAND}/{port.device}/ports/{port.number}/rate") or None,
             "firmware": system.read(f"{facts.INFINIBAND}/{port.device}/fw_ver") or None, "gids": len(port.gids),
             "netdevs": [netdev(known, name) for name in port.netdevs]} for port in known.ports]


def netdev(known, name):
    one = known.netdevs.get(name)
    return {"name": name, "up": one.up if one else None, "mtu": one.mtu if one else None,
            "addresses": one.addresses if one else []}


def parameters(known):
    """Those that differ from their defaults; all of a module whose defaults are not known."""
    found = []
    for module in kmod.OURS:
        parm = system.output("modinfo", "-F", "parm", module) or ""
        defaults, former = parse.parameter_defaults(parm), parse.former_names(parm)
        for name, value in known.settings.items():
            of, _, parameter = name.partition(".")
            default = defaults.get(parameter)
            if of == module and parameter not in former and value != default and (value or default):
                found.append({"name": name, "value": value, "default": default})
    return found


def mounts():
    return [{"directory": one.mount.directory, "source": one.mount.source, "server": one.mount.server,
             "port": one.mount.port, "options": one.mount.options, "transports": one.transports, "bytes": one.bytes,
             "operations": {name: values for name, values in one.operations.items() if values.get("operations")}}
            for one in sample.mounts()]


def log():
    """The last lines of our modules; None if the log cannot be read."""
    records = system.log_records()
    if records is None:
        return None
    ours = [{"seconds": round(when, 6), "text": text} for when, text in records
            if text.startswith(tuple(f"{name}: " for name in kmod.OURS))]
    return ours[-LOG_LINES:]


def reading():
    """doctor's notes say so if the modules are older than this program."""
    try:
        return views.load()
    except Failure:
        return views.View(time.monotonic(), [], False)


def watch(seconds):
    """(history of the rates, first reading, last reading)"""
    step = max(LEAST_STEP, seconds / POINTS)
    history = History(POINTS + 1)
    first = before = reading()
    end = first.when + seconds
    while (left := end - time.monotonic()) > step / 2:
        time.sleep(min(step, left))
        after = reading()
        history.add(before, after)
        before = after
    return history, first, before


def connections(history, first, last):
    """As in status, with what came while it was watched"""
    known = parse.mounts(system.read("/proc/mounts"))
    new = rates.histograms(first, last)
    now = {one.name: found for one, found in rates.compare(first, last)}
    return [{**status.data(one, known), "peer": one.peer, "per_second": rates.data(one, now[one.name])["per_second"],
             "rates": {key: [value if value is None else round(value, 3) for value in history.of(one.name)[key]]
                       for key in SHOWN},
             "latency_watched": new[one.name]} for one in last.connections]


def gather(seconds):
    """All of it"""
    known = facts.gather()
    found = findings.findings(known)
    notes = known.notes + findings.remarks(known) + findings_traffic.remarks(known)
    history, first, last = watch(seconds)
    told = {key: value for key, value in doctor.data(found, notes).items() if key in ("findings", "notes")}
    data = {"version": 1, "command": "report", "redacted": False,
            "time": time.strftime("%Y-%m-%d %H:%M:%S %z"), "uptime": round(time.clock_gettime(time.CLOCK_BOOTTIME)),
            "loaded": last.present, "versions": versions(known), **told, "devices": devices(known),
            "parameters": parameters(known),
            "nfsd": {"threads": known.nfsd.threads, "listeners": [list(one) for one in known.nfsd.listeners]},
            "mounts": mounts(), "seconds": [round(one, 3) for one in history.seconds],
            "connections": connections(history, first, last), "log": log()}
    return data
