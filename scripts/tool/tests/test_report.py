# SPDX-License-Identifier: GPL-2.0-only

import contextlib
import copy
import html.parser
import io
import json
import os
import tempfile
import unittest
from unittest import mock

from rpcrdma_ctl import charts, cli, markup, parse, redact, report_data, report_page, system, views
from rpcrdma_ctl.model import Finding, here

from .machine import connection, healthy
from .tree import TOP

HOSTILE = "</pre></style><script>alert(1)</script><img src=x onerror='alert(2)'>\" onload=\"x\033[2J"
VOID = {"meta", "br"}
PARM = """tos:Type of service, for new connections (0..255, default 0: that of the device)
quiet_sends:Former name of unsignaled_sends (0..63, default 7)
read_memory:For RDMA Reads (MiB, default an eighth of all memory)
traffic_rules:By address (default none)
"""


def latency():
    return {"post_to_completion": [0, 5, 1] + [0] * 24 + [2], "registration": [0] * 28}


def data(**changes):
    """As report_data.gather() returns it"""
    one = connection(last_error="104", last_error_reason="closed by the peer", last_error_age_seconds="9")
    values = {"name": "client-1", "mounts": ["/mnt/a"], "peer": one.peer, **one.values, "last_error": 104,
              "counters": {"connects": 2, "closes": 1, "sends": 0}, "refusals": {"vers": 3, "short": 0},
              "latency": latency(), "latency_watched": latency(), "age_seconds": 200, "last_error_age_seconds": 9,
              "inline_send": 8192, "inline_receive": 8192, "credits_granted": 64, "credits_asked": 128,
              "per_second": {"calls": 1500.0, "errors": 0.5, "bytes_to_client": 2e6, "bytes_to_server": 0},
              "rates": {"calls": [None, 1000, 2000], "bytes_to_client": [None, 1e6, 3e6],
                        "bytes_to_server": [None, 0, 0]}}
    found = {
        "version": 1, "command": "report", "redacted": False, "time": "2026-11-24 12:00:00 +0000", "uptime": 3600,
        "loaded": True, "seconds": [1.0, 1.0, 1.0], "nfsd": {"threads": 8, "listeners": [["rdma", 20049]]},
        "versions": {"rpcrdmactl": "0.1.0", "host": "alpha.example.com", "kernel": "6.12.1", "kernel_build": "#1 SMP",
                     "architecture": "x86_64", "distribution": "Debian", "rdma_core": "kernel/ib_core.ko",
                     "modules": [{"name": "rpcrdma", "loaded": True, "version": "0.1.0", "srcversion": "AA",
                                  "file": "updates/rpcrdma.ko", "file_srcversion": "AA", "signer": None}]},
        "findings": [{"name": "link-down", "severity": "error", "text": "RDMA port rxe0/1 is DOWN",
                      "repair": [{"on": "this machine", "command": "ip link set eth0 up"}]}], "notes": ["a note"],
        "devices": [{"name": "rxe0/1", "kind": "RoCE", "state": "DOWN", "rate": None, "firmware": None, "gids": 2,
                     "netdevs": [{"name": "eth0", "up": False, "mtu": 9000, "addresses": ["192.168.77.1"]}]}],
        "parameters": [{"name": "xprtrdma.tos", "value": "104", "default": "0"}],
        "mounts": [{"directory": "/mnt/a", "source": "beta:/srv", "server": "192.168.77.2", "port": 20049,
                    "options": "rw,proto=rdma,addr=192.168.77.2", "transports": 1, "bytes": {"server_read": 10**7},
                    "operations": {"READ": {"operations": 10, "transmissions": 11, "timeouts": 0, "queue": 5,
                                            "rtt": 20, "execute": 30, "errors": 0}}}],
        "connections": [values], "log": [{"seconds": 12.5, "text": "rpcrdma: 192.168.77.2:20049: connected"}]}
    return {**found, **changes}


