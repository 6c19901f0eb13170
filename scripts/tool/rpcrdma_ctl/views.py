# SPDX-License-Identifier: GPL-2.0-only
"""Connections as the modules show them in sysfs (Documentation/ABI/testing/sysfs-kernel-rpcrdma)."""

import time
from dataclasses import dataclass, field

from . import system

ROOT = "/sys/kernel/rpcrdma/connections"
GROUPS = ("counters", "refusals", "latency")
WRITE_ONLY = ("disconnect",)


def endpoint(address, port):
    """Address and port in the usual notation; "" if there is no address."""
    if not address:
        return ""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


@dataclass
class Connection:
    name: str
    values: dict = field(default_factory=dict)      # file: its text
    counters: dict = field(default_factory=dict)    # name: number
    refusals: dict = field(default_factory=dict)    # name: number
    latency: dict = field(default_factory=dict)     # name: [numbers]

    @property
    def side(self):
        return self.values.get("side", "")

    @property
    def peer(self):
        return endpoint(self.values.get("peer_address", ""), self.values.get("peer_port", ""))

    @property
    def source(self):
        return endpoint(self.values.get("source_address", ""), self.values.get("source_port", ""))

    @property
    def established(self):
        return self.values.get("state") == "established"

    def number(self, key):
        """A value as a number, or None while there is none."""
        text = self.values.get(key, "")
        return int(text) if text.isdigit() else None

    def credit_waits(self):
        return sum(self.latency.get("credit_wait", ()))


@dataclass
class View:
    when: float                 # seconds of a clock that never jumps
    connections: list
    present: bool               # the modules show them at all


def numbers(directory):
    found = {}
    for name in system.names(directory):
        words = system.read(f"{directory}/{name}").split()
        if words and all(word.isdigit() for word in words):
            found[name] = [int(word) for word in words]
    return found


def single(directory):
    return {name: words[0] for name, words in numbers(directory).items()}


def read_connection(root, name):
    """One connection, or None if it is gone."""
    directory = f"{root}/{name}"
    one = Connection(name)
    for file in system.names(directory):
        if file not in GROUPS and file not in WRITE_ONLY:
            one.values[file] = system.read(f"{directory}/{file}")
    one.counters = single(f"{directory}/counters")
    one.refusals = single(f"{directory}/refusals")
    one.latency = numbers(f"{directory}/latency")
    return one if one.side and one.counters else None


def order(name):
    side, _, number = name.rpartition("-")
    return side, int(number) if number.isdigit() else 0


def load(root=ROOT):
    found = [read_connection(root, name) for name in sorted(system.names(root), key=order)]
    return View(time.monotonic(), [one for one in found if one], system.is_directory(root))


def mounts_of(connection, mounts):
    """Mount points whose server is the peer of a client's connection."""
    if connection.side != "client":
        return []
    return [mount.directory for mount in mounts
            if endpoint(mount.server, mount.port) == connection.peer]
