# SPDX-License-Identifier: GPL-2.0-only

import contextlib
import io
import os
import pty
import re
import unittest
from unittest import mock

from rpcrdma_ctl import cli, rates, terminal, top, top_view, views
from rpcrdma_ctl.history import History

from .machine import connection

COLOUR = re.compile(r"\033\[[0-9;]*m")
STEP = 1000
TERMINAL = {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "30", "NO_COLOR": ""}


def plain(text):
    return COLOUR.sub("", text)


class Recorded(unittest.TestCase):
    """Readings whose counters grow"""

    def setUp(self):
        self.now = 0

    def read(self, names=("client-1", "client-2", "server-3"), slow=0, **more):
        self.now += 1
        return views.View(float(self.now), [self.one(name, number + 1, slow, more)
                                            for number, name in enumerate(names)], True)

    def one(self, name, factor, slow, more):
        counters = {"calls_inline": self.now * STEP * factor, "write_bytes": self.now * 10**6, **more}
        buckets = [0, 0, self.now * 100, self.now] + [0] * 23 + [slow]
        return views.Connection(name, connection(name.split("-")[0]).values, counters, {},
                                {"post_to_completion": buckets})

    def history(self, count=5):
        history, before = History(), self.read()
        for _ in range(count):
            after = self.read()
            pairs = history.add(before, after)
            before = after
        return history, pairs


class Kept(Recorded):
    def test_history(self):
        history, _ = self.history()
        self.assertEqual(list(history.of("client-2")["calls"]), [2 * STEP] * 5)
        self.assertEqual(list(history.total["calls"]), [6 * STEP] * 5)
        self.assertEqual(history.heat["post_to_completion"][-1][:4], [0, 0, 300, 3])
        self.assertEqual(list(history.seconds), [1.0] * 5)

    def test_coming_and_going(self):
        history, before = History(), self.read()
        for names in ((), (), ("client-9",)):
            after = self.read(("client-1", "client-2", "server-3", *names))
            history.add(before, after)
            before = after
        self.assertEqual(list(history.of("client-9")["calls"])[:2], [None, None])
        self.assertIsNotNone(history.of("client-9")["calls"][2])
        gone = views.View(after.when + 1, after.connections[:1], True)
        history.add(after, gone)
        self.assertEqual(set(history.rates), {"client-1"})

    def test_limit(self):
        short = History(keep=3)
        for _ in range(10):
            short.add(self.read(), self.read())
        self.assertEqual((len(short.of("client-1")["calls"]), len(short.seconds), short.length), (3, 3, 3))


