# SPDX-License-Identifier: GPL-2.0-only
"""Charts for the page of rpcrdmactl report: lines as SVG, a heat map as a table. Only computes."""

from .markup import Markup, scrolling, tag
from .names import BUCKETS
from .status import bound_text
from .tables import rate
from .terminal import heat_share

WIDTH, HEIGHT = 440, 150
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 10, 24


def ceiling(value):
    """The next of 1, 2, 5, 10, 20, 50, ..."""
    size = 1
    while size * 10 <= value:
        size *= 10
    while size > value and size > 1e-3:
        size /= 10
    return next(size * step for step in (1, 2, 5, 10) if size * step >= value) if value > 0 else 1


def pieces(times, values, top):
    """[[(x, y)]] of the line: a new piece after each interval without a value"""
    found, piece = [], []
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    for when, value in zip(times, values):
        if value is None:
            piece = []
            continue
        if not piece:
            found.append(piece)
        piece.append((LEFT + across * when / max(times[-1], 1e-9), TOP + down * (1 - value / top)))
    return found


def points(piece):
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in piece)


def line(times, values, top, kind):
    for piece in pieces(times, values, top):
        bottom = HEIGHT - BOTTOM
        area = [(piece[0][0], bottom), *piece, (piece[-1][0], bottom)]
        yield tag("polygon", points=points(area), class_=f"area {kind}")
        yield tag("polyline", points=points(piece), class_=f"line {kind}")


def axis_text(value):
    """Exact: the top is 1, 2 or 5 of its size, its half not always"""
    return rate(value) if value >= 10**5 else f"{value:g}"


def axes(top, seconds):
    for share in (0, 0.5, 1):
        y = TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)
        yield tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=f"{y:.1f}", y2=f"{y:.1f}", class_="grid")
        yield tag("text", axis_text(top * share), x=LEFT - 6, y=f"{y + 4:.1f}", class_="end")
    yield tag("text", "0 s", x=LEFT, y=HEIGHT - 6)
    yield tag("text", f"{seconds:.1f} s", x=WIDTH - RIGHT, y=HEIGHT - 6, class_="end")


def mean(values, seconds):
    """By the length of the intervals"""
    known = [(value, length) for value, length in zip(values, seconds) if value is not None]
    total = sum(length for _, length in known)
    return sum(value * length for value, length in known) / total if total else 0


def chart(title, unit, seconds, series):
    """Lines over time; series is [(name, values)], at most two. Its text says the same without the picture."""
    times, total = [], 0
    for one in seconds:
        total += one
        times.append(total)
    most = max((value for _, values in series for value in values if value is not None), default=0)
    top = ceiling(most)
    said = "; ".join(f"{name}: {rate(mean(values, seconds))} {unit} on average, "
                     f"at most {rate(max((value for value in values if value is not None), default=0))}"
                     for name, values in series)
    drawn = [one for index, (_, values) in enumerate(series) for one in line(times, values, top, f"s{index}")]
    picture = tag("svg", *axes(top, total), *drawn, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img",
                  aria_label=f"{title}, {unit}. {said}")
    legend = [tag("li", tag("span", "", class_=f"key s{index}"), f"{name}: {rate(mean(values, seconds))} {unit}")
              for index, (name, values) in enumerate(series)]
    return tag("figure", tag("figcaption", f"{title}, {unit}"), picture, tag("ul", *legend, class_="legend"))


def short(count):
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= size:
            return f"{count / size:.0f}{letter}" if count >= 10 * size else f"{count / size:.1f}{letter}"
    return str(count)


def heat_cell(count, most):
    if not count:
        return tag("td", "")
    share = heat_share(count, most)
    return tag("td", short(count), class_="heat",
               style=f"--a:{0.1 + 0.7 * share:.2f}", title=f"{count} events")


def heat_map(caption, rows):
    """rows: [(name, buckets)]; the colour is the logarithm of the count, of the largest in this map."""
    rows = [(name, buckets) for name, buckets in rows if any(buckets)]
    used = [index for _, buckets in rows for index, count in enumerate(buckets) if count]
    if not used:
        return tag("p", f"{caption}: nothing was counted", class_="none")
    columns = range(min(used), min(max(used) + 1, BUCKETS))
    most = max(max(buckets) for _, buckets in rows)
    heads = tag("tr", tag("th", "less than", scope="col"),
                *(tag("th", bound_text(index), scope="col") for index in columns))
    lines = [tag("tr", tag("th", name, scope="row"), *(heat_cell(buckets[index], most) for index in columns))
             for name, buckets in rows]
    return scrolling(caption, tag("table", tag("caption", caption), tag("thead", heads), tag("tbody", *lines),
                                  class_="heatmap"))


def share_bar(count, most):
    """A bar in a cell of a table, for the eye only: the number stands beside it."""
    width = 100 * count / most if most else 0
    return tag("span", "", class_="share", style=f"width:{width:.0f}%", aria_hidden="true")


def small_multiples(figures):
    return tag("div", *figures, class_="figures") if figures else Markup("")
