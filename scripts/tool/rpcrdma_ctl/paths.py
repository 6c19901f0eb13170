# SPDX-License-Identifier: GPL-2.0-only
"""rpcrdmactl path: the transports of a mount, each with its own path to the server."""

import os
from dataclasses import dataclass

from . import system
from .failure import Failure
from .tables import table
from .views import mounts_of

SWITCHES = "/sys/kernel/sunrpc/xprt-switches"
HEAD = ["NAME", "MOUNT", "SERVER", "OVER", "DEVICE", "STATE", "SUNRPC", "RPCS", "SHARE"]
RIGHT = {"RPCS", "SHARE"}
# What is written to a transport's xprt_state, in this order
ACTIONS = {"drain": ("offline",), "resume": ("online",), "remove": ("offline", "remove")}
DONE = {"drain": "gets no new RPCs", "resume": "gets RPCs again", "remove": "is removed"}


@dataclass
class Path:
    connection: object      # of views.py
    switch: str             # name of sunrpc's group of transports, "" if sunrpc shows none
    directory: str          # of the transport in sunrpc's sysfs
    state: set              # words of its xprt_state
    main: bool              # the first transport of its group, which stays

    @property
    def over(self):
        """The address that it is connected to: another one's while its own path does not work."""
        return self.connection.values.get("path_address", "")

    @property
    def away(self):
        return bool(self.over) and self.over != self.connection.values.get("peer_address")

    @property
    def rpcs(self):
        counters = self.connection.counters
        return counters.get("calls_inline", 0) + counters.get("calls_long", 0)


def transports(root):
    """{number of a transport: (switch, directory)}"""
    found = {}
    for switch in system.names(root):
        for name in system.names(f"{root}/{switch}"):
            number = name.removeprefix("xprt-").removesuffix("-rdma")
            if name.startswith("xprt-") and name.endswith("-rdma") and number.isdigit():
                found[int(number)] = (switch, f"{root}/{switch}/{name}")
    return found


def is_main(directory):
    return "main_xprt=1" in system.read(f"{directory}/xprt_info").split()


def of_clients(connections, root=SWITCHES):
    """Of all clients' connections, in the order of their groups"""
    known = transports(root)
    ordered = []
    for one in connections:
        if one.side != "client":
            continue
        switch, directory = known.get(one.number("sunrpc_xprt"), ("", ""))
        state = system.read(f"{directory}/xprt_state").removeprefix("state=") if directory else ""
        ordered.append(Path(one, switch, directory, set(state.split()), bool(directory) and is_main(directory)))
    return sorted(ordered, key=lambda path: (len(path.switch), path.switch))


def sunrpc_state(path):
    if not path.directory:
        return "-"
    words = (("drained", "OFFLINE" in path.state), ("main", path.main))
    return " ".join(word for word, shown in words if shown) or "-"


def share(path, all_paths):
    total = sum(one.rpcs for one in all_paths if one.switch == path.switch)
    return f"{100 * path.rpcs / total:.0f}%" if total and path.switch else "-"


def directories(path, all_paths, mounts):
    """Mounts of its group: all its transports serve them, whatever address each mount named."""
    return sorted({directory for one in all_paths if one is path or (path.switch and one.switch == path.switch)
                   for directory in mounts_of(one.connection, mounts)})


def row(path, all_paths, mounts):
    one = path.connection
    device = f"{one.values.get('device')}/{one.values.get('device_port')}" if one.values.get("device") else "-"
    return [one.name, " ".join(directories(path, all_paths, mounts)) or "-", one.peer,
            path.over if path.away else "-", device, one.values.get("state", "-"), sunrpc_state(path), path.rpcs,
            share(path, all_paths)]


def lines(found, mounts):
    if not found:
        return ["no mount over RDMA has a transport"]
    return list(table(HEAD, [row(one, found, mounts) for one in found], RIGHT))


def data(found, mounts):
    """For --json"""
    return {"version": 1, "command": "path",
            "paths": [{"name": one.connection.name, "switch": one.switch or None,
                       "mounts": directories(one, found, mounts), "server": one.connection.peer,
                       "path_address": one.over or None, "away": one.away,
                       "device": one.connection.values.get("device") or None,
                       "state": one.connection.values.get("state") or None, "drained": "OFFLINE" in one.state,
                       "main": one.main, "rpcs": one.rpcs,
                       "failovers": one.connection.counters.get("failovers", 0)} for one in found]}


def named(name, found):
    path = next((one for one in found if one.connection.name == name), None)
    if not path:
        raise Failure(f"no connection of a mount is called {name}")
    if not path.directory:
        raise Failure(f"sunrpc does not show the transport of {name} in {SWITCHES}, so it cannot be changed")
    return path


def act(action, name, found):
    """Does it, and returns what has been done."""
    path = named(name, found)
    if path.main:
        raise Failure(f"{name} is the first transport of its mount, which sunrpc neither drains nor removes")
    for word in ACTIONS[action]:
        write(f"{path.directory}/xprt_state", word)
    return f"{name} {DONE[action]}"


def add(name, address, found):
    """One more transport for the mount of a connection, to another address of the same server."""
    path = named(name, found)
    group = os.path.dirname(path.directory)
    if "add_xprt" not in system.names(group):
        raise Failure("the sunrpc of this kernel adds no transport to a mount; mount the server once more, over "
                      f"{address}, with max_connect=")
    before = set(system.names(group))
    write(f"{group}/add_xprt", "1")
    new = sorted(set(system.names(group)) - before)
    if len(new) != 1:
        raise Failure(f"sunrpc has added {len(new)} transports, not one")
    write(f"{group}/{new[0]}/dstaddr", address)
    return f"{name}: its mount has one more transport, to {address}"


def write(file, word):
    try:
        with open(file, "w", encoding="ascii") as out:
            out.write(word)
    except OSError as error:
        transport = os.path.basename(os.path.dirname(file))
        raise Failure(f"{transport}: sunrpc refuses {word}: {error.strerror}") from error
