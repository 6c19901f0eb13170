# SPDX-License-Identifier: GPL-2.0-only
"""rpcrdmactl top: reads the counters repeatedly."""

import json
import os
import select
import shutil
import sys
import termios
import time
import tty

from . import rates, terminal, top_view, views
from .history import History
from .names import HISTOGRAMS

CLEAR = "\033[H\033[2J"


class Keys:
    """Single keys from standard input, if that is a terminal."""

    def __enter__(self):
        self.before = None
        self.typed = ""         # what was read, and not returned yet
        if sys.stdin and sys.stdin.isatty():        # None: it was closed
            self.before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        return self

    def __exit__(self, *_):
        if self.before:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self.before)

    def wait(self, end):
        """The next key before that time of the monotonic clock; "" when it has come."""
        if not self.before:
            time.sleep(max(0, end - time.monotonic()))
            return ""
        while not self.typed and (left := end - time.monotonic()) > 0:
            if select.select([sys.stdin], [], [], left)[0]:
                self.typed = self.read()
        key, self.typed = self.typed[:1], self.typed[1:]
        return key

    def read(self):
        """An arrow or a function key is several bytes, of which the first is ESC; it means nothing here."""
        typed = os.read(sys.stdin.fileno(), 32).decode("ascii", "replace").lower() or "q"   # "": it has gone
        return typed.partition("\033")[0]


class Screen:
    """Draws one of the two views; keys switch between them."""

    def __init__(self, history, look):
        self.history, self.look = history, look
        self.heat, self.histogram = False, next(iter(HISTOGRAMS))
        self.pairs = None

    def draw(self):
        size = shutil.get_terminal_size()
        lines = top_view.heat_screen(self.history, self.histogram, size, self.look) if self.heat else \
            top_view.rates_screen(self.pairs, self.history, size, self.look)
        put(CLEAR + "\n".join(lines) + "\n")

    def show(self, pairs):
        self.pairs = pairs
        self.draw()

    def key(self, key):
        if key == "h":
            self.heat = not self.heat
        elif key == "l" and self.heat:
            self.histogram = top_view.next_histogram(self.histogram)
        else:
            return
        if self.pairs is not None:
            self.draw()


class Lines:
    """One table, or one object of JSON, below the other"""

    def __init__(self, history, as_json):
        self.history, self.as_json = history, as_json

    def show(self, pairs):
        if self.as_json:
            put(json.dumps({"version": 1, "command": "top", "seconds": round(self.history.seconds[-1], 3),
                            "connections": [rates.data(*one) for one in pairs]}) + "\n")
        else:
            put("\n".join(rates.lines(pairs)) + "\n\n")

    def key(self, key):
        pass


def put(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def output(options, history):
    if options.batch or options.json or not terminal.is_terminal(sys.stdout):
        return Lines(history, options.json)
    return Screen(history, terminal.Look(terminal.wants_colour(sys.stdout, os.environ, options.no_color),
                                         terminal.wants_unicode(sys.stdout, os.environ)))


def run(options):
    history = History()
    show = output(options, history)
    count, before = 0, views.load()
    with Keys() as keys:
        while options.count == 0 or count < options.count:
            end = time.monotonic() + options.delay
            while key := keys.wait(end):
                if key == "q":
                    return 0
                show.key(key)
            after = views.load()
            show.show(history.add(before, after))
            before, count = after, count + 1
    return 0
