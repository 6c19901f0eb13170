# SPDX-License-Identifier: GPL-2.0-only
"""Tables and numbers for people. Only computes."""

from .terminal import printable


def table(head, rows, right=()):
    """Lines of a table; columns whose heads are in "right" are right-aligned."""
    cells = [head] + [[printable(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        yield "  ".join(cell.rjust(width) if name in right else cell.ljust(width)
                        for name, cell, width in zip(head, row, widths)).rstrip()


def duration(seconds):
    """59s, 3m20s, 5h03m, 12d4h"""
    if seconds is None:
        return "-"
    if seconds < 60:
        return f"{seconds}s"
    if seconds < 3600:
        return f"{seconds // 60}m{seconds % 60:02d}s"
    if seconds < 86400:
        return f"{seconds // 3600}h{seconds % 3600 // 60:02d}m"
    return f"{seconds // 86400}d{seconds % 86400 // 3600}h"


def pair(left, right):
    """"3/64", or "-" if there is neither"""
    if left is None and right is None:
        return "-"
    return f"{'-' if left is None else left}/{'-' if right is None else right}"


def rate(value):
    """A number of at most five characters for a column of rates."""
    if value >= 99999.5:
        return f"{value / 1000:.0f}k"
    if value >= 99.95 or value == 0:
        return f"{value:.0f}"
    return f"{value:.1f}"


def microseconds(nanoseconds):
    if nanoseconds is None:
        return "-"
    value = nanoseconds / 1000
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"
