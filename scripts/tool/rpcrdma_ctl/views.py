# SPDX-License-Identifier: GPL-2.0-only
"""Connections as the modules show them in sysfs (Documentation/ABI/testing/sysfs-kernel-rpcrdma)."""

import os
import time
from dataclasses import dataclass, field

from . import system
from .failure import Failure
from .names import GAUGES

ROOT = "/sys/kernel/rpcrdma/connections"
GROUPS = ("counters", "refusals", "latency")
NO_VALUES = (*GROUPS, "disconnect")     # which is write-only
# What sums need beside the groups
ADDRESSES = ("side", "peer_address", "peer_port", "source_address", "source_port")
SUMMED = ("state", *GAUGES)


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


def numbers(text):
    """{name: [numbers]} of lines of a name and numbers"""
    found = {}
    for line in text.splitlines():
        name, *words = line.split()
        if words and all(map(str.isdigit, words)):
            found[name] = list(map(int, words))
    return found


def single(text):
    return {name: words[0] for name, words in numbers(text).items()}


PARSERS = {"counters": single, "refusals": single, "latency": numbers}


def parsed(group, content):
    return PARSERS[group](content.decode(errors="replace"))


def whole(one):
    return one if one.side and one.counters else None


def attempt(root, name, read):
    """What read makes of the directory of a connection; None if it is gone, or goes meanwhile."""
    try:
        with system.opened(f"{root}/{name}") as directory:
            return read(directory, name)
    except IsADirectoryError:
        raise Failure("the modules that are loaded are older than this program, "
                      "which cannot show their connections") from None
    except OSError:
        return None


def read_connection(directory, name):
    values = {file: system.read_at(directory, file) for file in os.listdir(directory) if file not in NO_VALUES}
    return whole(Connection(name, values, *(parsed(group, system.content(directory, group)) for group in GROUPS)))


def order(name):
    side, _, number = name.rpartition("-")
    return side, int(number) if number.isdigit() else 0


def view(root, read):
    found = {name: attempt(root, name, read) for name in sorted(system.names(root), key=order)}
    return View(time.monotonic(), [one for one in found.values() if one], system.is_directory(root),
                [name for name, one in found.items() if not one and system.is_directory(f"{root}/{name}")])


def load(root=ROOT):
    return view(root, read_connection)


@dataclass
class Last:
    """What Reader keeps of a connection"""
    inode: int          # of its directory
    contents: dict      # group: bytes
    connection: Connection


class Reader:
    """Reads the connections again and again, for sums: only the files that they need.

    The addresses stay as long as the directory is there: a number is not used again before the
    module is loaded again, and a new directory has another inode. A group whose content is the same
    is the same object as in the last view, so that it need not be summed again.
    """

    def __init__(self, root=ROOT):
        self.root, self.last = root, {}

    def load(self):
        found = view(self.root, self.read)
        self.last = {one.name: self.last[one.name] for one in found.connections}
        return found

    def read(self, directory, name):
        inode, last = os.fstat(directory).st_ino, self.last.get(name)
        if last and last.inode != inode:
            last = None
        values = addresses(directory, last and last.connection)
        for file in SUMMED:
            values[file] = system.read_at(directory, file)
        contents = {group: system.content(directory, group) for group in ("counters", "latency")}
        # Without a last refusal there is none.
        refused = system.text_at(directory, "last_refusal")
        contents["refusals"] = system.content(directory, "refusals") if refused else b""
        groups = {group: getattr(last.connection, group) if last and last.contents[group] == content
                  else parsed(group, content) for group, content in contents.items()}
        one = Connection(name, values, **groups)
        self.last[name] = Last(inode, contents, one)
        return whole(one)


def addresses(directory, last):
    """A server's connection has its own address a moment after its directory."""
    if last and last.peer and (last.source or last.side == "client"):
        return {file: last.values[file] for file in ADDRESSES}
    return {file: system.text_at(directory, file) for file in ADDRESSES}


def reasons(root, connections):
    """The names of refusals"""
    return list(single(system.read(f"{root}/{connections[0].name}/refusals"))) if connections else []


def mounts_of(connection, mounts):
    """Mount points whose server is the peer of a client's connection."""
    if connection.side != "client":
        return []
    return [mount.directory for mount in mounts
            if endpoint(mount.server, mount.port) == connection.peer]


def loaded():
    """The view of the connections, if there can be one"""
    view = load()
    if not view.present:
        raise Failure(f"{ROOT} is not there: the modules are not loaded, or are older than this program "
                      "(rpcrdmactl doctor says more)")
    return view
