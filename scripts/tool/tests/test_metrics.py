# SPDX-License-Identifier: GPL-2.0-only

import contextlib
import io
import json
import os
import re
import shutil
import tempfile
import unittest
from unittest import mock

from rpcrdma_ctl import cli, metrics, openmetrics, sample, system, totals, views

from . import promtool, tree

MOUNTSTATS = """\
device proc mounted on /proc with fstype proc
device srv:/ mounted on /mnt/a\\040b with fstype nfs4 statvers=1.1
\topts:\trw,vers=4.2,proto=rdma,port=20049
\tage:\t12
\tbytes:\t1 2 3 4 5000 6000 7 8
\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)
\txprt:\trdma 0 0 1 0 3 10 10 0 10 0 0
\txprt:\trdma 0 0 1 0 3 10 10 0 10 0 0
\tper-op statistics
\t        NULL: 0 0 0 0 0 0 0 0 0
\t        READ: 20 21 1 3000 400000 15 250 300 2
device srv:/ mounted on /mnt/tcp with fstype nfs4 statvers=1.1
\topts:\trw,vers=4.2,proto=tcp
\t        READ: 20 21 1 3000 400000 15 250 300 2
"""
MOUNTS = """\
proc /proc proc rw 0 0
srv:/ /mnt/a\\040b nfs4 rw,vers=4.2,proto=rdma,port=20049,addr=10.0.0.2 0 0
srv:/ /mnt/tcp nfs4 rw,vers=4.2,proto=tcp,addr=10.0.0.2 0 0
"""
FILES = {"/proc/self/mountstats": MOUNTSTATS, "/proc/mounts": MOUNTS}
KINDS = {"counter": "_total", "histogram": "_bucket", "info": "_info", "gauge": ""}