class Checker(html.parser.HTMLParser):
    """Elements are closed in order; what a browser would run or load"""

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.ids, self.links, self.texts = [], [], set(), [], []
        self.feed(text)
        self.wrong += [f"{name} is not closed" for name in self.open]

    def handle_starttag(self, name, attributes):
        if name not in VOID:
            self.open.append(name)
        known = dict(attributes)
        if name in ("script", "img", "link", "iframe", "object", "form", "base") or "src" in known or \
                any(key.startswith("on") for key in known):
            self.wrong.append(f"{name} {known}")
        self.ids.add(known.get("id"))
        self.links += [known["href"]] if "href" in known else []

    def handle_startendtag(self, name, attributes):
        self.handle_starttag(name, attributes)

    def handle_endtag(self, name):
        if not self.open or self.open.pop() != name:
            self.wrong.append(f"</{name}>")

    def handle_data(self, text):
        if self.open and self.open[-1] != "style":
            self.texts.append(text)


def everywhere(value, word):
    """All texts of the data become one word, names of keys too where they come from the kernel."""
    if isinstance(value, dict):
        return {name: everywhere(one, word) for name, one in value.items()}
    if isinstance(value, list):
        return [everywhere(one, word) for one in value]
    return word if isinstance(value, str) else value


class Page(unittest.TestCase):
    def page(self, known):
        text = report_page.page(known)
        checker = Checker(text)
        self.assertEqual(checker.wrong, [])
        self.assertTrue(all(link[1:] in checker.ids for link in checker.links), checker.links)
        text.encode("utf-8")
        return text, " ".join(checker.texts)

    def test_content(self):
        text, words = self.page(data())
        for wanted in ("alpha.example.com", "6.12.1", "Debian", "rxe0/1", "xprtrdma.tos", "client-1", "link-down",
                       "ip link set eth0 up", "a note", "closed by the peer", "vers", "READ", "12.500000",
                       "1 of 1 established", "2.0 us", "> 17 s", "updates/rpcrdma.ko"):
            self.assertIn(wanted, words)
        self.assertEqual(text.count("<svg"), 2)
        self.assertIn("RPCs: 1500 RPC/s on average, at most 2000", text)
        self.assertIn("default-src &#x27;none&#x27;", text)
        for never in ("http://", "https://", "url(", "@import", "None"):
            self.assertNotIn(never, text)

    def test_hostile(self):
        """Whatever the machine says is text."""
        known = everywhere(data(), HOSTILE)
        known["connections"][0]["counters"] = {HOSTILE: 1}
        known["connections"][0]["refusals"] = {HOSTILE: 1}
        known["connections"][0]["latency"] = {HOSTILE: [1] + [0] * 27}
        known["mounts"][0]["operations"] = {HOSTILE: known["mounts"][0]["operations"]["READ"]}
        text, words = self.page(known)
        self.assertIn("alert(1)", words)
        self.assertNotIn("\033", text)
        self.assertNotIn("<script", text)
        self.assertEqual(text.count("</style>"), 1)

    def test_odd_characters(self):
        known = everywhere(data(), "\udcff\u202e\0")
        self.assertIn("\\udcff\\u202e\\x00", self.page(known)[1])

    def test_no_modules(self):
        known = data(loaded=False, connections=[], devices=[], mounts=[], log=None, findings=[], notes=[],
                     parameters=[])
        known["versions"]["modules"] = []
        words = self.page(known)[1]
        for wanted in ("The modules are not loaded", "not loaded", "There was no connection", "nothing found",
                       "No mount uses RDMA", "The kernel log cannot be read"):
            self.assertIn(wanted, words)

    def test_many(self):
        one = data()["connections"][0]
        many = [{**copy.deepcopy(one), "name": f"server-{number}"} for number in range(1000)]
        text, words = self.page(data(connections=many))
        self.assertEqual(text.count("<svg"), 2 * report_page.DRAWN)
        self.assertIn("900 more connections are not shown", words)
        self.assertLess(len(text), 3 << 20)

    def test_not_connected(self):
        one = {key: None if isinstance(value, (str, int)) and key not in ("name", "peer") else value
               for key, value in data()["connections"][0].items()}
        self.page(data(connections=[one], seconds=[]))


