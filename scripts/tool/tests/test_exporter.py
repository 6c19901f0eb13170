# SPDX-License-Identifier: GPL-2.0-only

import contextlib
import http.client
import io
import itertools
import os
import shutil
import socket
import tempfile
import threading
import time
import unittest
from unittest import mock

from rpcrdma_ctl import cli, exporter, metrics, openmetrics, sample
from rpcrdma_ctl.totals import Totals

from . import tree

CONNECTIONS = 1000
SCRAPE_SECONDS = 0.05


def reading(value):
    family = openmetrics.Family("a", "gauge", "A")
    family.add({}, value)
    return exporter.Reading([family])


class Served(unittest.TestCase):
    def serve(self, read):
        server = exporter.Server(("127.0.0.1", 0), exporter.Sampler(read))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        self.port = server.server_address[1]
        return server

    def get(self, path="/metrics", method="GET", **headers):
        """(status, content type, body)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        with contextlib.closing(connection):
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.getheader("Content-Type"), answer.read().decode()


class Http(Served):
    def test_formats(self):
        self.serve(lambda: reading(3))
        status, kind, text = self.get()
        self.assertEqual((status, kind), (200, "text/plain; version=0.0.4; charset=utf-8"))
        self.assertIn("a 3\n", text)
        self.assertNotIn("# EOF", text)
        accept = "application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5"
        status, kind, text = self.get(Accept=accept)
        self.assertEqual((status, kind), (200, "application/openmetrics-text; version=1.0.0; charset=utf-8"))
        self.assertTrue(text.endswith("# EOF\n"))

    def test_paths(self):
        self.serve(lambda: reading(3))
        self.assertEqual(self.get("/metrics?x=y")[0], 200)
        self.assertIn("/metrics", self.get("/")[2])
        self.assertEqual(self.get("/etc/passwd")[0], 404)
        self.assertEqual(self.get(method="HEAD")[::2], (200, ""))
        self.assertEqual(self.get(method="POST")[0], 501)

    def test_each_scrape_reads(self):
        numbers = iter(range(10))
        self.serve(lambda: reading(next(numbers)))
        self.assertEqual([self.get()[2].splitlines()[-1] for _ in range(3)], ["a 0", "a 1", "a 2"])

    def test_a_slow_reading_is_for_the_next_scrape(self):
        slow, numbers = threading.Event(), itertools.count()

        def read():
            number = next(numbers)
            if number == 1:
                slow.wait(10)
            return reading(number)

        self.serve(read)
        self.assertIn("a 0\n", self.get()[2])
        begin = time.monotonic()
        self.assertIn("a 0\n", self.get()[2])
        self.assertLess(time.monotonic() - begin, 5)
        slow.set()
        for _ in range(1000):
            text = self.get()[2]
            if "a 0\n" not in text:
                break
            time.sleep(0.01)
        self.assertRegex(text, "(?m)^a [1-9]")

    def test_no_scrape_waits_in_vain(self):
        sampler = exporter.Sampler(lambda: reading(3))
        self.assertEqual(sampler.patience(), exporter.LONGEST)
        sampler.get(openmetrics.PROMETHEUS)
        for took, patience in ((0, exporter.PATIENCE), (2 * exporter.PATIENCE, 0)):
            sampler.latest.took = took
            self.assertEqual(sampler.patience(), patience)

    def test_an_old_reading_is_not_used(self):
        numbers = iter(range(10))

        def read():
            time.sleep(2 * exporter.PATIENCE)
            return reading(next(numbers))

        with mock.patch.object(exporter, "OLD", 0.3):
            self.serve(read)
            self.get()
            time.sleep(0.4)
            self.assertIn("a 1\n", self.get()[2])

    def test_a_failure_passes(self):
        numbers = iter([1, None, 2])

        def read():
            number = next(numbers)
            if number is None:
                raise ValueError("cannot be read")
            return reading(number)

        self.serve(read)
        with contextlib.redirect_stderr(io.StringIO()) as said:
            answers = [self.get() for _ in range(3)]
        self.assertEqual([answer[0] for answer in answers], [200, 500, 200])
        self.assertIn("cannot be read", answers[1][2])
        self.assertIn("cannot be read", said.getvalue())

    def test_clients_that_hang(self):
        """They are disconnected; while there are too many, others are not served."""
        with mock.patch.object(exporter.Handler, "timeout", 3), mock.patch.object(exporter, "REQUESTS", 2), \
                contextlib.ExitStack() as idle:
            self.serve(lambda: reading(3))
            first = idle.enter_context(socket.create_connection(("127.0.0.1", self.port), 20))
            idle.enter_context(socket.create_connection(("127.0.0.1", self.port)))
            with self.assertRaises((http.client.HTTPException, OSError)):
                self.get()
            self.assertEqual(first.recv(1), b"")
            # The end is seen a moment before the server counts it
            for _ in range(50):
                with contextlib.suppress(http.client.HTTPException, OSError):
                    self.assertEqual(self.get()[0], 200)
                    return
                time.sleep(0.1)
            self.fail("others are still not served")


class Listen(unittest.TestCase):
    def test_addresses(self):
        for text, wanted in (("127.0.0.1:1", ("127.0.0.1", 1)), ("[::1]:9000", ("::1", 9000))):
            self.assertEqual(cli.listen(text), wanted)
        for text in ("9000", "host:9000", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:70000"):
            with self.assertRaises((cli.argparse.ArgumentTypeError, ValueError)):
                cli.listen(text)

    def test_in_use(self):
        with socket.create_server(("127.0.0.1", 0)) as other, contextlib.redirect_stderr(io.StringIO()) as said:
            port = other.getsockname()[1]
            self.assertEqual(cli.main(["exporter", "-l", f"127.0.0.1:{port}"]), cli.IMPOSSIBLE)
        self.assertIn(f"cannot listen at 127.0.0.1 port {port}", said.getvalue())

    def test_only_here_by_default(self):
        self.assertEqual(cli.parser().parse_args(["exporter"]).listen, ("127.0.0.1", 20149))


class Thousand(Served):
    """Scrapes with 1,000 connections; each link leads to the same files, which are read for each."""

    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        tree.write(self.root, "server-1")
        for number in range(2, CONNECTIONS + 1):
            os.symlink("server-1", os.path.join(self.root, f"server-{number}"))

    def scrapes(self, each, count):
        readings = sample.Readings(Totals(), each, "none", self.root)
        self.serve(lambda: exporter.Reading(metrics.families(readings.take())))
        self.assertIn("rpcrdma_connections{", self.get()[2])    # the first one waits
        for _ in range(count):
            begin = time.monotonic()
            text = self.get()[2]
            yield time.monotonic() - begin, text
            time.sleep(0.1)

    def test_sums(self):
        found = list(self.scrapes(False, 10))
        self.assertIn(f'state="established"}} {CONNECTIONS}\n', found[0][1])
        self.assertLess(len(found[0][1].splitlines()), 500)
        self.assertLess(min(took for took, _ in found), SCRAPE_SECONDS)

    def test_each(self):
        found = list(self.scrapes(True, 1))
        self.assertEqual(found[0][1].count("\nrpcrdma_sends_total{"), CONNECTIONS)


if __name__ == "__main__":
    unittest.main()
