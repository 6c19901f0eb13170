# SPDX-License-Identifier: GPL-2.0-only

import argparse
import os
import tempfile
import unittest
from unittest import mock

from rpcrdma_ctl import events, trace
from rpcrdma_ctl.failure import Failure


class Recorder:
    """Gives one line of text."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def chunks(self, _seconds):
        yield "# tracer: nop\n"


class Output(unittest.TestCase):
    def record(self, path):
        options = argparse.Namespace(output=path, duration=1, count=0)
        with mock.patch.object(trace, "Recorder", Recorder):
            return trace.record(options, events.Decoder())

    def test_written(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "record")
            self.assertEqual(self.record(path), [])
            with open(path, encoding="ascii") as file:
                self.assertEqual(file.read(), "# tracer: nop\n")

    def test_cannot_be_written(self):
        for path, why in (("/nonexistent/record", "No such file or directory"), ("/", "Is a directory"),
                          ("/dev/full", "No space left on device")):
            with self.subTest(path=path), self.assertRaises(Failure) as failure:
                self.record(path)
            self.assertEqual(str(failure.exception), f"{path}: {why}")


if __name__ == "__main__":
    unittest.main()
