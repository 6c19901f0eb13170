# SPDX-License-Identifier: GPL-2.0-only
"""Turns lines of tracefs into RPCs, with the time of each step. Only computes.

The events are described in Documentation/ABI/testing/tracefs-rpcrdma. They are joined by
the number of the connection and the XID; sunrpc's rpc_stats_latency gives the operation.
"""

import re
from dataclasses import dataclass, field

from .tables import table

LINE = re.compile(r"^\s*.+?-\d+\s+(?:\([-\d ]+\)\s+)?\[(\d+)\]\s+\S*\s*([\d.]+): (\w+): ?(.*)$")
FIELD = re.compile(r'(\w+)=("[^"]*"|\[[0-9a-f:%.]+\]:\d+|[^\s,]+)')
OPERATION = re.compile(r"xid=\S+ (\S+) (\S+) backlog=")
LOST = re.compile(r"LOST (\d+) EVENTS")

OPERATION_EVENT = "rpc_stats_latency"
FIRST_EVENTS = ("xprtrdma_register", "xprtrdma_marshal")
DONE_EVENT = "xprtrdma_complete"

HEAD = ["TIME", "XID", "OPERATION", "CALL", "CHUNKS", "MRS", "WAIT us", "PREP us", "WIRE us", "END us",
        "BYTES", "RESULT"]
RIGHT = {"MRS", "WAIT us", "PREP us", "WIRE us", "END us", "BYTES"}


@dataclass
class Event:
    when: float                 # seconds
    name: str
    fields: dict
    text: str

    def number(self, key, default=None):
        try:
            return int(self.fields[key], 0)
        except (KeyError, ValueError):
            return default

    @property
    def xid(self):
        """XIDs are hexadecimal, with or without 0x."""
        try:
            return int(self.fields.get("xid", "0"), 16)
        except ValueError:
            return 0


def parse(line):
    """An Event, or None if the line is not an event."""
    found = LINE.match(line)
    if not found:
        return None
    _, when, name, text = found.groups()
    return Event(float(when), name, {key: value.strip('"') for key, value in FIELD.findall(text)}, text)


def lost(line):
    """The number of events that the kernel has lost, if the line reports it."""
    found = LOST.search(line)
    return int(found[1]) if found else 0


@dataclass
class Rpc:
    xid: int
    connection: int
    operation: str = ""
    events: list = field(default_factory=list)

    def first(self, name):
        return next((event for event in self.events if event.name == name), None)

    def last(self, name):
        return next((event for event in reversed(self.events) if event.name == name), None)

    def between(self, begin, end):
        """Microseconds from one event to another, or None."""
        if not begin or not end or end.when < begin.when:
            return None
        return (end.when - begin.when) * 1e6

    def posts(self):
        return [event for event in self.events if event.name == "rpcrdma_post"]

    def sends(self):
        """How often the Call was sent: once, unless it was sent again."""
        return sum(event.name == "xprtrdma_marshal" for event in self.events)

    def steps(self):
        """Microseconds for credit wait, encoding, network and server, completion; None where not seen."""
        waited = self.last("xprtrdma_credit_go")
        marshal, post = self.last("xprtrdma_marshal"), self.first("rpcrdma_post")
        reply, done = self.last("xprtrdma_reply"), self.last(DONE_EVENT)
        begin = self.first("xprtrdma_register") or marshal
        return {"credit_wait": waited.number("ns", 0) / 1000 if waited else None,
                "prepare": self.between(begin, post), "wire": self.between(post, reply),
                "end": self.between(reply, done)}

    def result(self):
        done, marshal = self.last(DONE_EVENT), self.last("xprtrdma_marshal")
        failed = next((event for event in (done, marshal)
                       if event and event.number("error", event.number("status", 0))), None)
        if failed:
            return f"error {failed.number('error', failed.number('status'))}"
        if not done:
            return "unfinished"
        return "ok" if self.sends() <= 1 else f"ok, sent {self.sends()} times"

    def data(self):
        marshal, done = self.last("xprtrdma_marshal"), self.last(DONE_EVENT)
        number = marshal.number if marshal else lambda key: None
        return {"xid": f"{self.xid:08x}", "connection": self.connection, "operation": self.operation or None,
                "time": self.events[0].when, "call": marshal.fields.get("type") if marshal else None,
                "read_segments": number("reads"), "write_chunks": number("writes"),
                "reply_chunks": number("reply"), "mrs": number("mrs"), "microseconds": self.steps(),
                "reply_bytes": done.number("length") if done else None, "result": self.result()}


