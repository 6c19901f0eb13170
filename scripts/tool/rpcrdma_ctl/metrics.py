# SPDX-License-Identifier: GPL-2.0-only
"""The metrics: names, units, help. Only computes.

A metric of connections has the name of its file, or of its line in a file, in sysfs with
"rpcrdma_" in front and the usual suffix, so that Documentation/ABI/testing/sysfs-kernel-rpcrdma
explains it. Those of the whole machine, in all network namespaces, have names of their own:
rpcrdma_connection_ends is from {client,server}_closes there, rpcrdma_read_pages and
rpcrdma_read_pages_recycled are from /proc/sys/sunrpc/svc_rdma.
"""

from dataclasses import dataclass, field

from .mountstats import MountStats
from .names import BUCKETS, GAUGES, HISTOGRAMS, upper_bound
from .openmetrics import Family
from .totals import OTHER, Sum, add, server_of
from .views import endpoint

COUNTERS = {
    "connects": "Connections established",
    "closes": "Connections that ended, and attempts to connect that failed",
    "sends": "Sends",
    "sends_with_invalidate": "Sends that invalidate a handle",
    "receives": "Messages received",
    "post_sends": "WR chains posted (doorbells)",
    "completions": "Completions of the send queue",
    "keepalives": "Checks whether a silent peer is alive",
    "send_queue_waits": "Waits for send queue slots",
    "calls_inline": "Calls in an RDMA_MSG",
    "calls_long": "Calls in an RDMA_NOMSG",
    "replies_inline": "Replies in an RDMA_MSG",
    "replies_long": "Replies in a Reply chunk",
    "read_chunks": "Read chunks",
    "read_bytes": "Bytes in Read chunks",
    "write_chunks": "Write chunks",
    "write_bytes": "Bytes in Write chunks",
    "reply_chunks": "Reply chunks",
    "reply_bytes": "Bytes in Reply chunks",
    "registrations": "Memory regions registered",
    "local_invalidations": "Memory regions invalidated by this end",
    "remote_invalidations": "Memory regions invalidated by the peer",
    "mrs_recycled": "Memory regions returned for reuse",
    "mrs_allocated": "Memory regions allocated",
    "mr_shortages": "Calls that found no memory region, and stopped those behind them",
    "mr_waits": "Calls that waited for memory regions by themselves",
    "pullup_bytes": "Bytes of payload copied before sending",
    "fixup_bytes": "Bytes of payload copied after receipt",
    "rdma_errors_sent": "RDMA_ERROR messages sent",
    "rdma_errors_received": "RDMA_ERROR messages received",
    "messages_dropped": "Messages dropped",
    "replies_inexact": "Replies accepted although unused chunks or segments were missing or added",
    "reverse_calls": "Callbacks",
    "reverse_replies": "Replies to callbacks",
    "version_fallbacks": "Version 1 after version 2 was refused",
    "version_timeouts": "Opening Calls without an answer",
    "calls_rebuilt": "Calls sent again with other chunks",
    "read_memory_waits": "Calls that waited for svcrdma.read_memory",
    "transfer_timeouts": "Connections closed since RDMA Reads or Writes made no progress",
    "failovers": "Connections over the path of another transport, since the own one did not work",
    "busy_polls": "Times that a task polled before it would sleep",
    "busy_poll_hits": "Busy polls that found what they waited for",
    "turns_skipped": "Turns with an nfsd thread skipped in favour of a client with fewer waiting connections",
}
PAGES = {
    "read_pages": "Pages that RDMA Reads of Calls have needed",
    "read_pages_recycled": "Those that page recycling had, so that they were not allocated",
}
BOUNDS = tuple(upper_bound(bucket) / 1e9 for bucket in range(BUCKETS - 1))
STATES = ("none", "new", "resolving", "resolved", "connecting", "established", "closing", "closed")
MOUNTS = 100        # that have series of their own
MOUNT_BYTES = {"normal_read": "read(2)", "normal_write": "write(2)", "direct_read": "read(2) with O_DIRECT",
               "direct_write": "write(2) with O_DIRECT", "server_read": "READ", "server_write": "WRITE"}
