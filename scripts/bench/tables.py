# SPDX-License-Identifier: GPL-2.0-only
"""What scripts/bench/run has measured, as tables in Markdown.

"found" is {subject: {kind: [turn, ...]}}, and a turn {phase: what work printed}.
"""

import collections
import csv
import re
import statistics

VALUES = (("rate/s", lambda one: one["rate"]), ("mean us", lambda one: one["mean_us"]),
          ("p99 us", lambda one: one["p99_us"]), ("CPU us", lambda one: one["each"].get("busy_ns", 0) / 1000))

COUNTS = (("rpcs", "RPCs"), ("post_send", "post-sends"), ("send", "Sends"),
          ("send_with_inv", "Sends w. inv."), ("rdma_read", "Reads"), ("rdma_write", "Writes"),
          ("registration", "registr."), ("local_inv", "local inv."), ("signaled", "signaled"),
          ("completion", "compl."), ("cq_notification", "notif."), ("post_recv", "post-recvs"),
          ("packets", "packets"), ("switches", "switches"))

# Counts with the limits of an adapter: column, and what is added up
PROFILE_COUNTS = (("registrations", ("registration",)),
                  ("work requests", ("send", "send_with_inv", "rdma_read", "rdma_write", "registration",
                                     "local_inv", "other")),
                  ("completions", ("completion",)))

# Which estimate made the client offer a chunk, and so register memory.
ORIGINS = (("read_chunks", "size of the Call (Read chunks)"),
           ("write_chunks", "size of a result (Write chunks)"),
           ("reply_chunks", "size of the Reply (Reply chunks)"))

INSTRUCTIONS = "instructions"
# Columns of subjects that have another name in tables
TITLES = {"intree": "in-tree", "tcp": "NFS on TCP"}
SMALL = ("statfs", "stat", "unlink", "create")

# Phases, what is compared, and the most it may be: a ratio to in-tree's, or a number.
TARGETS = (
    (("read-4k-q1",), INSTRUCTIONS, 0.75), (("write-4k-q1",), INSTRUCTIONS, 0.65),
    (("read-4k-q1", "write-4k-q1"), "registration", 0), (("read-4k-q1", "write-4k-q1"), "rdma_read", 0),
    (("read-4k-q1", "write-4k-q1"), "rdma_write", 0), (("read-4k-q1", "write-4k-q1"), "post_send", 2),
    (("read-4k-q1", "write-4k-q1"), "completion", 2.3),
    (SMALL, "registration", 0), (SMALL, "completion per RPC", 2.3), (SMALL, "cq_notification per RPC", 2.3),
    (("statfs", "stat", "unlink"), INSTRUCTIONS, 0.85), (("create",), INSTRUCTIONS, 0.70),
    (("readdir",), "registration per Reply chunk", 1), (("readdir",), "local_inv", 0),
    (("read-64k-q1", "write-64k-q1"), INSTRUCTIONS, 0.90),
    (("read-1m-q1", "write-1m-q1"), "registration", 1), (("read-1m-q1", "write-1m-q1"), "local_inv", 0),
    (("read-1m-q1",), "completion", 4), (("write-1m-q1",), "completion", 5),
    (("read-1m-q1", "write-1m-q1"), INSTRUCTIONS, 0.95),
)
# Counts are exact but for what the warm-up leaves over.
SLACK = 0.2

# By number of connections: rates on four CPUs, of in-tree's.
SCALING_LEAST = {"1": 1.0, "4": 1.2}
LOCKS_SHOWN = 8
WATCHING_MOST = 1.0
# Latency with busy polling, of in-tree's
POLLING_MOST = 0.6


def median(turns, phase, value):
    return statistics.median(value(one[phase]) for one in turns)


def noise(turns, phase, value):
    """How far apart the same thing is from itself."""
    values = [value(one[phase]) for one in turns]
    return (max(values) / min(values) - 1) * 100 if min(values) > 0 else 0


def apart(turns, phase, value):
    """The same as a cell; one turn tells nothing."""
    return f"{noise(turns, phase, value):.1f}" if len(turns) > 1 else "-"


def rates_ratio(found, phase, value):
    """Ours to in-tree's, or None if in-tree's cannot be told."""
    ours, theirs = (median(found[subject]["rates"], phase, value) for subject in ("ours", "intree"))
    return ours / theirs if theirs > 0 else None


def verdict_of(name, ratio, apart):
    """Of a ratio to in-tree's: ahead or behind by more than in-tree's turns are apart, or within that."""
    better = ratio if name == VALUES[0][0] else 1 / max(ratio, 0.001)
    apart = max(apart, 1)
    if (better - 1) * 100 > apart:
        return "ahead"
    return "behind" if (1 / max(better, 0.001) - 1) * 100 > apart else "within"


