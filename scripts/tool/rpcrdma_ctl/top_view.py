# SPDX-License-Identifier: GPL-2.0-only
"""The screens of rpcrdmactl top: a table with the history of each connection, and a heat map. Only computes.

A line is at most as wide as the terminal: columns are left out, the least useful first.
"""

import time

from . import rates
from .names import HISTOGRAMS
from .status import bound_text
from .tables import rate, table
from .terminal import printable

TREND, LEAST_TREND, MOST_TREND = "HISTORY", 8, 40
# Left out first to last where the terminal is narrow; NAME and CALL/s stay.
EXPENDABLE = ("SQWAIT/s", "INV/s", "REG/s", "POST/s", "CREDITS", "CALLS", "CRWAIT/s", "P50us", "P99us", TREND,
              "ERR/s", "TOSRV MB/s", "TOCLI MB/s", "PEER")
LABEL = len("> 17 s   ")


def clip(lines, size):
    """The lines that fit on the screen with a cursor below, and a last line about the others."""
    columns, rows = size[0], size[1] - 1
    if len(lines) > rows:
        lines = lines[:rows - 1] + [f"... {len(lines) - rows + 1} more"[:columns]]
    return lines


def title(seconds, keys, columns, look):
    """The keys first: a narrow terminal cuts off the rest."""
    left = f"rpcrdmactl top: {keys}"
    right = f"{time.strftime('%H:%M:%S')}, over {seconds:.1f} s"
    gap = columns - len(left) - len(right)
    return look.style("bold", f"{left}{' ' * gap}{right}" if gap >= 2 else left[:columns])


def totals(history, columns, look):
    """Rates of all connections together, with their history"""
    parts = [("total", "calls", "RPC/s", 1), ("to client", "bytes_to_client", "MB/s", 10**6),
             ("to server", "bytes_to_server", "MB/s", 10**6)]
    for name, key, unit, divisor in parts:
        values = history.total[key]
        text = f"{name:<9} {rate(values[-1] / divisor if values else 0):>6} {unit:<5} "
        width = columns - len(text)
        line = look.sparkline(values, width) if width >= LEAST_TREND else ""
        yield text[:columns] + look.style("cyan", line)


def chosen(rows, columns):
    """Indexes of the columns of rates.HEAD that fit, and the width of the history, 0 without it."""
    kept, trend = list(range(len(rates.HEAD))), True
    widths = [max(len(row[index]) for row in rows) + 2 for index in kept]
    for name in (None, *EXPENDABLE):
        if name == TREND:
            trend = False
        elif name:
            kept.remove(rates.HEAD.index(name))
        left = columns + 2 - sum(widths[index] for index in kept)
        if trend and left >= LEAST_TREND + 2:
            return kept, min(left - 2, MOST_TREND)
        if not trend and left >= 0:
            break
    return kept, 0


def marked(line, found, look):
    """Errors are to be seen."""
    return look.style("red", line) if found["errors"] else line


def connection_lines(pairs, history, columns, look):
    pairs = rates.busiest_first(pairs)
    rows = [rates.HEAD] + [list(map(printable, rates.row(*one))) for one in pairs]
    kept, trend = chosen(rows, columns)
    shown = list(table([rates.HEAD[index] for index in kept],
                       [[row[index] for index in kept] for row in rows[1:]], rates.RIGHT))
    width = max(map(len, shown))
    heading = shown[0].ljust(width) + (f"  {TREND:>{trend}}" if trend else "")
    yield look.style("bold", heading.rstrip()[:columns])
    for line, (connection, found) in zip(shown[1:], pairs):
        values = history.of(connection.name)["calls"]
        text = marked(line[:columns], found, look)
        yield text + (" " * (width - len(line) + 2) + look.style("cyan", look.sparkline(values, trend))
                      if trend else "")


def rates_screen(pairs, history, size, look):
    columns = size[0]
    head = [title(history.seconds[-1], "q ends, h heat map", columns, look), *totals(history, columns, look), ""]
    body = list(connection_lines(pairs, history, columns, look)) if pairs else ["no connections"[:columns]]
    return clip(head + body, size)


def heat_screen(history, name, size, look):
    """Time from left to right, latency from bottom to top; the darker or the hotter, the more events."""
    columns, rows = size
    head = [title(history.seconds[-1], "q ends, h rates, l other latency", columns, look),
            look.style("bold", f"{HISTOGRAMS[name][0]}, all connections"[:columns])]
    room = columns - LABEL - 1
    seen = list(history.heat[name])[-max(1, room):]
    used = [index for buckets in seen for index, count in enumerate(buckets) if count]
    if not used:
        return clip(head + [f"nothing was counted in the last {sum(history.seconds):.0f} s"[:columns]], size)
    lines = rows - 1 - len(head) - 2
    if room < 1 or lines < 1:
        return clip(head + ["the terminal is too small"[:columns]], size)
    top, bottom = max(used), max(min(used), max(used) - lines + 1)
    seen = [grouped(buckets, bottom, top) for buckets in seen]
    most = max(map(max, seen))
    body = [f"{bound_text(bottom + row):>{LABEL - 1}} |" + "".join(look.cell(counts[row], most) for counts in seen)
            for row in range(top - bottom, -1, -1)]
    return head + body + [f"{'':>{LABEL - 1}} +{'-' * len(seen)}"[:columns],
                          legend(history, seen, most, columns, look)]


def grouped(buckets, bottom, top):
    """Counts from bottom to top; that of the bottom has all below it, since it is what took less than its bound."""
    if not buckets:
        return [0] * (top - bottom + 1)
    return [sum(buckets[:bottom + 1]), *buckets[bottom + 1:top + 1]]


def legend(history, seen, most, columns, look):
    text = f"took less than; the last {sum(list(history.seconds)[-len(seen):]):.0f} s; events: "
    cells = "".join(look.cell(most ** (step / 9), most) for step in range(10))
    return f"{text}1 {cells} {most}" if len(f"{text}1  {most}") + 10 <= columns else f"{text}1 to {most}"[:columns]


def next_histogram(name):
    known = list(HISTOGRAMS)
    return known[(known.index(name) + 1) % len(known)]
