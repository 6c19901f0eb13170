# SPDX-License-Identifier: GPL-2.0-only
"""rpcrdmactl status. Only computes."""

from .names import BUCKETS, upper_bound
from .tables import duration, pair, table
from .views import mounts_of

HEAD = ["NAME", "PEER", "DEVICE", "VER", "STATE", "AGE", "TOS", "INLINE", "CREDITS", "CALLS", "WAIT",
        "SENDQ", "MRS", "LAST ERROR"]
RIGHT = {"VER", "AGE", "TOS", "INLINE", "CREDITS", "CALLS", "WAIT", "SENDQ", "MRS"}


def last_error(connection):
    reason = connection.values.get("last_error_reason", "")
    if not reason:
        return "-"
    return f"{reason}, {duration(connection.number('last_error_age_seconds'))} ago"


def row(connection):
    value, number = connection.values.get, connection.number
    device = f"{value('device')}/{value('device_port')}" if value("device") else "-"
    return [connection.name, connection.peer, device, value("version") or "-", value("state", "-"),
            duration(number("age_seconds")), value("tos") or "-",
            pair(number("inline_send"), number("inline_receive")),
            pair(number("credits_granted"), number("credits_asked")),
            "-" if number("requests_in_flight") is None else number("requests_in_flight"),
            "-" if number("requests_waiting") is None else number("requests_waiting"),
            pair(number("send_queue_used"), number("send_queue_depth")),
            pair(number("mrs_used"), number("mrs")), last_error(connection)]


def lines(connections):
    if not connections:
        return ["no connections"]
    return list(table(HEAD, [row(one) for one in connections], RIGHT))


def long_lines(connection, mounts):
    """All values of one connection, one on each line, without counters that are 0."""
    yield connection.name
    for directory in mounts_of(connection, mounts):
        yield f"  mount: {directory}"
    for key, text in sorted(connection.values.items()):
        if text and key != "side":
            yield f"  {key}: {text}"
    for title, numbers in (("counters", connection.counters), ("refusals", connection.refusals)):
        for key, number in sorted(numbers.items()):
            if number:
                yield f"  {title}/{key}: {number}"
    for key, buckets in sorted(connection.latency.items()):
        if any(buckets):
            yield f"  latency/{key}: {sum(buckets)} times, half below {bound(buckets, 0.5)}, " \
                  f"99 of 100 below {bound(buckets, 0.99)}"


def quantile(buckets, share):
    """The percentile in nanoseconds, as a power of two; None without samples."""
    wanted, seen = sum(buckets) * share, 0
    for index, count in enumerate(buckets):
        seen += count
        if count and seen >= wanted:
            return upper_bound(index)
    return None


def bound(buckets, share):
    nanoseconds = quantile(buckets, share)
    if nanoseconds is None:
        return "-"
    if nanoseconds < 10**6:
        return f"{nanoseconds / 1000:.1f} us"
    return f"{nanoseconds / 10**6:.1f} ms"


def bound_text(index):
    """The upper bound of a bucket in at most seven characters; the last one has none."""
    if index == BUCKETS - 1:
        return "> 17 s"
    nanoseconds = upper_bound(index)
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if nanoseconds >= size:
            value = nanoseconds / size
            return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"
    return f"{nanoseconds} ns"


def data(connection, mounts):
    """For --json. Numbers are numbers, unknown values are null."""
    values = {key: int(text) if text.isdigit() else text or None
              for key, text in connection.values.items()}
    return {"name": connection.name, **values, "mounts": mounts_of(connection, mounts),
            "counters": connection.counters, "refusals": connection.refusals, "latency": connection.latency}