class Tree(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        self.sums = totals.Totals()
        self.findings = os.path.join(self.root, "doctor")
        self.connections = os.path.join(self.root, "connections")

    def write(self, name, **changes):
        tree.write(self.connections, name, **changes)

    def remove(self, name):
        shutil.rmtree(os.path.join(self.connections, name))

    def take(self, **more):
        read = system.read
        with mock.patch.object(system, "read", lambda path, *default: FILES.get(path) or read(path, *default)):
            return sample.Readings(self.sums, findings=self.findings, root=self.connections, **more).take()

    def text(self, form=openmetrics.OPENMETRICS, **more):
        return openmetrics.render(metrics.families(self.take(**more)), form)

    def value(self, metric, text=None, /, **labels):
        """The value of the only sample with these labels"""
        found = [line.rpartition(" ")[2] for line in (text or self.text()).splitlines()
                 if line.startswith(metric + ("{" if labels else " "))
                 and all(f'{key}="{value}"' in line for key, value in labels.items())]
        self.assertEqual(len(found), 1, (metric, labels, found))
        return float(found[0])


class Metrics(Tree):
    def test_every_counter_of_the_modules(self):
        self.assertEqual(sorted(metrics.COUNTERS), sorted(tree.documented_counters()))

    def test_every_value_is_a_file(self):
        with open(tree.ABI, encoding="utf-8") as file:
            page = file.read()
        for name in metrics.GAUGES:
            self.assertIn(f"connections/<name>/{name}\n", page)

    def test_sums_of_a_side_and_a_server(self):
        self.write("client-1", counters={"sends": 5}, peer_address="fd77::1")
        self.write("client-2", counters={"sends": 7}, peer_address="fd77::1", state="none", credits_granted="")
        self.write("server-3", counters={"sends": 11})
        self.write("server-4", counters={"sends": 13}, refusals={"vers": 2}, last_refusal="wrong version")
        text = self.text()
        client = {"side": "client", "server": "[fd77::1]:20049"}
        server = {"side": "server", "server": "10.1.0.1:20049"}
        self.assertEqual(self.value("rpcrdma_sends_total", text, **client), 12)
        self.assertEqual(self.value("rpcrdma_sends_total", text, **server), 24)
        self.assertEqual(self.value("rpcrdma_credits_granted", text, **client), 64)
        self.assertEqual(self.value("rpcrdma_connections", text, state="none", **client), 1)
        self.assertEqual(self.value("rpcrdma_connections", text, state="established", **server), 2)
        self.assertEqual(self.value("rpcrdma_refusals_total", text, reason="vers", **server), 2)
        self.assertEqual(self.value("rpcrdma_refusals_total", text, reason="short", **server), 0)
        self.assertNotIn("10.0.0.5", text)

    def test_histogram(self):
        self.write("client-1")
        text = self.text()
        name = "rpcrdma_post_to_completion_seconds_bucket"
        for bound, count in (("2.56e-07", 0), ("5.12e-07", 5), ("1.024e-06", 6), ("17.179869184", 6), ("+Inf", 8)):
            self.assertEqual(self.value(name, text, le=bound), count)
        self.assertNotIn("seconds_count", text)
        self.assertEqual(self.value("rpcrdma_post_to_completion_seconds_count",
                                    self.text(openmetrics.PROMETHEUS), side="client"), 8)

    def test_each(self):
        self.write("client-1")
        self.write("server-2", refusals={"vers": 2}, last_refusal="wrong version")
        text = self.text(each=True)
        self.assertEqual(self.value("rpcrdma_sends_total", text, connection="server-2", peer="10.0.0.3:40000"), 1000)
        self.assertEqual(self.value("rpcrdma_mrs", text, connection="client-1"), 40)
        self.assertEqual(self.value("rpcrdma_refusals_total", text, side="server", reason="vers"), 2)

    def test_each_without_connections(self):
        os.mkdir(self.connections)
        self.assertNotIn("rpcrdma_sends", self.text(each=True))

    def test_mounts(self):
        text = self.text()
        mount = {"mount": "/mnt/a b", "server": "10.0.0.2:20049"}
        self.assertEqual(self.value("rpcrdma_mount_info", text, source="srv:/", version="4.2", **mount), 1)
        self.assertEqual(self.value("rpcrdma_mount_transports", text, **mount), 2)
        self.assertEqual(self.value("rpcrdma_mount_server_write_bytes_total", text, **mount), 6000)
        read = {"operation": "READ", **mount}
        for name, wanted in (("operations_total", 20), ("transmissions_total", 21), ("timeouts_total", 1),
                             ("sent_bytes_total", 3000), ("received_bytes_total", 400000), ("errors_total", 2),
                             ("queue_seconds_total", 0.015), ("rtt_seconds_total", 0.25),
                             ("execute_seconds_total", 0.3)):
            self.assertEqual(self.value(f"rpcrdma_mount_{name}", text, **read), wanted)
        self.assertNotIn("NULL", text)
        self.assertNotIn("/mnt/tcp", text)

    def test_many_mounts(self):
        """An automounter can have any number of them; their series are bounded."""
        count = metrics.MOUNTS + 3
        one = MOUNTSTATS[MOUNTSTATS.index("device srv:/"):MOUNTSTATS.index("device srv:/ mounted on /mnt/tcp")]
        files = {"/proc/self/mountstats": "".join(one.replace("/mnt/a\\040b", f"/mnt/{number}")
                                                  for number in range(count)),
                 "/proc/mounts": "".join(f"srv:/ /mnt/{number} nfs4 rw,proto=rdma,addr=10.0.0.2 0 0\n"
                                         for number in range(count))}
        with mock.patch.dict(FILES, files):
            text = self.text()
        self.assertEqual(text.count("rpcrdma_mount_operations_total{"), metrics.MOUNTS + 1)
        self.assertEqual(self.value("rpcrdma_mount_operations_total", text, mount="/mnt/99"), 20)
        other = {"mount": "other", "server": "other"}
        self.assertEqual(self.value("rpcrdma_mount_operations_total", text, operation="READ", **other), 3 * 20)
        self.assertEqual(self.value("rpcrdma_mount_server_write_bytes_total", text, **other), 3 * 6000)
        self.assertEqual(self.value("rpcrdma_mount_rtt_seconds_total", text, **other), 0.75)
        self.assertEqual(self.value("rpcrdma_mount_transports", text, **other), 3 * 2)

    def test_findings(self):
        self.assertNotIn("rpcrdma_finding", self.text())
        self.assertNotIn("rpcrdma_doctor", self.text())
        found = [{"name": "link-down", "severity": "error"}, {"name": "link-down", "severity": "error"}]
        with open(self.findings, "w", encoding="utf-8") as file:
            json.dump({"version": 1, "findings": found}, file)
        os.utime(self.findings, (1000, 2000))
        self.assertEqual(self.value("rpcrdma_finding", name="link-down", severity="error"), 1)
        self.assertEqual(self.value("rpcrdma_doctor_timestamp_seconds"), 2000)

    def test_wrong_findings(self):
        for text in ("", "[]", '{"findings": [{}]}', '{"findings": 3}'):
            with open(self.findings, "w", encoding="utf-8") as file:
                file.write(text)
            with contextlib.redirect_stderr(io.StringIO()) as said:
                self.assertNotIn("rpcrdma_finding", self.text())
            self.assertIn("is not what rpcrdmactl doctor --json writes", said.getvalue())

    def test_odd_findings(self):
        """Only what doctor may say becomes a label."""
        odd = [{"name": name, "severity": severity} for name, severity in (
            ("\ud800", "error"), ("a b", "error"), ("Link", "error"), (3, "error"), ("link-down", "bad"),
            ("link-down", ["error"]))]
        with open(self.findings, "w", encoding="ascii") as file:
            json.dump({"findings": [*odd, {"name": "link-down", "severity": "warning"}]}, file)
        lines = [line for line in self.text().encode().splitlines() if line.startswith(b"rpcrdma_finding{")]
        self.assertEqual(lines, [b'rpcrdma_finding{name="link-down",severity="warning"} 1'])

    def test_findings_in_no_regular_file(self):
        os.mkfifo(self.findings)
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertNotIn("rpcrdma_finding", self.text())
        self.assertIn("no regular file", said.getvalue())

    def test_budget_and_modules(self):
        files = {"/proc/sys/sunrpc/svc_rdma/receive_memory_used": "5",
                 "/sys/module/svcrdma/parameters/receive_memory": "7",
                 "/proc/sys/sunrpc/svc_rdma/read_memory_used": "3", "/sys/module/svcrdma/parameters/read_memory": "2",
                 "/sys/module/svcrdma/version": "1.0", "/sys/module/svcrdma/srcversion": "AB"}
        with mock.patch.object(system, "read", lambda path, default="": files.get(path, default)), \
                mock.patch.object(system, "is_directory", lambda path: path == "/sys/module/svcrdma"):
            text = openmetrics.render(metrics.families(sample.Readings(self.sums, root=self.connections).take()))
        self.assertEqual(self.value("rpcrdma_receive_memory_used_bytes", text), 5 << 10)
        self.assertEqual(self.value("rpcrdma_receive_memory_limit_bytes", text), 7 << 20)
        self.assertEqual(self.value("rpcrdma_read_memory_used_bytes", text), 3 << 10)
        self.assertEqual(self.value("rpcrdma_read_memory_limit_bytes", text), 2 << 20)
        self.assertNotIn("client_limit", text)
        self.assertEqual(self.value("rpcrdma_module_info", text, module="svcrdma", version="1.0", srcversion="AB"), 1)


    def test_closes_and_pages(self):
        self.write("client-1")
        for side, number in (("client", 3), ("server", 0)):
            with open(os.path.join(self.root, f"{side}_closes"), "w", encoding="utf-8") as file:
                file.write(f"closed by the peer: {number}\npeer does not answer: 1\n")
        text = self.text()
        for side, number in (("client", 3), ("server", 0)):
            self.assertEqual(self.value("rpcrdma_connection_ends_total", text, side=side,
                                        cause="closed by the peer"), number)
        self.assertNotIn("rpcrdma_read_pages", text)
        files = {"/proc/sys/sunrpc/svc_rdma/read_pages": "9", "/proc/sys/sunrpc/svc_rdma/read_pages_recycled": "7"}
        with mock.patch.dict(FILES, files):
            text = self.text()
        self.assertEqual(self.value("rpcrdma_read_pages_total", text), 9)
        self.assertEqual(self.value("rpcrdma_read_pages_recycled_total", text), 7)


class Format(Tree):
    def setUp(self):
        super().setUp()
        self.write("client-1", peer_address="fd77::1")
        self.write("server-2")

    @promtool.needed
    def test_promtool(self):
        for more in ({}, {"each": True}):
            passed, said = promtool.run("check", "metrics", text=self.text(openmetrics.PROMETHEUS, **more))
            self.assertTrue(passed and not said, said)

    @promtool.needed
    def test_promtool_sees_mistakes(self):
        """A counter without _total, and a line that cannot be read"""
        for text in ("# HELP a_b B.\n# TYPE a_b counter\na_b 1\n", 'a{b="c} 1\n'):
            self.assertFalse(promtool.run("check", "metrics", text=text)[0])

    def test_openmetrics(self):
        """The rules that promtool does not know: order, names, units, the end"""
        text = self.text()
        self.assertTrue(text.endswith("\n# EOF\n"))
        family, kind, ended = None, None, set()
        for line in text.splitlines()[:-1]:
            words = line.split()
            if words[:2] == ["#", "TYPE"]:
                self.assertNotIn(words[2], ended)
                family, kind = words[2:]
                ended.add(family)
                self.assertNotRegex(family, "_(total|info|bucket|count)$")
            elif words[:2] == ["#", "UNIT"]:
                self.assertEqual(words[2], family)
                self.assertTrue(family.endswith("_" + words[3]))
            elif words[0] != "#":
                self.assertEqual(re.match(r"\w+", line)[0], family + KINDS[kind])

    def test_a_series_comes_once(self):
        for more in ({}, {"each": True}):
            series = [line.rpartition(" ")[0] for line in self.text(**more).splitlines() if line[0] != "#"]
            self.assertGreater(len(series), 200)
            self.assertEqual(len(series), len(set(series)))

    def test_labels_become_a_text_once(self):
        """Not once for each of the fifty series of a connection"""
        with mock.patch.object(openmetrics, "labelled", mock.Mock(wraps=openmetrics.labelled)) as labelled:
            text = self.text(each=True)
        self.assertEqual([call.args[0]["connection"] for call in labelled.call_args_list
                          if "connection" in call.args[0]], ["client-1", "server-2"])
        self.assertEqual(text.count('connection="server-2"'), len(metrics.COUNTERS) + len(metrics.GAUGES))

    def test_escapes(self):
        family = openmetrics.Family("a", "gauge", 'b "c"\nd')
        family.add({"e": 'f"g\\h\ni'}, 3)
        self.assertIn('a{e="f\\"g\\\\h\\ni"} 3', openmetrics.render([family]))

    def test_help_of_prometheus(self):
        """There, quotes in a help text stay as they are."""
        family = openmetrics.Family("a", "gauge", 'b "c"')
        family.add({}, 3)
        self.assertIn('# HELP a b "c"\n', openmetrics.render([family], openmetrics.PROMETHEUS))


class Command(Tree):
    def setUp(self):
        super().setUp()
        self.file = os.path.join(self.root, "rpcrdma.prom")
        self.write("server-1", counters={"sends": 10})

    def run_(self, *words):
        reader = views.Reader(self.connections)
        with mock.patch.object(views, "Reader", lambda *_: reader):
            return cli.main(["metrics", "--findings", self.findings, *words])

    def sends(self):
        with open(self.file, encoding="utf-8") as file:
            return self.value("rpcrdma_sends_total", file.read(), side="server")

    def test_sums_go_on_from_file_to_file(self):
        self.assertEqual(self.run_("-o", self.file), cli.OK)
        self.remove("server-1")
        self.write("server-2", counters={"sends": 1})
        self.assertEqual(self.run_("-o", self.file), cli.OK)
        self.assertEqual(self.sends(), 11)
        self.assertEqual(sorted(os.listdir(self.root)), ["connections", "rpcrdma.prom", "rpcrdma.prom.state"])

    def test_not_after_a_boot(self):
        self.run_("-o", self.file)
        self.write("server-1", counters={"sends": 3})
        with mock.patch.object(sample, "boot", lambda: "another"):
            self.run_("-o", self.file)
        self.assertEqual(self.sends(), 3)

    def test_a_damaged_state(self):
        for text in ("", "{", "[1]", '{"boot": 1}',
                     json.dumps({"boot": sample.boot(), "totals": {"seen": {}}}),
                     json.dumps({"boot": sample.boot(), "totals": {"gone": [], "seen": []}}),
                     json.dumps({"boot": sample.boot(),
                                 "totals": {"gone": [["server", "a", {"counters": {"sends": "x"}}]], "seen": {}}}),
                     json.dumps({"boot": sample.boot(), "totals": {"gone": [], "seen": {
                         "server-1": {"group": ["server", "a"], "peer": "b", "last": {}}}}})):
            with open(self.file + ".state", "w", encoding="utf-8") as file:
                file.write(text)
            self.assertEqual(self.run_("-o", self.file), cli.OK)
            self.assertEqual(self.sends(), 10)

    def test_cannot_be_written(self):
        self.assertEqual(self.run_("-o", os.path.join(self.root, "no/file")), cli.IMPOSSIBLE)


if __name__ == "__main__":
    unittest.main()