def marked(name, ratio, apart):
    if ratio is None:
        return "-"
    return f"**{ratio:.2f}**" if verdict_of(name, ratio, apart) == "behind" else f"{ratio:.2f}"


def balance(found, phases):
    """How many rates and p99 latencies are what."""
    return collections.Counter(
        verdict_of(name, ratio, noise(found["intree"]["rates"], phase, value))
        for phase in phases for name, value in (VALUES[0], VALUES[2])
        if (ratio := rates_ratio(found, phase, value)) is not None)


def told(counted):
    return f"{counted['ahead']} ahead of in-tree by more than A/A, {counted['behind']} behind, " \
           f"{counted['within']} within it"


def row(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def head(*cells):
    return [row(*cells), "|---" * len(cells) + "|"]


def rates(found, phases):
    yield from head("phase", *(cell for name, _ in VALUES
                               for cell in (f"{name} ours", "in-tree", "ratio", "A/A %")))
    for phase in phases:
        cells = []
        for name, value in VALUES:
            ours, theirs = (median(found[subject]["rates"], phase, value) for subject in ("ours", "intree"))
            apart = noise(found["intree"]["rates"], phase, value)
            cells += [f"{ours:.0f}", f"{theirs:.0f}", marked(name, rates_ratio(found, phase, value), apart),
                      f"{apart:.0f}"]
        yield row(phase, *cells)


def busy(one):
    return one["each"]["busy_ns"]


def each(found, subject, phase):
    """Counts per operation."""
    return found[subject]["counts"][0][phase]["each"]


def counts(found, phases, subjects):
    yield from head("phase", *(name for _, name in COUNTS))
    for phase in phases:
        sides = [each(found, subject, phase) for subject in subjects]
        yield row(phase, *(" / ".join(f"{side.get(key, 0):.2f}" for side in sides) for key, _ in COUNTS))


def origins(found, phases):
    yield from head("phase", *(name for _, name in ORIGINS), "registrations")
    for phase in phases:
        sides = [each(found, subject, phase) for subject in ("ours", "intree")]
        cells = [" / ".join(f"{side.get(key, 0):.2f}" for side in sides)
                 for key in [key for key, _ in ORIGINS] + ["registration"]]
        yield row(phase, *cells)


def instructions(found, subject, phase):
    """Thousands for one operation, or None if that was not measured."""
    turns = found.get(subject, {}).get("instructions")
    return median(turns, phase, busy) / 1000 if turns and phase in turns[0] else None


def instructions_ratio(found, phase):
    ours, theirs = (instructions(found, subject, phase) for subject in ("ours", "intree"))
    return None if None in (ours, theirs) else ours / theirs


def instruction_table(found, subjects):
    yield from head("phase", *(TITLES.get(subject, subject) for subject in subjects), "ours / in-tree", "A/A %")
    for phase in found["ours"]["instructions"][0]:
        values = [instructions(found, subject, phase) for subject in subjects]
        yield row(phase, *("-" if value is None else f"{value:.1f}" for value in values),
                  f"{instructions_ratio(found, phase):.2f}", apart(found["intree"]["instructions"], phase, busy))


def cell(found, subject, phase, value):
    """A rate or a latency; a dash where there is none."""
    turns = [one for one in found[subject]["rates"] if phase in one]
    try:
        return f"{median(turns, phase, value):.0f}" if turns else "-"
    except KeyError:
        return "-"


def limits(found, phases, subjects):
    """What else there is on the same machine, as rates; ours and in-tree's as a part of raw verbs."""
    yield from head("phase", *(f"{name} {subject}" for subject in subjects for name in ("rate/s", "p99 us")),
                    "ours / raw", "in-tree / raw")
    for phase in phases:
        cells = [cell(found, subject, phase, value)
                 for subject in subjects for _, value in (VALUES[0], VALUES[2])]
        most = cell(found, "raw", phase, VALUES[0][1])
        rates_of = [median(found[subject]["rates"], phase, VALUES[0][1]) for subject in ("ours", "intree")]
        ratios = ["-" if most in ("-", "0") else f"{one / int(most):.2f}" for one in rates_of]
        yield row(phase, *cells, *ratios)


def compared(found, phase, what):
    """Ours and in-tree's, and what is judged; None if it was not measured."""
    if what == INSTRUCTIONS:
        pair = [instructions(found, subject, phase) for subject in ("ours", "intree")]
        return None if None in pair else (*pair, pair[0] / pair[1])
    key, _, per = what.partition(" per ")
    unit = {"": None, "RPC": "rpcs", "Reply chunk": "reply_chunks"}[per]
    pair = [each(found, subject, phase).get(key, 0) / (each(found, subject, phase).get(unit, 1) if unit else 1)
            for subject in ("ours", "intree")]
    return *pair, pair[0]


def verdict(found, phases):
    yield from head("phase", "what", "ours", "in-tree", "at most", "is", "")
    for names, what, most in TARGETS:
        for phase in (name for name in names if name in phases):
            values = compared(found, phase, what)
            if values is None:
                continue
            ours, theirs, judged = values
            slack = 0 if what == INSTRUCTIONS or most % 1 else SLACK
            yield row(phase, what, f"{ours:.2f}", f"{theirs:.2f}", most, f"{judged:.2f}",
                      "met" if judged <= most + slack else "**missed**")


STATES = (("idle", "idle"), ("loaded", "after load"), ("later", "a minute later"))
SIDES = ("client", "server")
# Of in-tree's, for one connection more
SLOPE_MOST = 0.5


def memory_cell(one):
    return f"{one['all']} ({one['slab']} + {one['vmalloc']})"


def slope(turn, numbers, state, side):
    """KiB for each connection more."""
    first, last = (turn[number][state][side]["all"] for number in (numbers[0], numbers[-1]))
    return (last - first) / (int(numbers[-1]) - int(numbers[0]))


def memory(found):
    """found: {subject: turn}; KiB of each side by number of connections, and for one more of them."""
    turns = [found[subject] for subject in ("ours", "intree")]
    numbers = [name for name in turns[0] if name.isdigit()]
    yield from head("connections", "", "client ours", "in-tree", "server ours", "in-tree", "client's MRs ours", "in-tree")
    for number in numbers:
        for state, name in STATES:
            yield row(number, name, *(memory_cell(turn[number][state][side]) for side in SIDES for turn in turns),
                      *(turn[number][state]["client"]["mrs"] for turn in turns))
    yield "\nFor each connection more:\n"
    yield from head("", "side", "ours", "in-tree", "is", "at most", "")
    for state, name in STATES:
        for side in SIDES:
            ours, theirs = (slope(turn, numbers, state, side) for turn in turns)
            yield row(name, side, f"{ours:.0f}", f"{theirs:.0f}", f"{ours / theirs:.2f}", SLOPE_MOST,
                      "met" if ours <= SLOPE_MOST * theirs else "**missed**")
    yield "\nQueue entries of a connection:\n"
    yield from head("side", *(f"{queue} {modules}" for queue in ("send", "receive", "completion")
                              for modules in ("ours", "in-tree")))
    for side in SIDES:
        yield row(side, *(turn["depths"][side][queue] for queue in ("send", "receive", "completion")
                          for turn in turns))


LIVE_LEAST = 512


def live(turn, connections):
    """What one idle connection of the server has allocated, by function"""
    yield from head("function", "KiB", "objects")
    for function, size, count in turn["live"]:
        if size / connections >= LIVE_LEAST:
            yield row(function, f"{size / connections / 1024:.1f}", f"{count / connections:.1f}")


def pairs(found, base):
    """found: {(client, server): turn}"""
    keys = ("completion", "post_send", "registration")
    yield from head("phase", *(f"client {client}, server {server}" for client, server in found))
    for phase in found[base]:
        least = found[base][phase]["each"]
        cells = []
        for peers in found:
            each_of = found[peers][phase]["each"]
            cells.append(" / ".join(f"{each_of.get(key, 0):.2f}" + ("\\*" if each_of.get(key, 0) >
                                                                    least.get(key, 0) + SLACK else "")
                                    for key in keys))
        yield row(phase, *cells)


def rate(one):
    return one["rate"]


def busy_us(one):
    return busy(one) / 1000


def scaling_ratio(found, connections, phase):
    ours, theirs = (median(found[connections, subject], phase, rate) for subject in ("ours", "intree"))
    return ours / theirs if theirs > 0 else None


def scaling(found, phases):
    """found: {(connections, subject): [turn, ...]}"""
    yield from head("connections", "phase", "rate/s ours", "in-tree", "ratio", "A/A %", "at least",
                    "CPU us ours", "in-tree")
    for connections in dict.fromkeys(number for number, _ in found):
        ours, theirs = (found[connections, subject] for subject in ("ours", "intree"))
        for phase in phases:
            yield row(connections, phase, *(f"{median(turns, phase, rate):.0f}" for turns in (ours, theirs)),
                      f"{scaling_ratio(found, connections, phase):.2f}", f"{noise(theirs, phase, rate):.0f}",
                      SCALING_LEAST[connections],
                      *(f"{median(turns, phase, busy_us):.0f}" for turns in (ours, theirs)))


def lock_owner(module):
    """sunrpc's, the transport's, or another's."""
    if module in ("rpcrdma", "xprtrdma", "svcrdma"):
        return "transport"
    return module


def locks(found):
    """found: {(connections, subject): turn}; the longest waits of each phase"""
    yield from head("connections", "phase", "modules", "waited for by", "of", "times", "us in all")
    for (connections, subject), one in found.items():
        for name, told in one.items():
            if not name.startswith("locks-"):
                continue
            owners = {}
            for wait in told["waits"]:
                owner = owners.setdefault(lock_owner(wait["module"]), [0, 0])
                owner[0] += wait["times"]
                owner[1] += wait["us"]
            phase = name.removeprefix("locks-")
            for owner in ("transport", "sunrpc"):
                times, micro = owners.get(owner, (0, 0))
                yield row(connections, phase, subject, "(all)", owner, times, micro)
            for wait in told["waits"][:LOCKS_SHOWN]:
                yield row(connections, phase, subject, wait["caller"], lock_owner(wait["module"]),
                          wait["times"], wait["us"])
            if told["lost"]:
                yield row(connections, phase, subject, "(events that were lost)", "", told["lost"], "")


def watching(found):
    """Medians, and how far turns of the same kind are apart."""
    yield from head("phase", "on", "off", "cost %", "at most", "", "on, apart %", "off, apart %")
    for phase in found["ours"]["instructions"][0]:
        on, off = (instructions(found, subject, phase) for subject in ("ours", "unwatched"))
        cost = (on / off - 1) * 100
        yield row(phase, f"{on:.1f}", f"{off:.1f}", f"{cost:.1f}", WATCHING_MOST,
                  "met" if cost <= WATCHING_MOST else "**missed**",
                  *(f"{noise(found[subject]['instructions'], phase, busy):.1f}" for subject in ("ours", "unwatched")))


def median_us(one):
    return one["p50_us"]


def polling(found):
    """found: {subject: [turn, ...]}; medians of the turns"""
    yield from head("phase", "ours", "polled", "in-tree", "ours / in-tree", "polled / in-tree", "at most", "", "A/A %")
    for phase in found["ours"][0]:
        ours, polled, theirs = (median(found[subject], phase, median_us) for subject in ("ours", "polled", "intree"))
        yield row(phase, f"{ours:.0f}", f"{polled:.0f}", f"{theirs:.0f}", f"{ours / theirs:.2f}",
                  f"{polled / theirs:.2f}", POLLING_MOST, "met" if polled / theirs <= POLLING_MOST else "**missed**",
                  f"{noise(found['intree'], phase, median_us):.0f}")


def summed(found, subject, phase, keys):
    one = each(found, subject, phase)
    return sum(one.get(key, 0) for key in keys)


def profiles(found, phases):
    """Rows that are the same for several adapters are one; bold: ours has more."""
    yield from head("adapter", "phase", *(f"{name}, ours / in-tree" for name, _ in PROFILE_COUNTS))
    for phase in phases:
        rows = collections.defaultdict(list)
        for (profile, _), one in found.items():
            pairs = [[summed(one, subject, phase, keys) for subject in ("ours", "intree")] for _, keys in PROFILE_COUNTS]
            rows[tuple(f"**{ours:.1f} / {theirs:.1f}**" if ours > theirs + SLACK else f"{ours:.1f} / {theirs:.1f}"
                       for ours, theirs in pairs)].append(profile)
        for cells, names in rows.items():
            yield row(", ".join(names), phase, *cells)


def many(found):
    yield from head("modules", "connections", "QPs", "made in ms", "memory KiB", "for each", "statfs/s")
    for subject, one in found.items():
        yield row(subject, one["connections"], one["qps"], one["ms"], one["idle"],
                  f"{one['idle'] / one['connections']:.0f}", f"{one['rate']:.0f}")


def slug(text):
    """As part of a file name: the words up to the first punctuation"""
    return re.sub(r"[^a-z0-9.]+", "-", re.split(r"[:;(]|, ", text.lower())[0]).strip("-")


def as_csv(report):
    """{name: rows} of the tables of a report, named by their section and the line above"""
    found, section, above = {}, "report", ""
    for line in report:
        for part in line.strip().split("\n"):
            if part.startswith("| "):
                name = f"{section}-{above}" if above else section
                cells = [cell.strip().replace("**", "") for cell in part[2:-2].split(" | ")]
                found.setdefault(name, []).append(cells)
            elif part.startswith("## "):
                section, above = slug(part.replace(", ", "-").replace("vers=", "").replace("nconnect=", "")), ""
            elif part and not part.startswith("|-"):
                above = slug(part)
    return found


def write_csv(report, directory):
    for name, rows in as_csv(report).items():
        with open(f"{directory}/{name}.csv", "w", encoding="utf-8", newline="") as out:
            csv.writer(out, lineterminator="\n").writerows(rows)
