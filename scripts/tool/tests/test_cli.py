# SPDX-License-Identifier: GPL-2.0-only

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from rpcrdma_ctl import cli, doctor, system, views

from .machine import connection, healthy


class Cli(unittest.TestCase):
    def run_(self, *words, view=None, root=True):
        """(status, standard output, messages to the administrator)"""
        out, err = io.StringIO(), io.StringIO()
        view = view or views.View(0.0, [connection()], True)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), \
                mock.patch.object(views, "load", lambda *_: view), \
                mock.patch.object(os, "geteuid", lambda: 0 if root else 1000):
            try:
                result = cli.main(words)
            except SystemExit as end:
                result = end.code
        return result, out.getvalue(), err.getvalue()

    def test_usage(self):
        for words in ((), ("nothing",), ("top", "-n", "0"), ("top", "-d", "nan"), ("doctor", "-p", "70000"),
                      ("status", "--what"), ("trace",), ("trace", "/mnt", "-i", "file")):
            with self.subTest(words=words):
                result, _, said = self.run_(*words)
                self.assertEqual(result, cli.USAGE)
                self.assertIn("usage: rpcrdmactl", said)

    def test_ranges(self):
        for words, text in ((("trace", "-c", "2000000", "/mnt"), "2000000 is not a number from 1 to 1000000"),
                            (("top", "-d", "0"), "0 is not a number from 0.1 to 1000000"),
                            (("doctor", "-p", "0"), "0 is not a number from 1 to 65535"),
                            (("doctor", "-p", "70000"), "70000 is not a number from 1 to 65535")):
            with self.subTest(words=words):
                self.assertIn(text, self.run_(*words)[2])

    def test_status(self):
        result, printed, _ = self.run_("status", "--json")
        self.assertEqual(result, cli.OK)
        self.assertEqual(json.loads(printed)["connections"][0]["name"], "client-1")
        self.assertIn("client-1", self.run_("status")[1])
        self.assertIn("credits_asked: 128", self.run_("status", "-l", "client-1")[1])

    def test_no_such_connection(self):
        result, printed, said = self.run_("status", "client-9")
        self.assertEqual((result, printed), (cli.IMPOSSIBLE, ""))
        self.assertEqual(said, "rpcrdmactl: no connection is called client-9\n")

    def test_no_modules(self):
        gone = views.View(0.0, [], False)
        for command in ("status", "top", "path", "traffic"):
            result, _, said = self.run_(command, view=gone)
            self.assertEqual(result, cli.IMPOSSIBLE)
            self.assertIn("not loaded", said)
        self.assertEqual(self.run_("trace", "/mnt", view=gone)[0], cli.IMPOSSIBLE)

    def test_interrupted(self):
        def interrupted(_):
            raise KeyboardInterrupt
        for words, expected in ((("status",), cli.INTERRUPTED), (("top",), cli.OK)):
            with mock.patch.dict(cli.COMMANDS, {words[0]: interrupted}):
                self.assertEqual(self.run_(*words)[0], expected)

    def test_output_that_cannot_be_written(self):
        program = os.path.join(os.path.dirname(os.path.dirname(__file__)), "rpcrdmactl")
        said = "rpcrdmactl: output: No space left on device\n"
        for redirections, expected in ((">/dev/full", (cli.IMPOSSIBLE, said)),
                                       (">/dev/full 2>&1", (cli.IMPOSSIBLE, "")), (">&-", (cli.OK, ""))):
            command = f'unset PYTHONUNBUFFERED; "$0" -B "$1" trace -i /dev/null {redirections}'
            done = subprocess.run(["sh", "-c", command, sys.executable, program], stderr=subprocess.PIPE, text=True,
                                  check=False)
            with self.subTest(redirections=redirections):
                self.assertEqual((done.returncode, done.stderr), expected)

    def test_output_that_is_closed(self):
        """Streams that were closed before the program began are None in Python."""
        facts = healthy()
        with mock.patch("rpcrdma_ctl.facts.gather", lambda *_: facts), mock.patch("sys.stdout", None), \
                mock.patch("rpcrdma_ctl.cli.need_root"):
            self.assertEqual(cli.main(["doctor"]), cli.OK)

    def test_mistake_of_the_program(self):
        """Not the status of a finding"""
        def wrong(*_):
            raise KeyError("iif")

        with mock.patch("rpcrdma_ctl.facts.gather", wrong):
            result, _, said = self.run_("doctor")
        self.assertEqual(result, cli.IMPOSSIBLE)
        self.assertIn("KeyError", said)

    def test_home_directory_is_not_looked_at(self):
        """It may be on a server that is down."""
        program = os.path.join(os.path.dirname(os.path.dirname(__file__)), "rpcrdmactl")
        with open(program, encoding="utf-8") as file:
            self.assertEqual(file.readline(), "#!/usr/bin/python3 -I\n")

    def test_not_root(self):
        for words in (("doctor",), ("trace", "/mnt")):
            result, _, said = self.run_(*words, root=False)
            self.assertEqual((result, said), (cli.IMPOSSIBLE, f"rpcrdmactl: {words[0]} needs root\n"))

    def test_top(self):
        result, printed, _ = self.run_("top", "--json", "-n", "2", "-d", "0.1")
        self.assertEqual(result, cli.OK)
        self.assertEqual([json.loads(line)["command"] for line in printed.splitlines()], ["top", "top"])

    def test_doctor(self):
        facts = healthy()
        with mock.patch("rpcrdma_ctl.facts.gather", lambda *_: facts):
            self.assertEqual(self.run_("doctor")[:2], (cli.OK, "nothing found\n"))
            facts.ports = []
            result, printed, _ = self.run_("doctor", "--json")
        self.assertEqual(result, cli.FOUND)
        self.assertEqual(json.loads(printed)["findings"][0]["name"], "device-missing")

    def test_doctor_into_a_file(self):
        with tempfile.TemporaryDirectory() as work, mock.patch("rpcrdma_ctl.facts.gather", lambda *_: healthy()):
            file = os.path.join(work, "doctor.json")
            self.assertEqual(self.run_("doctor", "--json", "-o", file)[:2], (cli.OK, ""))
            self.assertEqual(os.listdir(work), ["doctor.json"])
            self.assertEqual(json.loads(system.read(file))["findings"], [])

    def test_summary(self):
        self.assertEqual(doctor.summary([]), "nothing found")


if __name__ == "__main__":
    unittest.main()
