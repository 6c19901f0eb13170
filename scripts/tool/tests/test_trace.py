# SPDX-License-Identifier: GPL-2.0-only

import argparse
import os
import shutil
import signal
import tempfile
import time
import unittest
from unittest import mock

from rpcrdma_ctl import events, trace
from rpcrdma_ctl.failure import Failure


class Recording:
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
        with mock.patch.object(trace, "Recorder", Recording):
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


class Instance(unittest.TestCase):
    """In a directory that is as tracefs: a new instance has its files, which go with it."""

    def setUp(self):
        self.tracing = self.enterContext_(tempfile.TemporaryDirectory())
        os.makedirs(f"{self.tracing}/events/xprtrdma")
        os.mkdir(self.instances())
        self.files = ("trace_clock", "trace_pipe")
        make = os.mkdir
        for target, name, value in ((trace, "TRACING", self.tracing), (trace, "remove", shutil.rmtree),
                                    (trace.os, "mkdir", lambda path: (make(path), self.fill(path)))):
            self.enterContext_(mock.patch.object(target, name, value))

    def enterContext_(self, context):       # unittest has enterContext() since Python 3.11
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def handle(self, one, handler):
        self.addCleanup(signal.signal, one, signal.signal(one, handler))

    def instances(self):
        return f"{self.tracing}/instances"

    def fill(self, path):
        for name in self.files:
            open(f"{path}/{name}", "w", encoding="ascii").close()

    def left(self):
        return os.listdir(self.instances())

    def test_there_while_recording(self):
        with trace.Recorder():
            self.assertEqual(self.left(), [f"rpcrdmactl-{os.getpid()}"])
        self.assertEqual(self.left(), [])

    def test_removed_when_a_signal_ends_the_program(self):
        for one in (signal.SIGTERM, signal.SIGHUP):
            self.handle(one, signal.SIG_DFL)        # the tests may run under nohup themselves
            with self.subTest(signal=one), self.assertRaises(KeyboardInterrupt), trace.Recorder():
                os.kill(os.getpid(), one)
                time.sleep(10)
            self.assertEqual(self.left(), [])
            self.assertEqual(signal.getsignal(one), signal.SIG_DFL)

    def test_second_signal_while_it_is_removed(self):
        self.handle(signal.SIGHUP, signal.SIG_DFL)

        def remove(path):
            os.kill(os.getpid(), signal.SIGHUP)
            shutil.rmtree(path)
        with mock.patch.object(trace, "remove", remove), trace.Recorder():
            pass
        self.assertEqual(self.left(), [])

    def test_nohup(self):
        self.handle(signal.SIGHUP, signal.SIG_IGN)
        with trace.Recorder():
            os.kill(os.getpid(), signal.SIGHUP)

    def test_removed_when_it_cannot_be_read(self):
        self.files = ("trace_clock",)
        with self.assertRaises(Failure), trace.Recorder():
            pass
        self.assertEqual(self.left(), [])

    def test_left_behind(self):
        for name in ("rpcrdmactl-99999999", "rpcrdmactl-own", f"rpcrdmactl-{os.getppid()}"):
            os.mkdir(f"{self.instances()}/{name}")
        with trace.Recorder():
            pass
        self.assertEqual(sorted(self.left()), [f"rpcrdmactl-{os.getppid()}", "rpcrdmactl-own"])


if __name__ == "__main__":
    unittest.main()