class Charts(unittest.TestCase):
    def test_ceiling(self):
        for value, wanted in ((0, 1), (1, 1), (1.1, 2), (3, 5), (9, 10), (10, 10), (12345, 20000), (0.03, 0.05)):
            self.assertAlmostEqual(charts.ceiling(value), wanted)

    def test_gap(self):
        found = charts.pieces([1, 2, 3, 4], [5, None, 5, 10], 10)
        self.assertEqual([len(piece) for piece in found], [1, 2])
        self.assertEqual(found[1][1], (charts.WIDTH - charts.RIGHT, charts.TOP))

    def test_labels_of_small_rates(self):
        self.assertIn(">0.25<", charts.chart("x", "RPC/s", [1, 1], [("a", [0.1, 0.5])]))

    def test_heat_map(self):
        text = charts.heat_map("x", [("a", [0, 1, 10**6] + [0] * 25), ("none", [0] * 28)])
        self.assertEqual(text.count("<td"), 2)
        self.assertIn("--a:0.80", text)
        self.assertIn("1.0M", text)
        self.assertNotIn("none", text)

    def test_escape(self):
        self.assertEqual(markup.tag("a", "<", class_="x\"y"), '<a class="x&quot;y">&lt;</a>')
        self.assertEqual(markup.tag("p", markup.tag("b", "&")), "<p><b>&amp;</b></p>")


class Redact(unittest.TestCase):
    def test_addresses(self):
        one = redact.Redactor({"beta.example.com", "beta"})
        for text, wanted in (
                ("10.0.0.1:20049 and 10.0.0.2.", "address-1:20049 and address-2."),
                ("rpcrdma: fd77::1: connected", "rpcrdma: address-3: connected"),
                ("[fd77::1]:20049", "[address-3]:20049"),
                ("0000:0000:0000:0000:0000:ffff:0a00:0001", "address-1"), ("::ffff:10.0.0.2", "address-2"),
                ("fe80::1%eth0 dev", "address-4 dev"), ("127.0.0.1 ::1 0.0.0.0 ::", "127.0.0.1 ::1 0.0.0.0 ::"),
                ("02:00:00:aa:bb:cc", "mac-1"), ("12:30:45, 6.12.1, 1:2", "12:30:45, 6.12.1, 1:2"),
                ("Beta.example.com:/srv beta:/x alphabeta", "host-1:/srv host-2:/x alphabeta"),
                ("x10.0.0.1x", "xaddress-1x"), ("999.1.1.1", "999.1.1.1"),
                ("2001:db8:1:2:3:4:5:6/64", "address-5/64")):
            self.assertEqual(one.text(text), wanted)

    def test_names(self):
        self.assertEqual(redact.host_names("a.b.c", ["s.t:/x", "10.0.0.1:/y", "[fd00::1]:/z", "odd"]),
                         {"a.b.c", "a", "s.t", "s", "10.0.0.1"})
        self.assertEqual(redact.host_names("", ["nfs1:/data/c:/x", "nfs2:share"]), {"nfs1", "nfs2"})
        self.assertEqual(redact.host_names("localhost", []), set())

    def test_domain(self):
        """A host name is often known without its domain."""
        one = redact.Redactor({"client1"})
        for text, wanted in (("client1.corp.example.com: mounted", "host-1: mounted"), ("on client1.", "on host-2."),
                             ("client1.corp.example.com.", "host-1.")):
            self.assertEqual(one.text(text), wanted)

    def test_page(self):
        """Nothing of it is left, and what belongs together can still be told."""
        known = data()
        known["findings"][0]["text"] = "beta and 192.168.77.2: alpha"
        text = report_page.page(cli.report.redacted(known))
        for word in ("192.168", "alpha", "beta", "example.com"):
            self.assertNotIn(word, text)
        self.assertIn("6.12.1", text)
        self.assertIn("Addresses and host names are replaced", text)
        address = redact.Redactor(set())
        self.assertEqual(address.data({"a": "10.1.1.1", "firmware": "10.1.1.1", "n": 3, "l": [None, "10.1.1.1"]}),
                         {"a": "address-1", "firmware": "10.1.1.1", "n": 3, "l": [None, "address-1"]})


