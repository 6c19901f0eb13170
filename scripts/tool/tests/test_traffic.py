# SPDX-License-Identifier: GPL-2.0-only

import contextlib
import io
import os
import tempfile
import unittest
from unittest import mock

from rpcrdma_ctl import cli, findings_traffic, system, traffic, views
from rpcrdma_ctl.failure import Failure
from rpcrdma_ctl.findings import findings

from .machine import connection, healthy, siw

GOOD = """# a comment
client 10.1.0.0/16 dscp=26 ack_timeout=18   # and another one
server  fd77::/64  rnr_retries=0 rnr_timer=31

client 10.1.0.7 tos=0
"""


class Rules(unittest.TestCase):
    def test_texts(self):
        rules = traffic.parse(GOOD)
        self.assertEqual(traffic.kernel_text(rules, "client"), "10.1.0.0/16,tos=104,ack_timeout=18;10.1.0.7/32,tos=0")
        self.assertEqual(traffic.kernel_text(rules, "server"), "fd77::/64,rnr_timer=31,rnr_retries=0")
        self.assertEqual(traffic.modprobe_text(rules).splitlines()[1:],
                         ["options xprtrdma traffic_rules=10.1.0.0/16,tos=104,ack_timeout=18;10.1.0.7/32,tos=0",
                          "options svcrdma traffic_rules=fd77::/64,rnr_timer=31,rnr_retries=0"])
        self.assertEqual(traffic.counted(rules), "2 rules for the client, 1 for the server")
        self.assertEqual(traffic.parse("# nothing\n\n"), [])

    def test_ends_of_ranges(self):
        for word in ("tos=0", "tos=255", "dscp=0", "dscp=63", "ack_timeout=0", "ack_timeout=31", "rnr_timer=1",
                     "rnr_timer=31", "rnr_retries=0", "rnr_retries=6"):
            self.assertEqual(len(traffic.parse(f"client ::1 {word}")), 1)

    def test_refused(self):
        for line, text in (("both 10.0.0.0/8 tos=1", "begins with client or server"),
                           ("client 10.0.0.0/8", "at least one setting"),
                           ("client 10.0.0.1/8 tos=1", "has host bits set"),
                           ("client 10.0.0.0/33 tos=1", "does not appear to be an IPv4 or IPv6 network"),
                           ("client banana tos=1", "does not appear"),
                           ("client fe80::1%ib0 tos=1", "has no zone"),
                           ("client fe80::1%x;10.0.0.1,tos=255/128 tos=1", "has no zone"),
                           ("client ::ffff:10.0.0.0/104 tos=1", "as an IPv4 address"),
                           ("client ::1 tos=256", "tos must be a number from 0 to 255, not 256"),
                           ("client ::1 tos=-1", "from 0 to 255, not -1"),
                           ("client ::1 tos=", "not nothing"),
                           ("client ::1 tos=\u0663", "must be a number"),
                           ("client ::1 dscp=64", "dscp must be a number from 0 to 63"),
                           ("client ::1 ack_timeout=32", "from 0 to 31"),
                           ("client ::1 rnr_timer=0", "from 1 to 31"),
                           ("client ::1 rnr_retries=7", "from 0 to 6"),
                           ("client ::1 class=3", "class=3 is none of tos=, dscp=, ack_timeout="),
                           ("client ::1 tos", "tos is none of"),
                           ("client ::1 tos=4 dscp=1", "tos is set twice"),
                           ("server ::1 dscp=1", "its clients choose it"),
                           ("client ::1 tos=1\nclient ::1/128 tos=2", "line 2: another rule of the client"),
                           ("\n".join(f"client 10.0.0.{n} tos=1" for n in range(33)), "line 33: .*more than 32")):
            with self.subTest(line=line), self.assertRaisesRegex(Failure, text):
                traffic.parse(line)

    def test_same_address_on_both_sides(self):
        self.assertEqual(len(traffic.parse("client ::1 tos=1\nserver ::1 rnr_timer=1")), 2)


