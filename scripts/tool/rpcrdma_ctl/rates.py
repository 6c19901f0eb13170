# SPDX-License-Identifier: GPL-2.0-only
"""The rates that rpcrdmactl top shows, from two readings of the counters. Only computes."""

from .status import quantile
from .tables import microseconds, pair, rate, table

HEAD = ["NAME", "PEER", "CALL/s", "TOCLI MB/s", "TOSRV MB/s", "POST/s", "REG/s", "INV/s", "CALLS", "CREDITS",
        "CRWAIT/s", "SQWAIT/s", "ERR/s", "P50us", "P99us"]
RIGHT = set(HEAD) - {"NAME", "PEER"}

# Column: the counters whose sum it shows, per second.
SUMS = {
    "calls": ("calls_inline", "calls_long"),
    "bytes_to_client": ("write_bytes", "reply_bytes"),
    "bytes_to_server": ("read_bytes",),
    "posts": ("post_sends",),
    "registrations": ("registrations",),
    "invalidations": ("local_invalidations", "remote_invalidations"),
    "send_queue_waits": ("send_queue_waits",),
    "errors": ("rdma_errors_sent", "rdma_errors_received", "messages_dropped"),
}


def grown(before, after):
    """Counters never decrease; a new one counts from 0."""
    return {name: max(0, value - before.get(name, 0)) for name, value in after.items()}


def histogram(before, after, name):
    """The new samples of a histogram; a new histogram counts from 0."""
    old, new = before.latency.get(name, []), after.latency.get(name, [])
    old = old or [0] * len(new)
    return [max(0, after_ - before_) for before_, after_ in zip(old, new)]


def rates(before, after, seconds):
    """Two readings of one connection: rates per second, and percentiles in nanoseconds."""
    counters = grown(before.counters, after.counters)
    found = {name: sum(counters.get(counter, 0) for counter in wanted) / seconds
             for name, wanted in SUMS.items()}
    found["errors"] += sum(grown(before.refusals, after.refusals).values()) / seconds
    found["credit_waits"] = sum(histogram(before, after, "credit_wait")) / seconds
    took = histogram(before, after, "post_to_completion")
    found["post_to_completion_p50_ns"] = quantile(took, 0.5)
    found["post_to_completion_p99_ns"] = quantile(took, 0.99)
    return found


EMPTY = type("Nothing", (), {"counters": {}, "refusals": {}, "latency": {}})


def matched(before, after):
    """[(earlier reading, later reading)] of all connections of the later one; a new one counts from 0."""
    old = {one.name: one for one in before.connections}
    return [(old.get(one.name, EMPTY), one) for one in after.connections]


def compare(before, after):
    """[(connection, its rates)] for all in both readings, and for new ones."""
    seconds = max(after.when - before.when, 1e-3)
    return [(one, rates(old, one, seconds)) for old, one in matched(before, after)]


def histograms(before, after):
    """{connection: {histogram: its new samples}}"""
    return {one.name: {name: histogram(old, one, name) for name in one.latency}
            for old, one in matched(before, after)}


def row(connection, found):
    number = connection.number
    in_flight = number("requests_in_flight")
    return [connection.name, connection.peer, rate(found["calls"]),
            rate(found["bytes_to_client"] / 10**6), rate(found["bytes_to_server"] / 10**6),
            rate(found["posts"]), rate(found["registrations"]), rate(found["invalidations"]),
            "-" if in_flight is None else in_flight,
            pair(number("credits_granted"), number("credits_asked")),
            rate(found["credit_waits"]), rate(found["send_queue_waits"]), rate(found["errors"]),
            microseconds(found["post_to_completion_p50_ns"]),
            microseconds(found["post_to_completion_p99_ns"])]


def busiest_first(pairs):
    return sorted(pairs, key=lambda pair_: -pair_[1]["calls"])


def lines(pairs):
    if not pairs:
        return ["no connections"]
    return list(table(HEAD, [row(*one) for one in busiest_first(pairs)], RIGHT))


def data(connection, found):
    return {"name": connection.name, "side": connection.side, "peer": connection.peer,
            "requests_in_flight": connection.number("requests_in_flight"),
            "credits_granted": connection.number("credits_granted"),
            "credits_asked": connection.number("credits_asked"),
            "per_second": {name: round(value, 3) for name, value in found.items()
                           if not name.endswith("_ns")},
            **{name: value for name, value in found.items() if name.endswith("_ns")}}
