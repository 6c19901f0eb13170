# SPDX-License-Identifier: GPL-2.0-only
"""Connections as the modules show them in sysfs (Documentation/ABI/testing/sysfs-kernel-rpcrdma)."""

import time
from dataclasses import dataclass, field

from . import system
from .failure import Failure

ROOT = "/sys/kernel/rpcrdma/connections"
GROUPS = ("counters", "refusals", "latency")
NO_VALUES = (*GROUPS, "disconnect")     # which is write-only


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

    @property
    def idle(self):
        """A client closed it, since it had nothing to send, and has nothing yet."""
        return (self.values.get("last_error_reason") == "closed by this end" and not self.number("last_error")
                and not self.number("requests_waiting"))

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
    unread: list = field(default_factory=list)  # names of connections that are there, but could not be read


def numbers(file):
    """{name: [numbers]} of a file with lines of a name and numbers."""
    found = {}
    for line in system.read(file).splitlines():
        name, *words = line.split()
        if words and all(map(str.isdigit, words)):
            found[name] = list(map(int, words))
    return found


def single(file):
    return {name: words[0] for name, words in numbers(file).items()}


def read_connection(root, name, skip_refusals=False):
    """One connection, or None if it is gone."""
    directory = f"{root}/{name}"
    if system.is_directory(f"{directory}/counters"):
        raise Failure("the modules that are loaded are older than this program, which cannot show their connections")
    one = Connection(name, system.read_all(directory, NO_VALUES))
    one.counters = single(f"{directory}/counters")
    # Without a last refusal there is none.
    if one.values.get("last_refusal") or not skip_refusals:
        one.refusals = single(f"{directory}/refusals")
    one.latency = numbers(f"{directory}/latency")
    return one if one.side and one.counters else None


def order(name):
    side, _, number = name.rpartition("-")
    return side, int(number) if number.isdigit() else 0


def load(root=ROOT, skip_refusals=False):
    """skip_refusals: read them only where there are some."""
    found = {name: read_connection(root, name, skip_refusals) for name in sorted(system.names(root), key=order)}
    return View(time.monotonic(), [one for one in found.values() if one], system.is_directory(root),
                [name for name, one in found.items() if not one and system.is_directory(f"{root}/{name}")])


def reasons(root, connections):
    """The names of refusals"""
    return list(single(f"{root}/{connections[0].name}/refusals")) if connections else []


def mounts_of(connection, mounts):
    """Mount points whose server is the peer of a client's connection."""
    if connection.side != "client":
        return []
    return [mount.directory for mount in mounts
            if endpoint(mount.server, mount.port) == connection.peer]
