# SPDX-License-Identifier: GPL-2.0-only

import contextlib
import io
import unittest
from unittest import mock

from rpcrdma_ctl import cli, doctor, tables, terminal, views
from rpcrdma_ctl.model import Finding, here

from .machine import connection

# A title for the window, a cleared screen, a second line, an 8-bit CSI, a bidirectional override, half a surrogate
HOSTILE = "a\033]0;owned\007\033[2Jb\nc\x9b31md\u202ee\udcff"


class Stream(io.StringIO):
    def __init__(self, terminal_, encoding="utf-8"):
        super().__init__()
        self.terminal, self.encoding_ = terminal_, encoding

    def isatty(self):
        return self.terminal

    encoding = property(lambda self: self.encoding_)


class Printable(unittest.TestCase):
    def is_safe(self, text):
        self.assertTrue(all(line.isprintable() for line in text.split("\n")), repr(text))
        text.encode("utf-8")

    def test_text(self):
        self.assertEqual(terminal.printable("Straße 1:/dätä"), "Straße 1:/dätä")
        self.assertEqual(terminal.printable("\033[2J\n\x9b\u202e\udcff\U000e0001"),
                         "\\x1b[2J\\x0a\\x9b\\u202e\\udcff\\U000e0001")
        self.is_safe(terminal.printable(HOSTILE))

    def printed(self, *words, connections=()):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), \
                mock.patch.object(views, "load", lambda *_: views.View(0.0, list(connections), True)):
            cli.main(words)
        return out.getvalue() + err.getvalue()

    def test_commands(self):
        one = connection(last_error_reason=HOSTILE, device=HOSTILE, peer_address=HOSTILE)
        for words in (("status",), ("status", "-l"), ("traffic",), ("top", "-n", "1", "-d", "0.1"),
                      ("status", HOSTILE), ("traffic", "check", "-f", HOSTILE)):
            with self.subTest(words=words):
                text = self.printed(*words, connections=[one])
                self.assertIn("\\x1b", text)
                self.is_safe(text)
        self.assertEqual(len(self.printed("status", connections=[one]).splitlines()), 2)

    def test_doctor(self):
        found = [Finding("x", "error", HOSTILE, here(HOSTILE))]
        self.is_safe("\n".join(map(terminal.printable, doctor.lines(found, [HOSTILE]))))
        self.is_safe("\n".join(tables.table(["A"], [[HOSTILE]])))


class Colour(unittest.TestCase):
    def test_when(self):
        for stream, environment, refused, wanted in (
                (Stream(True), {"TERM": "xterm"}, False, True), (Stream(False), {"TERM": "xterm"}, False, False),
                (Stream(True), {"TERM": "xterm", "NO_COLOR": "1"}, False, False),
                (Stream(True), {"TERM": "xterm", "NO_COLOR": ""}, False, True),
                (Stream(True), {"TERM": "xterm"}, True, False), (Stream(True), {"TERM": "dumb"}, False, False),
                (Stream(True), {}, False, False)):
            self.assertEqual(bool(terminal.wants_colour(stream, environment, refused)), wanted)

    def test_unicode(self):
        self.assertTrue(terminal.wants_unicode(Stream(True), {"TERM": "xterm"}))
        self.assertFalse(terminal.wants_unicode(Stream(True, "ascii"), {"TERM": "xterm"}))
        self.assertFalse(terminal.wants_unicode(Stream(True), {"TERM": "linux"}))

    def test_style(self):
        self.assertEqual(terminal.Look(True).style("red", "x"), "\033[1;31mx\033[0m")
        self.assertEqual(terminal.Look(False).style("red", "x"), "x")

    def test_doctor(self):
        texts = ["ERROR x: y", "    on here:  z", "note: n", "nothing found"]
        self.assertEqual(list(doctor.styled(texts, terminal.Look())), texts)
        coloured = list(doctor.styled(texts, terminal.Look(True)))
        self.assertTrue(coloured[0].startswith("\033[1;31mERROR\033[0m x"))
        self.assertEqual(coloured[1], texts[1])


class Drawing(unittest.TestCase):
    def test_sparkline(self):
        look = terminal.Look(False, True)
        self.assertEqual(look.sparkline([None, 0, 1, 50, 100], 6), "  ▁▂▄▇")
        self.assertEqual(look.sparkline(range(100), 3, 99), "▇▇▇")
        self.assertEqual(look.sparkline([], 3), "   ")
        self.assertEqual(look.sparkline([0, 0], 2), "▁▁")
        self.assertEqual(terminal.Look().sparkline([0, 100], 2), "_#")

    def test_cell(self):
        self.assertEqual(terminal.Look().cell(0, 10), " ")
        self.assertEqual(terminal.Look().cell(1, 10**6), ".")
        self.assertEqual(terminal.Look().cell(10**6, 10**6), "#")
        self.assertEqual(terminal.Look(True).cell(10, 10), "\033[48;5;226m \033[0m")
        self.assertEqual(terminal.Look(True).cell(0, 10), " ")


if __name__ == "__main__":
    unittest.main()