class Load(unittest.TestCase):
    def setUp(self):
        root = tempfile.TemporaryDirectory()
        self.addCleanup(root.cleanup)
        self.root = root.name
        for name, value in (("PARAMETER", self.path("{}")), ("MODPROBE", self.path("modprobe"))):
            patch = mock.patch.object(traffic, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.put("rules", GOOD)

    def path(self, name):
        return os.path.join(self.root, name)

    def put(self, name, text=""):
        with open(self.path(name), "w", encoding="ascii") as file:
            file.write(text)

    def run_(self, *words):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), \
                mock.patch.object(os, "geteuid", lambda: 0), \
                mock.patch.object(views, "load", lambda *_: views.View(0.0, [connection(tos="106")], True)):
            result = cli.main(("traffic", *words))
        return result, out.getvalue(), err.getvalue()

    def test_load(self):
        self.put("xprtrdma")
        result, printed, _ = self.run_("load", "-f", self.path("rules"))
        self.assertEqual(result, cli.OK)
        self.assertIn("2 rules for the client, 1 for the server: loaded", printed)
        self.assertEqual(system.read(self.path("xprtrdma")), traffic.kernel_text(traffic.parse(GOOD), "client"))
        self.assertFalse(os.path.exists(self.path("svcrdma")))      # it is not loaded
        self.assertIn("options svcrdma", system.read(self.path("modprobe")))
        self.put("rules", "")
        self.assertEqual(self.run_("load", "-f", self.path("rules"))[0], cli.OK)
        self.assertEqual(system.read(self.path("xprtrdma"), "unread"), "")
        self.assertFalse(os.path.exists(self.path("modprobe")))

    def test_check_changes_nothing(self):
        self.put("xprtrdma")
        self.assertIn("right", self.run_("check", "-f", self.path("rules"))[1])
        self.assertEqual(system.read(self.path("xprtrdma")), "")
        self.assertFalse(os.path.exists(self.path("modprobe")))

    def test_wrong_file(self):
        self.put("rules", "client ::1 tos=999\n")
        result, printed, said = self.run_("load", "-f", self.path("rules"))
        self.assertEqual((result, printed), (cli.IMPOSSIBLE, ""))
        self.assertIn("rules: line 1: tos must be a number from 0 to 255, not 999", said)
        self.assertIn("cannot be read", self.run_("check", "-f", self.path("none"))[2])

    def test_intree_module(self):
        with mock.patch.object(system, "is_directory", lambda path: path.endswith("/rpcrdma")), \
                mock.patch.object(system, "read", lambda *_: ""):
            self.assertIn("the in-tree rpcrdma is loaded", self.run_("load", "-f", self.path("rules"))[2])

    def test_old_module(self):
        with mock.patch.object(system, "is_directory", lambda path: not path.endswith("/rpcrdma")):
            self.assertIn("takes no rules", self.run_("load", "-f", self.path("rules"))[2])

    def test_show(self):
        self.put("xprtrdma", "10.0.0.0/8,tos=4;::1/128,tos=8\n")
        _, printed, _ = self.run_()
        self.assertIn("client rule: ::1/128,tos=8\n", printed)
        self.assertRegex(printed, r"client-1 +192.168.77.2:20049 +106 +26 +0 +19 +20 +6\n")
        self.assertIn('"tos": 106', self.run_("--json")[1])
        self.assertEqual(list(traffic.lines({"client": []}, [])), ["no rules", "no connections"])


class Doctor(unittest.TestCase):
    def setUp(self):
        self.facts = healthy()

    def names(self):
        return [one.name for one in findings(self.facts)]

    def test_older_than_the_choice(self):
        self.facts.connections = [connection(tos="104", tos_configured="72")]
        found = findings(self.facts)
        self.assertEqual([one.name for one in found], ["traffic-class"])
        self.assertIn("104 (DSCP 26), a new connection would send with 72 (DSCP 18)", found[0].text)
        self.facts.ports[0].kind = "InfiniBand"     # there the subnet manager decides
        self.assertEqual(self.names(), [])

    def test_both_ends(self):
        other = connection("server", tos="104", peer_address="192.168.77.1", peer_port="40000",
                           source_address="192.168.77.2", source_port="20049")
        self.facts.connections = [connection(tos="104", tos_configured="104"), other]
        self.assertEqual(self.names(), [])
        other.values["tos"] = "8"
        self.assertEqual(self.names(), ["traffic-class"])

    def test_rules(self):
        self.facts.settings.update({"xprtrdma.traffic_rules": "", "svcrdma.traffic_rules": ""})
        self.assertEqual(self.names(), [])
        self.facts.traffic = traffic.parse(GOOD)
        self.assertEqual(self.names(), ["traffic-rules"])
        for side, module in traffic.MODULES.items():
            self.facts.settings[f"{module}.traffic_rules"] = traffic.kernel_text(self.facts.traffic, side)
        self.assertEqual(self.names(), [])
        self.facts.traffic_fault = "line 1: wrong"
        self.assertEqual(self.names(), ["traffic-rules"])

    def notes(self):
        return findings_traffic.remarks(self.facts)

    def test_notes(self):
        self.assertEqual(self.notes(), [])
        self.facts.connections = [connection(tos="104", tos_configured="104")]
        self.assertEqual(self.notes(), ["client-1 to 192.168.77.2:20049 sends with type of service 104 (DSCP 26)"])
        self.facts.connections = [connection("server", peer_address=f"10.0.0.{number}", tos=str(tos))
                                  for tos in (104, 32) for number in (1, 2, 3)]
        self.assertEqual(self.notes(), [
            f"server-1 to 10.0.0.1:20049 sends with type of service {tos}; "
            "the same for 2 other server connections" for tos in ("104 (DSCP 26)", "32 (DSCP 8)")])
        self.facts.connections = [connection("server", tos="0", tos_configured="32")]
        self.assertIn("the client chooses, here 0 (DSCP 0)", self.notes()[0])
        self.facts.ports = [siw()]
        self.facts.connections = [connection(device="siw0", tos="", tos_configured="32")]
        self.assertIn("given to the driver of siw0, which may ignore it", self.notes()[0])
