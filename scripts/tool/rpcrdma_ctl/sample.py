# SPDX-License-Identifier: GPL-2.0-only
"""Reads what the metrics show. Needs no privilege, asks no server, and never accesses a mount."""

import json
import os
import re
import stat
import sys
import time

from . import kmod, mountstats, parse, system, views
from .metrics import PAGES, Sample
from .model import ERROR, WARNING
from .totals import Totals

FINDINGS = "/run/rpcrdma/doctor.json"
PARAMETERS = "/sys/module/svcrdma/parameters"
USED = "/proc/sys/sunrpc/svc_rdma"
KIB, MIB = 1 << 10, 1 << 20
BUDGET = {"receive_memory_used": (f"{USED}/receive_memory_used", KIB),
          "receive_memory_limit": (f"{PARAMETERS}/receive_memory", MIB),
          "read_memory_used": (f"{USED}/read_memory_used", KIB),
          "read_memory_limit": (f"{PARAMETERS}/read_memory", MIB),
          "read_memory_client_limit": (f"{PARAMETERS}/read_memory_client", MIB)}


def modules():
    """Of both kinds: the in-tree module has no version."""
    return [{"module": name, "version": system.read(f"/sys/module/{name}/version"),
             "srcversion": system.read(f"/sys/module/{name}/srcversion")}
            for name in kmod.OURS if system.is_directory(f"/sys/module/{name}")]


def budget():
    found = {}
    for name, (path, unit) in BUDGET.items():
        text = system.read(path)
        if text.isdigit():
            found[name] = int(text) * unit
    return found


def closes(root):
    """{side: {cause: number}}; a cause is a text with spaces"""
    found = {}
    for side in ("client", "server"):
        for line in system.read(f"{root}/../{side}_closes").splitlines():
            cause, _, number = line.rpartition(": ")
            if cause and number.isdigit():
                found.setdefault(side, {})[cause] = int(number)
    return found


def pages():
    texts = {name: system.read(f"{USED}/{name}") for name in PAGES}
    return {name: int(text) for name, text in texts.items() if text.isdigit()}


def mounts():
    return mountstats.parse(system.read("/proc/self/mountstats"), parse.mounts(system.read("/proc/mounts")))


def open_regular(path, flags):
    """A FIFO would wait for its writer."""
    fd = os.open(path, flags | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise ValueError("no regular file")
    return fd


def is_finding(found):
    """What is in the file becomes labels."""
    name, severity = found
    return isinstance(name, str) and re.fullmatch("[a-z-]+", name) and severity in (ERROR, WARNING)


def doctor(path):
    """({(name, severity)}, when): what rpcrdmactl doctor --json has left in a file; 0 if it cannot be read"""
    try:
        with open(path, encoding="utf-8", opener=open_regular) as file:
            found = [(one["name"], one["severity"]) for one in json.load(file)["findings"]]
            return set(filter(is_finding, found)), os.fstat(file.fileno()).st_mtime
    except FileNotFoundError:
        return set(), 0
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        print(f"rpcrdmactl: {path} is not what rpcrdmactl doctor --json writes ({error!r})", file=sys.stderr)
        return set(), 0


class Readings:
    """Readings of everything, one after the other; totals goes on from the last one."""

    def __init__(self, totals, each=False, findings=FINDINGS, root=views.ROOT):
        self.totals, self.each, self.findings, self.root = totals, each, findings, root
        self.reader = views.Reader(root)

    def take(self):
        begin = time.monotonic()
        view = self.reader.load()
        connections = view.connections
        found, looked = doctor(self.findings)
        return Sample(sums=self.totals.update(connections, view.unread),
                      connections=connections if self.each else None,
                      reasons=views.reasons(self.root, connections), modules=modules(), budget=budget(),
                      closes=closes(self.root), pages=pages(), mounts=mounts(), findings=found, looked=looked,
                      when=time.time(), took=time.monotonic() - begin)


def boot():
    return system.read("/proc/sys/kernel/random/boot_id")


def load_totals(path):
    """The sums that an earlier run of this boot has left; new ones if there are none."""
    try:
        data = json.loads(system.read(path))
        return Totals.from_data(data["totals"]) if data["boot"] == boot() else Totals()
    except (ValueError, KeyError, TypeError, AttributeError):
        return Totals()


def save_totals(path, totals):
    system.write(path, json.dumps({"boot": boot(), "totals": totals.data()}))