class Decoder:
    """Takes events in order, and returns RPCs as they end.

    connections and transports: numbers of those that are wanted, as in conn= and xprt=;
    empty for all. A connection that is made later to one of the peers is wanted too.
    """

    def __init__(self, connections=(), transports=(), peers=()):
        self.connections, self.transports, self.peers = set(connections), set(transports), set(peers)
        self.open = {}                          # (connection, xid): Rpc
        self.ended = {}                         # xid: Rpc that waits for its operation
        self.early = {}                         # xid: events before there was a connection
        self.lost = 0

    def wanted(self, event):
        number = event.number("conn")
        if number is None:
            return not self.transports or event.number("xprt") in self.transports
        if event.name == "rpcrdma_established" and event.fields.get("peer") in self.peers:
            self.connections.add(number)
        return not self.connections or number in self.connections

    def feed(self, line):
        """RPCs that this event has completed."""
        self.lost += lost(line)
        event = parse(line)
        if not event:
            return []
        if event.name == OPERATION_EVENT:
            return self.operation(event)
        if not self.wanted(event) or not event.xid:
            return []
        if event.number("conn") is None:
            self.early.setdefault(event.xid, []).append(event)
            return []
        return self.step(event)

    def step(self, event):
        """Late completions of RPCs that were returned already, and events of the peer, are dropped."""
        given = []
        key = (event.number("conn"), event.xid)
        rpc = self.open.get(key)
        if rpc is None and event.name in FIRST_EVENTS:
            rpc = self.open[key] = Rpc(event.xid, key[0], events=self.early.pop(event.xid, []))
        if rpc is None:
            waits = self.ended.get(event.xid)
            rpc = waits if waits and waits.connection == key[0] else None
        if rpc is None:
            return given
        rpc.events.append(event)
        if event.name == DONE_EVENT and self.open.pop(key, None):
            given = [self.ended.pop(event.xid)] if event.xid in self.ended else []
            self.ended[event.xid] = rpc
        return given

    def operation(self, event):
        rpc = self.ended.pop(event.xid, None)
        if rpc is None:
            return []
        found = OPERATION.search(event.text)
        rpc.operation = found[2] if found else ""
        return [rpc]

    def rest(self):
        """RPCs without an end, or without an operation."""
        left = sorted([*self.open.values(), *self.ended.values()], key=lambda rpc: rpc.events[0].when)
        self.open, self.ended = {}, {}
        return left


def chunks(marshal):
    """"2R 1W" for two Read segments and a Write chunk; P is a Reply chunk."""
    if not marshal:
        return "-"
    parts = [f"{marshal.number(key)}{letter}" for key, letter in (("reads", "R"), ("writes", "W"), ("reply", "P"))
             if marshal.number(key)]
    return " ".join(parts) or "none"


def cell(value):
    return "-" if value is None else f"{value:.0f}"


def row(rpc):
    marshal, done, steps = rpc.last("xprtrdma_marshal"), rpc.last(DONE_EVENT), rpc.steps()
    return [f"{rpc.events[0].when:.6f}", f"{rpc.xid:08x}", rpc.operation or "-",
            marshal.fields.get("type", "-") if marshal else "-", chunks(marshal),
            marshal.fields.get("mrs", "-") if marshal else "-",
            *(cell(steps[name]) for name in ("credit_wait", "prepare", "wire", "end")),
            done.fields.get("length", "-") if done else "-", rpc.result()]


def lines(rpcs, with_events=False):
    """A table; on request with the events below each RPC."""
    if not rpcs:
        return ["no RPC was seen"]
    text = list(table(HEAD, [row(rpc) for rpc in rpcs], RIGHT))
    if not with_events:
        return text
    found = text[:1]
    for rpc, line in zip(rpcs, text[1:]):
        begin = rpc.events[0].when
        found += [line] + [f"    +{(event.when - begin) * 1e6:.0f} us {event.name} {event.text}"
                           for event in rpc.events]
    return found
