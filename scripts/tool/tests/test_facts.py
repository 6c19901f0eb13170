# SPDX-License-Identifier: GPL-2.0-only

import pathlib
import tempfile
import threading
import unittest
from unittest import mock

from rpcrdma_ctl import cm, facts, path, system
from rpcrdma_ctl.model import Mount

from .machine import connection, healthy


class Ask(unittest.TestCase):
    def known(self, outcome, detail="", own="absent", software=True):
        """What doctor knows after an attempt with that outcome; own: that of one to our address."""
        known = healthy()
        known.ports[0].software = software
        answers = {"192.168.77.1": (own, ""), "192.168.77.2": (outcome, detail)}
        with mock.patch.object(system, "resolve", lambda name: name), \
                mock.patch.object(system, "source_address", lambda server: "192.168.77.1"), \
                mock.patch.object(cm, "attempt", lambda server, _: answers[server]), \
                mock.patch.object(path, "check", lambda *_: (True, 9000, False)):
            self.assertEqual(facts.ask(known, "192.168.77.2", 20049).outcome, outcome)
        return known

    def test_answered(self):
        self.assertEqual(self.known("listening").notes, [])

    def test_stuck(self):
        self.assertTrue(self.known("silent", own="silent").ports[0].stuck)
        self.assertFalse(self.known("silent").ports[0].stuck)
        self.assertFalse(self.known("absent", own="silent").ports[0].stuck)
        self.assertFalse(self.known("silent", own="silent", software=False).ports[0].stuck)

    def test_not_asked(self):
        notes = self.known("unknown", "/dev/infiniband/rdma_cm: no (modprobe rdma_ucm, and try again)").notes
        self.assertEqual(len(notes), 1)
        self.assertIn("192.168.77.2 port 20049: not known", notes[0])
        self.assertIn("modprobe rdma_ucm", notes[0])


class OnTop(unittest.TestCase):
    """Network devices that lead to a port of InfiniBand"""

    def test_bond_vlan_and_partition(self):
        with tempfile.TemporaryDirectory() as net, mock.patch.object(facts, "NET", net):
            for name in ("ib0", "ib0.8001", "bond0", "bond0.5", "eth0", "eth0.5"):
                (pathlib.Path(net) / name).mkdir()
            (pathlib.Path(net) / "ib0.8001/parent").write_text("ib0\n", encoding="utf-8")
            for name, below in (("bond0", "ib0"), ("bond0.5", "bond0"), ("eth0.5", "eth0")):
                (pathlib.Path(net) / name / f"lower_{below}").mkdir()
            self.assertEqual(facts.on_top(["ib0"]), {"ib0", "ib0.8001", "bond0", "bond0.5"})
            self.assertEqual(facts.on_top([]), set())


class Attempts(unittest.TestCase):
    """Which servers are asked"""

    def asked(self, server="", **values):
        known = healthy()
        known.mounts = [Mount("/mnt", "192.168.77.2", 20049)]
        known.connections = [connection(**{"state": "none", **values})]
        with mock.patch.object(facts, "ask", lambda _, name, port: name):
            facts.attempts(known, server, 20049)
        return known.attempts

    def test_connected(self):
        self.assertEqual(self.asked(state="established"), [])

    def test_lost(self):
        self.assertEqual(self.asked(last_error_reason="peer not reachable"), ["192.168.77.2"])
        self.assertEqual(self.asked(), ["192.168.77.2"])

    def test_dead_servers_are_asked_at_the_same_time(self):
        known, meet = healthy(), threading.Barrier(20, timeout=30)
        known.connections = []
        known.mounts = [Mount(f"/mnt{one}", f"192.168.77.{one + 2}", 20049) for one in range(20)]
        with mock.patch.object(facts, "ask", lambda _, name, port: meet.wait() >= 0 and name):
            facts.attempts(known, "", 20049)
        self.assertEqual(known.attempts, sorted(mount.server for mount in known.mounts))

    def test_idle(self):
        """doctor may run every 30 s, and the server logs each attempt."""
        idle = {"last_error_reason": "closed by this end"}
        self.assertEqual(self.asked(**idle), [])
        self.assertEqual(self.asked("192.168.77.2", **idle), ["192.168.77.2"])
        self.assertEqual(self.asked(**idle, requests_waiting="1"), ["192.168.77.2"])
        self.assertEqual(self.asked(**idle, last_error="110"), ["192.168.77.2"])


if __name__ == "__main__":
    unittest.main()
