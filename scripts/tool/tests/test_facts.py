# SPDX-License-Identifier: GPL-2.0-only

import unittest
from unittest import mock

from rpcrdma_ctl import cm, facts, path, system

from .machine import healthy


class Ask(unittest.TestCase):
    def notes(self, outcome, detail):
        """The notes of doctor after an attempt with that outcome."""
        known = healthy()
        with mock.patch.object(system, "resolve", lambda name: name), \
                mock.patch.object(system, "source_address", lambda server: "192.168.77.1"), \
                mock.patch.object(cm, "attempt", lambda *_: (outcome, detail)), \
                mock.patch.object(path, "check", lambda *_: (True, 9000, False)):
            self.assertEqual(facts.ask(known, "192.168.77.2", 20049).outcome, outcome)
        return known.notes

    def test_answered(self):
        self.assertEqual(self.notes("listening", ""), [])

    def test_not_asked(self):
        notes = self.notes("unknown", "/dev/infiniband/rdma_cm: no (modprobe rdma_ucm, and try again)")
        self.assertEqual(len(notes), 1)
        self.assertIn("192.168.77.2 port 20049: not known", notes[0])
        self.assertIn("modprobe rdma_ucm", notes[0])


if __name__ == "__main__":
    unittest.main()
