# SPDX-License-Identifier: GPL-2.0-only

import json
import os
import tempfile
import unittest
from unittest import mock

from rpcrdma_ctl import names, rates, status, system, tables, views
from rpcrdma_ctl.failure import Failure
from rpcrdma_ctl.model import Mount

from . import tree
from .machine import connection


class Views(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.TemporaryDirectory()
        self.addCleanup(self.root.cleanup)

    def write(self, path, text):
        path = os.path.join(self.root.name, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(text + "\n")

    def test_load(self):
        for name in ("client-10", "client-2", "server-1"):
            self.write(f"{name}/side", name.split("-")[0])
            self.write(f"{name}/peer_address", "fd77::1")
            self.write(f"{name}/peer_port", "20049")
            self.write(f"{name}/version", "")
            self.write(f"{name}/counters", f"connects 1\nsends {2**63}")
            self.write(f"{name}/refusals", "vers 3")
            self.write(f"{name}/latency", "post_to_completion 0 5 0\nregistration 1 0 0")
        os.mkdir(os.path.join(self.root.name, "server-2"))      # is about to go
        view = views.load(self.root.name)
        self.assertTrue(view.present)
        self.assertEqual([one.name for one in view.connections], ["client-2", "client-10", "server-1"])
        one = view.connections[0]
        self.assertEqual(one.peer, "[fd77::1]:20049")
        self.assertIsNone(one.number("version"))
        self.assertEqual(one.counters, {"connects": 1, "sends": 2**63})
        self.assertEqual(one.refusals, {"vers": 3})
        self.assertEqual(one.latency, {"post_to_completion": [0, 5, 0], "registration": [1, 0, 0]})
        self.assertNotIn("counters", one.values)

    def test_older_modules(self):
        self.write("client-1/counters/sends", "1")
        with self.assertRaisesRegex(Failure, "older than this program"):
            views.load(self.root.name)

    def test_a_connection_that_goes_while_it_is_read(self):
        """Without its latency, or its refusals, sums would go backwards."""
        for missing in ("refusals", "latency"):
            tree.write(self.root.name, "server-1", last_refusal="wrong version")
            os.unlink(os.path.join(self.root.name, "server-1", missing))
            for view in (views.load(self.root.name), views.Reader(self.root.name).load()):
                self.assertEqual((view.connections, view.unread), ([], ["server-1"]))

    def test_absent(self):
        view = views.load(os.path.join(self.root.name, "nothing"))
        self.assertFalse(view.present)
        self.assertEqual(view.connections, [])

    def test_mounts(self):
        mounts = [Mount("/mnt/a", "192.168.77.2", 20049), Mount("/mnt/b", "192.168.77.3", 20049)]
        self.assertEqual(views.mounts_of(connection(), mounts), ["/mnt/a"])
        self.assertEqual(views.mounts_of(connection("server"), mounts), [])


class Reader(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)
        self.root = os.path.join(self.work.name, "connections")
        self.reader = views.Reader(self.root)

    def read(self):
        """The only connection, and how many files were read for it"""
        with mock.patch.object(system, "content", mock.Mock(wraps=system.content)) as content:
            return self.reader.load().connections[0], content.call_count

    def test_the_same_as_load(self):
        tree.write(self.root, "server-1", refusals={"vers": 2}, last_refusal="wrong version")
        for _ in range(2):
            one, wanted = self.read()[0], views.load(self.root).connections[0]
            self.assertEqual((one.name, one.side, one.peer, one.source, one.counters, one.refusals, one.latency),
                             (wanted.name, wanted.side, wanted.peer, wanted.source, wanted.counters, wanted.refusals,
                              wanted.latency))
            self.assertEqual({name: one.values[name] for name in names.GAUGES},
                             {name: wanted.values.get(name, "") for name in names.GAUGES})

    def test_what_has_not_changed(self):
        tree.write(self.root, "server-1")
        (before, first), (after, second) = self.read(), self.read()
        self.assertEqual(first - second, len(views.ADDRESSES))
        self.assertIs(after.counters, before.counters)
        self.assertIs(after.latency, before.latency)
        tree.write(self.root, "server-1", counters={"sends": 1001}, state="closed")
        last = self.read()[0]
        self.assertEqual((last.counters["sends"], last.values["state"]), (1001, "closed"))
        self.assertIs(last.latency, before.latency)

    def test_without_its_peer_it_would_be_another_connection(self):
        tree.write(self.root, "server-1")
        os.unlink(os.path.join(self.root, "server-1/peer_address"))
        self.assertEqual(self.reader.load().unread, ["server-1"])

    def test_a_source_address_that_comes_later(self):
        tree.write(self.root, "server-1", source_address="", source_port="")
        self.assertEqual(self.read()[0].source, "")
        tree.write(self.root, "server-1")
        self.assertEqual(self.read()[0].source, "10.1.0.1:20049")

    def test_another_directory(self):
        """The module was loaded again, and the name is that of another connection."""
        tree.write(self.root, "server-1")
        self.assertEqual(self.read()[0].peer, "10.0.0.2:40000")
        os.rename(self.root, f"{self.root}.old")    # which keeps its inode
        tree.write(self.root, "server-1", peer_address="10.9.9.9")
        self.assertEqual(self.read()[0].peer, "10.9.9.9:40000")


class Status(unittest.TestCase):
    def test_table(self):
        head, line = status.lines([connection(last_error="104", last_error_reason="peer disconnected",
                                              last_error_age_seconds="75")])
        self.assertTrue(head.startswith("NAME"))
        for word in ("client-1", "192.168.77.2:20049", "rxe0/1", "established", "3m20s", "8192/8192", "64/128",
                     "5/400", "2/40", "peer disconnected, 1m15s ago"):
            self.assertIn(word, line)
        self.assertEqual(status.lines([]), ["no connections"])

    def test_not_connected(self):
        gone = connection(state="none", device="", version="", age_seconds="", inline_send="", inline_receive="",
                          credits_granted="", credits_asked="", mrs="", mrs_used="")
        self.assertIn("none", status.lines([gone])[1])

    def test_long(self):
        one = connection()
        one.counters = {"sends": 7, "closes": 0}
        one.latency = {"registration": [0, 9, 1] + 25 * [0]}
        text = "\n".join(status.long_lines(one, [Mount("/mnt/a", "192.168.77.2", 20049)]))
        for word in ("mount: /mnt/a", "version: 1", "counters/sends: 7", "10 times, half below 0.5 us"):
            self.assertIn(word, text)
        self.assertNotIn("closes", text)

    def test_json(self):
        found = json.loads(json.dumps(status.data(connection(), [])))
        self.assertEqual((found["name"], found["version"], found["last_error_reason"]), ("client-1", 1, None))


class Rates(unittest.TestCase):
    def test_rates(self):
        before, after = connection(), connection()
        before.counters = {"calls_inline": 100, "calls_long": 0, "read_bytes": 0, "post_sends": 2**64 - 20}
        after.counters = {"calls_inline": 300, "calls_long": 2, "read_bytes": 4 * 10**6, "post_sends": 2**64 - 10,
                          "messages_dropped": 1}
        after.refusals = {"vers": 1}
        before.latency = {"post_to_completion": [0] * 28}
        after.latency = {"post_to_completion": [0] * 10 + [98, 0, 2] + [0] * 15, "credit_wait": [4] + [0] * 27}
        pairs = rates.compare(views.View(10.0, [before], True), views.View(12.0, [after], True))
        found = pairs[0][1]
        self.assertEqual((found["calls"], found["bytes_to_server"], found["posts"]), (101, 2 * 10**6, 5))
        self.assertEqual((found["errors"], found["credit_waits"]), (1, 2))
        self.assertEqual((found["post_to_completion_p50_ns"], found["post_to_completion_p99_ns"]), (2**18, 2**20))
        line = rates.lines(pairs)[1]
        for word in ("client-1", "101", "2.0", "64/128", "262", "1049"):
            self.assertIn(word, line)
        self.assertEqual(rates.data(*pairs[0])["per_second"]["calls"], 101)

    def test_a_connection_that_has_just_come(self):
        new = connection()
        new.counters = {"calls_inline": 10}
        pairs = rates.compare(views.View(0.0, [], True), views.View(1.0, [new], True))
        self.assertEqual(pairs[0][1]["calls"], 10)

    def test_nothing(self):
        self.assertEqual(rates.lines([]), ["no connections"])


class Tables(unittest.TestCase):
    def test_units(self):
        for seconds, text in ((0, "0s"), (59, "59s"), (60, "1m00s"), (3600, "1h00m"), (90061, "1d1h"), (None, "-")):
            self.assertEqual(tables.duration(seconds), text)
        for value, text in ((0, "0"), (0.25, "0.2"), (99.9, "99.9"), (100, "100"), (123456, "123k")):
            self.assertEqual(tables.rate(value), text)
        self.assertEqual(tables.pair(None, None), "-")
        self.assertEqual(tables.pair(None, 3), "-/3")
        self.assertEqual(tables.microseconds(2500), "2.5")

    def test_table(self):
        self.assertEqual(list(tables.table(["A", "B"], [["x", 10], ["long", 1]], {"B"})),
                         ["A      B", "x     10", "long   1"])


if __name__ == "__main__":
    unittest.main()
