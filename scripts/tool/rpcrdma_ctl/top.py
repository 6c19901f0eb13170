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

from . import rates, views

CLEAR = "\033[H\033[2J"


class Keys:
    """Single keys from standard input, if that is a terminal."""

    def __enter__(self):
        self.before = None
        if sys.stdin.isatty():
            self.before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        return self

    def __exit__(self, *_):
        if self.before:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self.before)

    def wait(self, seconds):
        """True if q was pressed during the wait."""
        if not self.before:
            time.sleep(seconds)
            return False
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([sys.stdin], [], [], left)[0] and os.read(sys.stdin.fileno(), 1) in b"qQ":
                return True
        return False


def clip(lines, screen):
    """The lines that fit on the screen, and a last line about the others."""
    columns, rows = screen
    if len(lines) > rows - 1:
        lines = lines[:rows - 2] + [f"... {len(lines) - rows + 2} more"]
    return [line[:columns] for line in lines]


def screen(pairs, seconds):
    head = [f"rpcrdmactl top: {time.strftime('%H:%M:%S')}, over {seconds:.1f} s; q ends", ""]
    return CLEAR + "\n".join(clip(head + rates.lines(pairs), shutil.get_terminal_size())) + "\n"


def text(pairs, seconds, options):
    if options.json:
        return json.dumps({"version": 1, "command": "top", "seconds": round(seconds, 3),
                           "connections": [rates.data(*one) for one in pairs]}) + "\n"
    return "\n".join(rates.lines(pairs)) + "\n\n"


def run(options):
    live = not (options.batch or options.json) and sys.stdout.isatty()
    count, before = 0, views.load()
    with Keys() as keys:
        while options.count == 0 or count < options.count:
            if keys.wait(options.delay):
                break
            after = views.load()
            pairs, seconds = rates.compare(before, after), after.when - before.when
            sys.stdout.write(screen(pairs, seconds) if live else text(pairs, seconds, options))
            sys.stdout.flush()
            before, count = after, count + 1
    return 0