OPERATION_COUNTS = {"operations": "Operations", "transmissions": "Transmissions of operations, so also repeated ones",
                    "timeouts": "Major timeouts of operations", "sent_bytes": "Bytes sent, with RPC headers",
                    "received_bytes": "Bytes received, with RPC headers",
                    "errors": "Operations that ended with an error, also with such as ENOENT"}
OPERATION_TIMES = {"queue": "before they were sent", "rtt": "from sending to the Reply",
                   "execute": "from begin to end"}


@dataclass
class Sample:
    """All that the metrics show, as sample.py reads it."""
    sums: dict = field(default_factory=dict)            # group: Sum, of totals.py
    connections: list = None    # of views.py; only if they are to have series of their own
    reasons: list = field(default_factory=list)         # names of refusals
    modules: list = field(default_factory=list)         # {module, version, srcversion}
    budget: dict = field(default_factory=dict)          # name: bytes
    closes: dict = field(default_factory=dict)          # side: {cause: number}
    pages: dict = field(default_factory=dict)           # name: pages
    mounts: list = field(default_factory=list)          # of mountstats.py
    findings: set = field(default_factory=set)          # (name, severity)
    looked: float = 0           # when doctor looked, seconds since 1970; 0: it has not
    when: float = 0             # when all of this was read
    took: float = 0             # seconds


def unit_of(name):
    return "bytes" if name.endswith("_bytes") else ""


def counter(name, text):
    return Family(f"rpcrdma_{name}", "counter", text, unit_of(name))


def gauge(name, text, unit=""):
    return Family(f"rpcrdma_{name}", "gauge", text, unit)


def group_labels(group):
    return {"side": group[0], "server": group[1]}


def single(connection):
    one = Sum(counters=connection.counters)
    one.hold(connection)
    return one


def rows(sample):
    """[(labels, Sum)] for counters and values: of the groups, or of each connection."""
    if sample.connections is None:
        return [(group_labels(group), sum_) for group, sum_ in sample.sums.items()]
    return [({"side": one.side, "server": server_of(one), "connection": one.name, "peer": one.peer}, single(one))
            for one in sample.connections]


def numbers(sample):
    wanted = rows(sample)
    for name, text in COUNTERS.items():
        family = counter(name, text)
        family.samples = [(labels, sum_.counters[name]) for labels, sum_ in wanted if name in sum_.counters]
        yield family
    for name, text in GAUGES.items():
        family = gauge(name, text)
        family.samples = [(labels, sum_.gauges.get(name, 0)) for labels, sum_ in wanted]
        yield family


def groups(sample):
    """What is always summed"""
    states = gauge("connections", "Connections in each state")
    refusals = counter("refusals", "Messages refused, for each reason")
    latencies = {name: Family(f"rpcrdma_{name}_seconds", "histogram", text, "seconds", bounds=BOUNDS)
                 for name, (_, text) in HISTOGRAMS.items()}
    for group, sum_ in sample.sums.items():
        labels = group_labels(group)
        for state in STATES:
            states.add({**labels, "state": state}, sum_.states.get(state, 0))
        for reason in sorted({*sample.reasons, *sum_.refusals}):
            refusals.add({**labels, "reason": reason}, sum_.refusals.get(reason, 0))
        for name, buckets in sum_.latency.items():
            if name in latencies and len(buckets) == BUCKETS:
                latencies[name].add(labels, buckets)
    return [states, refusals, *latencies.values()]