class Layout(Recorded):
    def test_every_size(self):
        """No line is wider than the terminal, and there are no more lines than it has."""
        history, pairs = self.history()
        for look in (terminal.Look(), terminal.Look(True, True)):
            for columns in (1, 5, 20, 40, 60, 80, 100, 132, 160, 250):
                for rows in (3, 10, 24, 60):
                    for lines in (top_view.rates_screen(pairs, history, (columns, rows), look),
                                  top_view.heat_screen(history, "post_to_completion", (columns, rows), look)):
                        self.assertLessEqual(max(len(plain(line)) for line in lines), columns)
                        self.assertLess(len(lines), rows)

    def columns(self, width):
        history, pairs = self.history()
        lines = list(top_view.connection_lines(pairs, history, width, terminal.Look(False, True)))
        return lines

    def test_wide(self):
        head, first = self.columns(220)[:2]
        self.assertEqual([name for name in rates.HEAD if name not in head], [])
        self.assertTrue(head.endswith("HISTORY"))
        self.assertTrue(first.startswith("server-3") and first.endswith("▇▇▇▇▇"), first)

    def test_80(self):
        head, first = self.columns(80)[:2]
        for name in ("NAME", "PEER", "CALL/s", "TOCLI MB/s", "TOSRV MB/s", "ERR/s", "HISTORY"):
            self.assertIn(name, head)
        self.assertNotIn("INV/s", head)
        self.assertIn("3000", first)

    def test_narrow(self):
        head, first = self.columns(20)[:2]
        self.assertEqual(head.split(), ["NAME", "CALL/s"])
        self.assertEqual(first.split(), ["server-3", "3000"])

    def test_more(self):
        history, pairs = self.history()
        lines = top_view.rates_screen(pairs * 20, history, (80, 24), terminal.Look())
        self.assertEqual(lines[-1], "... 44 more")
        self.assertIn("3000", lines[6])

    def test_nothing(self):
        history = History()
        pairs = history.add(views.View(0.0, [], True), views.View(1.0, [], True))
        self.assertEqual(top_view.rates_screen(pairs, history, (80, 24), terminal.Look())[-1], "no connections")
        self.assertIn("nothing was counted", top_view.heat_screen(history, "registration", (80, 24),
                                                                  terminal.Look())[-1])

    def test_errors_are_red(self):
        history, before, after = History(), self.read(), self.read()
        after.connections[0].counters["messages_dropped"] = 7
        lines = list(top_view.connection_lines(history.add(before, after), history, 200, terminal.Look(True)))
        self.assertEqual(["\033[1;31m" in line for line in lines].count(True), 1)

    def test_heat_map(self):
        history, before = History(), self.read()
        for slow in (0, 0, 7):
            after = self.read(slow=slow)
            history.add(before, after)
            before = after
        lines = top_view.heat_screen(history, "post_to_completion", (80, 40), terminal.Look())
        self.assertEqual(lines[2], "  > 17 s |  *")
        self.assertEqual(lines[-4:-1], ["  2.0 us |...", "  1.0 us |###", "         +---"])
        self.assertIn("took less than; the last 3 s; events: 1 ", lines[-1])
        self.assertTrue(lines[-1].endswith(" 300"), lines[-1])
        low = top_view.heat_screen(history, "post_to_completion", (80, 8), terminal.Look())
        self.assertEqual(len(low), 7)
        self.assertEqual(low[-3], "   8.6 s |###")

    def test_other_latency(self):
        self.assertEqual(top_view.next_histogram("post_to_completion"), "registration")
        self.assertEqual(top_view.next_histogram("send_queue_wait"), "post_to_completion")


class Terminal(Recorded):
    """The program at a pseudo terminal"""

    def drawn(self, keys, *words, **environment):
        """What is written until it ends; the keys are typed when the first screen is about to be drawn."""
        master, slave = pty.openpty()
        text = b""

        def load():
            if self.now == 2:       # the first reading is cli's, the second one that before the first interval
                os.write(master, keys.encode())
            return self.read()
        with os.fdopen(slave, "w", encoding="utf-8") as out, \
                os.fdopen(os.dup(slave), encoding="utf-8") as in_, \
                mock.patch("sys.stdout", out), mock.patch("sys.stdin", in_), mock.patch.object(views, "load", load), \
                mock.patch.dict(os.environ, {**TERMINAL, **environment}):
            self.now = 0
            self.assertEqual(cli.main(["top", "-d", "0.1", "-n", "3", *words]), 0)
            out.flush()
            os.set_blocking(master, False)
            with contextlib.suppress(BlockingIOError):
                while piece := os.read(master, 65536):
                    text += piece
        os.close(master)
        return text.decode()

    def test_colour(self):
        self.assertIn("\033[1m", self.drawn(""))
        for words, environment in ((("--no-color",), {}), ((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"})):
            with self.subTest(words=words, environment=environment):
                self.assertIsNone(COLOUR.search(self.drawn("", *words, **environment)))

    def test_keys(self):
        self.assertEqual(self.drawn("q").count(top.CLEAR), 1)
        self.assertIn("post to completion", self.drawn("h"))
        self.assertIn("wait for a credit", self.drawn("hll"))
        text = self.drawn("hh")
        self.assertEqual((text.count("post to completion"), text.count(top.CLEAR)), (1, 5))

    def test_function_keys(self):
        """F2 has a Q in it. Keys before it count."""
        for key in ("\033OQ", "\033[12~", "\033[A", "\033"):
            self.assertEqual(self.drawn(key).count(top.CLEAR), 3)
            self.assertIn("post to completion", self.drawn("h" + key))

    def test_standard_input_is_closed(self):
        with mock.patch("sys.stdin", None), mock.patch.object(views, "load", self.read), \
                contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(cli.main(["top", "-d", "0.1", "-n", "1"]), 0)
        self.assertIn("client-1", out.getvalue())

    def test_batch(self):
        """The same at a terminal and in a file"""
        text = self.drawn("", "-b")
        self.assertNotIn("\033", text)
        self.assertEqual(text.count("NAME"), 3)


if __name__ == "__main__":
    unittest.main()
