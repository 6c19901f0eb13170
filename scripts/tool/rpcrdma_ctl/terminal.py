# SPDX-License-Identifier: GPL-2.0-only
"""Text for a terminal: what is safe to print, colours, bars. Only computes."""

import math

BARS = {True: "▁▂▃▄▅▆▇", False: "_.-~=+*#"}      # with and without Unicode
SHADES = {True: " ░▒▓█", False: " .:*#"}
HEAT = (26, 62, 98, 134, 169, 203, 208, 214, 220, 226)     # from blue to yellow, of xterm's 256 colours
STYLES = {"bold": "1", "dim": "2", "red": "1;31", "yellow": "33", "green": "32", "cyan": "36"}


def escaped(character):
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def printable(text):
    """One line without control characters: names and messages of others must not move the cursor."""
    text = str(text)
    return text if text.isprintable() else "".join(one if one.isprintable() else escaped(one) for one in text)


def is_terminal(stream):
    """None is a stream that was closed before the program began."""
    return stream is not None and stream.isatty()


def wants_colour(stream, environment, refused=False):
    """NO_COLOR is the convention of no-color.org: set, and not empty"""
    return (not refused and is_terminal(stream) and not environment.get("NO_COLOR")
            and environment.get("TERM", "dumb") != "dumb")


def wants_unicode(stream, environment):
    """The console of Linux has a font of 256 glyphs."""
    return (stream.encoding or "").lower().replace("-", "") == "utf8" and environment.get("TERM") != "linux"


class Look:
    """How to draw: with colour, with Unicode, or plain"""

    def __init__(self, colour=False, unicode_=False):
        self.colour, self.bars, self.shades = colour, BARS[unicode_], SHADES[unicode_]

    def style(self, name, text):
        return f"\033[{STYLES[name]}m{text}\033[0m" if self.colour and text else text

    def sparkline(self, values, width, top=None):
        """The last values, one character for each; a blank where there is none."""
        values = list(values)[-width:]
        top = top or max((value for value in values if value), default=0)
        return "".join(" " if value is None else self.bar(value, top) for value in values).rjust(width)

    def bar(self, value, top):
        if not top or value <= 0:
            return self.bars[0]
        last = len(self.bars) - 1
        return self.bars[min(last, math.ceil(value / top * last))]

    def cell(self, count, most):
        """One cell of a heat map, by the logarithm: a single slow event must be seen beside a million."""
        share = heat_share(count, most)
        if self.colour:
            return f"\033[48;5;{HEAT[min(len(HEAT) - 1, int(share * len(HEAT)))]}m \033[0m" if count else " "
        return self.shades[min(len(self.shades) - 1, math.ceil(share * (len(self.shades) - 1)))]


def heat_share(count, most):
    """From 0, for nothing, to 1"""
    return math.log2(1 + count) / math.log2(1 + most) if count and most else 0