def machine(sample):
    modules = Family("rpcrdma_module", "info", "Modules that are loaded")
    modules.samples = [(one, 1) for one in sample.modules]
    yield modules
    for name, text in (("receive_memory_used", "Memory of the Receives of all server connections"),
                       ("receive_memory_limit", "svcrdma.receive_memory"),
                       ("read_memory_used", "Memory of svcrdma.read_memory in use"),
                       ("read_memory_limit", "svcrdma.read_memory"),
                       ("read_memory_client_limit", "svcrdma.read_memory_client")):
        family = gauge(f"{name}_bytes", text, "bytes")
        family.samples = [({}, sample.budget[name])] if name in sample.budget else []
        yield family
    closes = counter("connection_ends", "Connections closed, and attempts to connect that failed, for each cause")
    closes.samples = [({"side": side, "cause": cause}, number) for side, causes in sample.closes.items()
                      for cause, number in causes.items()]
    yield closes
    for name, text in PAGES.items():
        family = counter(name, text)
        family.samples = [({}, sample.pages[name])] if name in sample.pages else []
        yield family


def doctor(sample):
    found = gauge("finding", "A finding of rpcrdmactl doctor, which also prints the repair; absent if there is none")
    found.samples = [({"name": name, "severity": severity}, 1) for name, severity in sorted(sample.findings)]
    looked = gauge("doctor_timestamp_seconds", "When rpcrdmactl doctor last looked, since 1970", "seconds")
    looked.samples = [({}, round(sample.looked, 3))] if sample.looked else []
    return [found, looked]


def mount_labels(stats):
    return {"mount": stats.mount.directory, "server": endpoint(stats.mount.server, stats.mount.port)}


def together(stats):
    """The statistics of several mounts as those of one"""
    found = MountStats(None, {}, sum(one.transports for one in stats))
    for one in stats:
        add(found.bytes, one.bytes)
        for name, values in one.operations.items():
            add(found.operations.setdefault(name, {}), values)
    return found


def mounts(sample):
    """The label "server" is that of the transports of a mount. Beyond MOUNTS both labels are "other"."""
    about = Family("rpcrdma_mount", "info", "NFS mounts over RDMA")
    for stats in sample.mounts[:MOUNTS]:
        version = dict(word.partition("=")[::2] for word in stats.mount.options.split(",")).get("vers", "")
        about.add({**mount_labels(stats), "source": stats.mount.source, "version": version})
    yield about
    rest = sample.mounts[MOUNTS:]
    known = [(mount_labels(stats), stats) for stats in sample.mounts[:MOUNTS]]
    known += [({"mount": OTHER, "server": OTHER}, together(rest))] if rest else []
    transports = gauge("mount_transports", "Transports of the mount: 1, or nconnect")
    transports.samples = [(labels, stats.transports) for labels, stats in known]
    yield transports
    for key, text in MOUNT_BYTES.items():
        family = counter(f"mount_{key}_bytes", f"Bytes of {text}")
        family.samples = [(labels, stats.bytes[key]) for labels, stats in known if key in stats.bytes]
        yield family
    for key, text in OPERATION_COUNTS.items():
        yield operations(known, counter(f"mount_{key}", text), key)
    for key, text in OPERATION_TIMES.items():
        yield operations(known, Family(f"rpcrdma_mount_{key}_seconds", "counter", f"Time of operations {text}",
                                       "seconds"), key, 1000)


def operations(known, family, key, divisor=None):
    """Only operations that the mount has used"""
    for labels, stats in known:
        for name, one in stats.operations.items():
            if one.get("operations") and key in one:
                family.add({**labels, "operation": name}, one[key] / divisor if divisor else one[key])
    return family


def exporter(sample):
    when = gauge("sample_timestamp_seconds", "When these values were read, since 1970", "seconds")
    when.add({}, round(sample.when, 3))
    took = gauge("sample_duration_seconds", "How long reading them took", "seconds")
    took.add({}, round(sample.took, 6))
    return [when, took]


def families(sample):
    return [*numbers(sample), *groups(sample), *machine(sample), *doctor(sample), *mounts(sample), *exporter(sample)]
