# SPDX-License-Identifier: GPL-2.0-only
"""What rpcrdmactl top and report remember of the last intervals. Only computes."""

from collections import deque

from . import rates
from .names import HISTOGRAMS

KEEP = 240      # intervals
SHOWN = ("calls", "bytes_to_client", "bytes_to_server")


def add_buckets(total, more):
    return [a + b for a, b in zip(total, more)] if total else list(more)


class History:
    """rates: {connection: {of SHOWN: values}}, with None for an interval in which it did not exist.

    heat: {histogram: [buckets of an interval]}, of all connections together.
    """

    def __init__(self, keep=KEEP):
        self.keep, self.length = keep, 0
        self.rates = {}
        self.total = {key: deque(maxlen=keep) for key in SHOWN}
        self.heat = {name: deque(maxlen=keep) for name in HISTOGRAMS}
        self.seconds = deque(maxlen=keep)

    def of(self, name):
        """The values of a connection, which has none from before its first interval."""
        if name not in self.rates:
            self.rates[name] = {key: deque([None] * self.length, maxlen=self.keep) for key in SHOWN}
        return self.rates[name]

    def add(self, before, after):
        """Takes two readings; returns rates.compare() of them."""
        pairs, new = rates.compare(before, after), rates.histograms(before, after)
        now = {connection.name: found for connection, found in pairs}
        for name in set(self.rates) - set(now):
            del self.rates[name]
        for name, found in now.items():
            values = self.of(name)
            for key in SHOWN:
                values[key].append(found[key])
        for key in SHOWN:
            self.total[key].append(sum(found[key] for found in now.values()))
        for name in HISTOGRAMS:
            total = []
            for one in new.values():
                total = add_buckets(total, one.get(name, []))
            self.heat[name].append(total)
        self.seconds.append(after.when - before.when)
        self.length = min(self.length + 1, self.keep)
        return pairs
