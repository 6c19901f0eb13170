# SPDX-License-Identifier: GPL-2.0-only
"""HTML from plain data. Only computes.

Text is escaped unless it is Markup, so nothing from the machine is ever HTML.
"""

import html

from .terminal import printable

EMPTY_TAGS = ("meta", "br")


class Markup(str):
    """HTML that this program has made"""


def escape(value):
    if isinstance(value, Markup):
        return value
    return Markup(html.escape(printable("-" if value is None else value), quote=True))


def join(parts):
    return Markup("".join(map(escape, parts)))


def tag(name_, *children, **attributes):
    """An element; class_ and for_ lose the underscore, other underscores become hyphens. None: no attribute."""
    texts = (f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
             for key, value in attributes.items() if value is not None)
    start = f"<{name_}{''.join(texts)}>"
    return Markup(start if name_ in EMPTY_TAGS else f"{start}{join(children)}</{name_}>")


def scrolling(caption, content):
    """A wide part scrolls for itself, also with the keyboard."""
    return tag("div", content, class_="scroll", tabindex="0", role="region", aria_label=caption)


def table(caption, head, rows, right=(), empty="none"):
    """A table; the columns whose heads are in "right" are numbers, the first column names its row."""
    if not rows:
        return tag("p", f"{caption}: {empty}", class_="none")

    def cell(index, value):
        kind = "number" if head[index] in right else None
        return tag("th", value, scope="row") if index == 0 else tag("td", value, class_=kind)
    heads = [tag("th", name, scope="col", class_="number" if name in right else None) for name in head]
    lines = [tag("tr", *(cell(index, value) for index, value in enumerate(row))) for row in rows]
    return scrolling(caption, tag("table", tag("caption", caption), tag("thead", tag("tr", *heads)),
                                  tag("tbody", *lines)))