class Gathered(unittest.TestCase):
    def test_defaults(self):
        self.assertEqual(parse.parameter_defaults(PARM),
                         {"tos": "0", "read_memory": "an eighth of all memory", "traffic_rules": ""})
        self.assertEqual(parse.former_names(PARM), {"quiet_sends"})

    def test_parameters(self):
        known = healthy()
        known.settings = {"xprtrdma.tos": "0", "svcrdma.tos": "104", "svcrdma.traffic_rules": "",
                          "svcrdma.quiet_sends": "3"}
        with mock.patch.object(system, "output", lambda *_: PARM):
            self.assertEqual(report_data.parameters(known), [{"name": "svcrdma.tos", "value": "104", "default": "0"}])
        with mock.patch.object(system, "output", lambda *_: None):
            self.assertEqual(len(report_data.parameters(known)), 3)

    def test_distribution(self):
        self.assertEqual(parse.distribution('NAME=x\nPRETTY_NAME="Debian GNU/Linux 12"\n'), "Debian GNU/Linux 12")
        self.assertEqual(parse.distribution(""), "")


class Command(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = work.name

    def run_(self, *words, view=None):
        out, err = io.StringIO(), io.StringIO()
        one = connection()
        one.latency = latency()
        known = healthy()
        known.ports = []
        view = view or views.View(0.0, [one], True)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), \
                mock.patch.object(os, "geteuid", lambda: 0), \
                mock.patch.object(views, "load", lambda *_: view), \
                mock.patch("rpcrdma_ctl.facts.gather", lambda *_: known), \
                mock.patch("rpcrdma_ctl.report_data.time.sleep", lambda _: None), \
                mock.patch("rpcrdma_ctl.report_data.time.monotonic", iter(range(1000)).__next__):
            return cli.main(["report", "-s", "2", *words]), out.getvalue(), err.getvalue()

    def test_page(self):
        file = os.path.join(self.work, "report.html")
        result, said, _ = self.run_(file)
        self.assertEqual((result, said.count("\n")), (cli.OK, 1))
        self.assertIn("--redact", said)
        text = system.read(file)
        self.assertEqual(Checker(text).wrong, [])
        self.assertIn("device-missing", text)
        self.assertEqual(os.listdir(self.work), ["report.html"])

    def test_json(self):
        file = os.path.join(self.work, "report.json")
        self.assertEqual(self.run_("--json", "--redact", file)[0], cli.OK)
        found = json.loads(system.read(file))
        self.assertEqual((found["version"], found["command"], found["redacted"]), (1, "report", True))
        self.assertEqual(found["connections"][0]["peer"], "address-1:20049")
        self.assertEqual(set(data()) - set(found), set())
        self.assertEqual(set(found) - set(data()), set())

    def test_not_loaded(self):
        file = os.path.join(self.work, "report.html")
        self.assertEqual(self.run_(file, view=views.View(0.0, [], False))[0], cli.OK)
        self.assertIn("The modules are not loaded", system.read(file))

    def test_only_the_owner_reads_it(self):
        file = os.path.join(self.work, "report.html")
        self.run_(file)
        self.assertEqual(os.stat(file).st_mode & 0o777, 0o600)

    def test_cannot_write(self):
        os.mkdir(os.path.join(self.work, "directory"))
        os.symlink("/nowhere", os.path.join(self.work, "link"))
        os.mkfifo(os.path.join(self.work, "pipe"))
        for name, why in (("no/report.html", "is not a directory"), ("directory", "no regular file"),
                          ("link", "no regular file"), ("pipe", "no regular file"), ("/proc/x", "/proc")):
            with self.subTest(name=name):
                result, said, error = self.run_(os.path.join(self.work, name))
                self.assertEqual((result, said, error.count("\n")), (cli.IMPOSSIBLE, "", 1))
                self.assertIn(why, error)

    def test_version(self):
        header = system.read(os.path.join(TOP, "include/rpcrdma/release.h"))
        self.assertIn(f'"{cli.VERSION}"', header)


if __name__ == "__main__":
    unittest.main()
