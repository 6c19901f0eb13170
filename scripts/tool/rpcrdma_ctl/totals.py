# SPDX-License-Identifier: GPL-2.0-only
"""Sums over connections that never decrease, although connections end. Only computes.

A connection takes its counters with it. If the sum of the others were shown, Prometheus
would take the decrease for a restart, and count all of it again. So the last values of a
connection that is gone stay in the sum of its group.

A group is a side and the address of an NFS server: on a client the server of the mount, on
a server the own address that clients use. There are at most so many groups, whatever the
number of clients; beyond that, the address is "other".
"""

from dataclasses import asdict, dataclass, field

from .names import GAUGES
from .views import endpoint

GROUPS, OTHER = 100, "other"


def server_of(connection):
    """The address of the NFS server, "" while a server's connection has none."""
    if connection.side == "client":
        return connection.peer
    return endpoint(connection.values.get("source_address", ""), connection.values.get("source_port", ""))


@dataclass
class Sum:
    """What a group, or a single connection, has counted, and what it has now."""
    counters: dict = field(default_factory=dict)
    refusals: dict = field(default_factory=dict)
    latency: dict = field(default_factory=dict)
    gauges: dict = field(default_factory=dict)
    states: dict = field(default_factory=dict)      # state: connections in it

    def count(self, one, sign=1):
        """Adds the counters of a connection, or of a sum."""
        add(self.counters, one.counters, sign)
        add(self.refusals, one.refusals, sign)
        add_buckets(self.latency, one.latency, sign)

    def change(self, old, new):
        """new counts instead of old. What is the same object has not changed."""
        for add_, total, before, after in ((add, self.counters, old.counters, new.counters),
                                           (add, self.refusals, old.refusals, new.refusals),
                                           (add_buckets, self.latency, old.latency, new.latency)):
            if after is not before:
                add_(total, before, -1)
                add_(total, after)

    def hold(self, connection):
        """Adds what a connection has now."""
        values = connection.values
        for name in GAUGES:
            text = values.get(name, "")
            if text.isdigit():
                self.gauges[name] = self.gauges.get(name, 0) + int(text)
        add(self.states, {values.get("state", "none"): 1})


def add(total, more, sign=1):
    get = total.get
    for name, number in more.items():
        total[name] = get(name, 0) + sign * number


def add_buckets(total, more, sign=1):
    for name, buckets in more.items():
        old = total.get(name) or [0] * len(buckets)
        total[name] = [a + sign * b for a, b in zip(old, buckets)]


@dataclass
class Seen:
    """The last look at a connection"""
    group: tuple
    peer: str
    last: Sum


def ended(seen):
    """A connection without a directory is closed, whether its last reading says so or not."""
    counters = dict(seen.last.counters)
    if "closes" in counters:
        counters["closes"] = max(counters["closes"], counters.get("connects", 0))
    return Sum(counters, seen.last.refusals, seen.last.latency)


def restarted(old, connection):
    """The directory is of another connection: the module was loaded again."""
    before, now = old.last.counters, connection.counters
    return old.peer != connection.peer or \
        before is not now and any(now.get(name, number) < number for name, number in before.items())


def checked(one):
    """The same Sum, if numbers are all that it has."""
    for values in vars(one).values():
        for value in values.values():
            numbers = value if isinstance(value, list) else [value]
            if not all(isinstance(number, int) for number in numbers):
                raise ValueError(f"{value!r} instead of a number")
    return one


class Totals:
    """from_now: sums begin at 0, as Prometheus takes it for granted when a counter has decreased."""

    def __init__(self, from_now=False):
        self.seen = {}      # name of a connection: Seen
        self.gone = {}      # group: Sum of the connections that are gone
        self.live = {}      # group: Sum of those that are seen
        self.from_now = from_now
        self.first = {}     # name: what it had counted at first, None: not known; of those that could not be counted

    def group(self, connection):
        """None if it is not known."""
        server = server_of(connection)
        if not server:
            return None
        group = (connection.side, server)
        return group if group in self.gone or len(self.gone) < GROUPS else (connection.side, OTHER)

    def update(self, connections, unread=()):
        """{group: Sum}, with what has ended since the last call and before.

        unread: names of connections that are there, but could not be read now; their last values stay.
        """
        now = {}
        for one in connections:
            seen = self.look(one)
            if seen:
                now[one.name] = seen
        for name in set(self.seen) - set(now):
            if name in unread:
                now[name] = self.seen[name]
            else:
                self.end(name)
        self.seen = now
        self.wait(connections, unread)
        return self.sums(connections)

    def look(self, one):
        """Counts a connection, if its group is known; returns its Seen."""
        old = self.seen.get(one.name)
        if old and restarted(old, one):
            self.end(one.name)
            old = None
        group = old.group if old else self.group(one)
        if not group:
            return None
        last = Sum(one.counters, one.refusals, one.latency)
        gone, live = self.gone.setdefault(group, Sum()), self.live.setdefault(group, Sum())
        if not old and (self.from_now or one.name in self.first):
            gone.count(self.first.get(one.name) or one, -1)
        live.change(old.last if old else Sum(), last)
        return Seen(group, one.peer, last)

    def end(self, name):
        old = self.seen.pop(name)
        self.live[old.group].count(old.last, -1)
        self.gone[old.group].count(ended(old))

    def wait(self, connections, unread):
        """What the first reading could not count has a past, too, which is not to be counted later."""
        there = {one.name: one for one in connections}
        if self.from_now:
            self.first = {**there, **dict.fromkeys(unread)}
        self.first = {name: one for name, one in self.first.items()
                      if name not in self.seen and (name in there or name in unread)}
        self.from_now = False

    def sums(self, connections):
        found = {}
        for group, sum_ in self.gone.items():
            found[group] = Sum()
            found[group].count(sum_)
            found[group].count(self.live[group])
        for one in connections:
            if one.name in self.seen:
                found[self.seen[one.name].group].hold(one)
        return found

    def data(self):
        """All of it as JSON can have it"""
        return {"seen": {name: {"group": one.group, "peer": one.peer, "last": asdict(one.last)}
                         for name, one in self.seen.items()},
                "gone": [[*group, asdict(sum_)] for group, sum_ in self.gone.items()]}

    @classmethod
    def from_data(cls, data):
        """ValueError, KeyError, TypeError or AttributeError if it is not from data()."""
        self = cls()
        self.gone = {(side, server): checked(Sum(**sum_)) for side, server, sum_ in data["gone"]}
        self.seen = {name: Seen(tuple(one["group"]), one["peer"], checked(Sum(**one["last"])))
                     for name, one in data["seen"].items()}
        if any(one.group not in self.gone for one in self.seen.values()):
            raise ValueError("a connection of no group")
        self.live = {group: Sum() for group in self.gone}
        for one in self.seen.values():
            self.live[one.group].count(one.last)
        return self
