# SPDX-License-Identifier: GPL-2.0-only
"""The rules and the dashboard of ../monitoring. promtool evaluates both."""

import ast
import glob
import json
import os
import re
import shutil
import tempfile
import unittest

from rpcrdma_ctl import metrics, totals

from . import promtool, tree

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.join(HERE, "../rpcrdma_ctl")
MONITORING = os.path.join(HERE, "../monitoring")
RULES, DASHBOARD = (os.path.join(MONITORING, name) for name in ("rules.yml", "dashboard.json"))


def ends(side, cause):
    return f'rpcrdma_connection_ends_total{{job="rpcrdma", instance="a", side="{side}", cause="{cause}"}}'


HEALTHY = {
    'up{job="rpcrdma", instance="a"}': "1+0x90",
    'rpcrdma_sample_timestamp_seconds{job="rpcrdma", instance="a"}': "0+60x90",
    'rpcrdma_doctor_timestamp_seconds{job="rpcrdma", instance="a"}': "0+60x90",
    'rpcrdma_connections{SIDE, state="established"}': "2+0x90",
    'rpcrdma_connections{SIDE, state="none"}': "0+0x90",
    "rpcrdma_requests_waiting{SIDE}": "0+0x90",
    "rpcrdma_calls_inline_total{SIDE}": "0+6000x90",
    "rpcrdma_calls_long_total{SIDE}": "0+0x90",
    "rpcrdma_post_sends_total{SIDE}": "0+6000x90",
    # Idle connections: closed again and again, by this end
    "rpcrdma_closes_total{SIDE}": "0+1x90",
    ends("client", "closed by this end"): "0+1x90",
    ends("client", "peer does not answer"): "2+0x90",
    'rpcrdma_credit_wait_seconds_bucket{SIDE, le="+Inf"}': "0+60x90",
    "rpcrdma_send_queue_waits_total{SIDE}": "0+60x90",
    "rpcrdma_mr_waits_total{SIDE}": "0+60x90",
    "rpcrdma_mr_shortages_total{SIDE}": "0+0x90",
    'rpcrdma_refusals_total{SIDE, reason="vers"}': "5+0x90",
    ends("server", "RDMA Reads or Writes make no progress"): "5+0x90",
    'rpcrdma_receive_memory_used_bytes{job="rpcrdma", instance="a"}': "10+0x90",
    'rpcrdma_receive_memory_limit_bytes{job="rpcrdma", instance="a"}': "100+0x90",
    'rpcrdma_read_memory_used_bytes{job="rpcrdma", instance="a"}': "10+0x90",
    'rpcrdma_read_memory_limit_bytes{job="rpcrdma", instance="a"}': "100+0x90",
}
# Alert: the series that make it fire
ILL = {
    "RpcrdmaConnectionsDown": {"rpcrdma_requests_waiting{SIDE}": "3+0x90",
                               'rpcrdma_connections{SIDE, state="established"}': "0+0x90",
                               'rpcrdma_connections{SIDE, state="none"}': "2+0x90"},
    "RpcrdmaReconnects": {"rpcrdma_closes_total{SIDE}": "0+1x90",
                          ends("client", "peer does not answer"): "0+1x90"},
    "RpcrdmaCreditWaits": {'rpcrdma_credit_wait_seconds_bucket{SIDE, le="+Inf"}': "0+700x90"},
    "RpcrdmaSendQueueWaits": {"rpcrdma_send_queue_waits_total{SIDE}": "0+700x90"},
    "RpcrdmaMemoryRegionWaits": {"rpcrdma_mr_shortages_total{SIDE}": "0+600x90"},
    "RpcrdmaRefusals": {'rpcrdma_refusals_total{SIDE, reason="vers"}': "5+0x57 6+0x32"},
    "RpcrdmaReceiveMemoryFull": {'rpcrdma_receive_memory_used_bytes{job="rpcrdma", instance="a"}': "95+0x90"},
    "RpcrdmaReadMemoryFull": {'rpcrdma_read_memory_used_bytes{job="rpcrdma", instance="a"}': "95+0x90"},
    "RpcrdmaTransferTimeouts": {ends("server", "RDMA Reads or Writes make no progress"): "5+0x57 6+0x32"},
    "RpcrdmaDoctorStale": {'rpcrdma_doctor_timestamp_seconds{job="rpcrdma", instance="a"}': "0+60x45 2700+0x45"},
    "RpcrdmaMetricsOld": {'rpcrdma_sample_timestamp_seconds{job="rpcrdma", instance="a"}': "0+60x45 2700+0x45"},
    "RpcrdmaExporterDown": {'up{job="rpcrdma", instance="a"}': "0+0x90"},
}
SIDE = 'job="rpcrdma", instance="a", side="client", server="10.0.0.1:20049"'
MINUTE = 60


def finding_names():
    """{name: its severities} of the calls Finding("name", SEVERITY, ...)"""
    found = {}
    for file in glob.glob(os.path.join(PACKAGE, "findings*.py")):
        with open(file, encoding="utf-8") as source:
            for node in ast.walk(ast.parse(source.read())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding":
                    found.setdefault(node.args[0].value, set()).add(node.args[1].id.lower())
    return found


def alert_of(finding):
    return "Rpcrdma" + "".join(word.capitalize() for word in finding.split("-"))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def alerts():
    """{name: its lines}"""
    parts = re.split(r"^  - alert: (\w+)\n", read(RULES), flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2]))


def series(changes):
    values = {name.replace("SIDE", SIDE): text for name, text in {**HEALTHY, **changes}.items()}
    return [{"series": name, "values": text} for name, text in values.items()]


def case(name, changes, wanted):
    """At minute 60 exactly these alerts fire."""
    return {"name": name, "interval": "1m", "input_series": series(changes),
            "promql_expr_test": [{"expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
                                  "eval_time": f"{MINUTE}m",
                                  "exp_samples": [{"labels": f'{{alertname="{alert}"}}', "value": 1}
                                                  for alert in wanted]}]}


def finding_case(name, severity):
    line = f'rpcrdma_finding{{job="rpcrdma", instance="a", name="{name}", severity="{severity}"}}'
    return case(name, {line: "1+0x90"}, [alert_of(name)])


class Rules(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.work)

    def run_(self, *cases):
        """promtool's test file is YAML, of which JSON is a part."""
        file = os.path.join(self.work, "test.yml")
        with open(file, "w", encoding="utf-8") as out:
            json.dump({"rule_files": [os.path.abspath(RULES)], "evaluation_interval": "1m", "tests": cases}, out)
        return promtool.run("test", "rules", file)

    @promtool.needed
    def test_check(self):
        passed, said = promtool.run("check", "rules", RULES)
        self.assertTrue(passed, said)

    @promtool.needed
    def test_nothing_fires_on_a_healthy_system(self):
        umount = {'rpcrdma_connections{SIDE, state="established"}': "8+0x51 0+0x38",
                  "rpcrdma_closes_total{SIDE}": "0+0x51 8+0x38"}
        passed, said = self.run_(case("healthy", {}, []), case("umount with nconnect=8", umount, []))
        self.assertTrue(passed, said)

    @promtool.needed
    def test_doctor_has_never_run(self):
        never = {'rpcrdma_doctor_timestamp_seconds{job="rpcrdma", instance="a"}': "_x90"}
        passed, said = self.run_(case("never", never, ["RpcrdmaDoctorStale"]))
        self.assertTrue(passed, said)

    @promtool.needed
    def test_a_finding_that_is_gone_at_the_next_look(self):
        """Alerts are for what stays: while a machine boots, much is not there yet."""
        line = 'rpcrdma_finding{job="rpcrdma", instance="a", name="link-down", severity="error"}'
        passed, said = self.run_(case("a moment", {line: "_x60 1 stale"}, []))
        self.assertTrue(passed, said)

    @promtool.needed
    def test_each_alert_fires_alone(self):
        cases = [finding_case(name, severity) for name, both in finding_names().items() for severity in both]
        cases += [case(name, changes, [name]) for name, changes in ILL.items()]
        self.assertGreater(len(cases), 30)
        passed, said = self.run_(*cases)
        self.assertTrue(passed, said)

    @promtool.needed
    def test_an_alert_that_is_missing_is_seen(self):
        for wrong in (case("healthy", {}, ["RpcrdmaLinkDown"]),
                      case("ill", ILL["RpcrdmaReconnects"], [])):
            self.assertFalse(self.run_(wrong)[0])

    def test_each_finding_has_its_alert(self):
        rules, names = alerts(), finding_names()
        self.assertGreater(len(names), 20)
        self.assertEqual(sorted(rules), sorted([*map(alert_of, names), *ILL]))
        for name in names:
            self.assertIn(f"      finding: {name}\n", rules[alert_of(name)])

    def test_each_alert_has_a_repair_and_findings_that_exist(self):
        for name, text in alerts().items():
            self.assertRegex(text, r'\n      repair: ".{10,}"\n')
            self.assertRegex(text, r'\n      summary: ".{10,}"\n')
            for found in re.findall(r"^      finding: (.*)$", text, re.M):
                self.assertLessEqual(set(found.split(", ")), set(finding_names()), name)


def metric_names(text):
    return set(re.findall(r"\brpcrdma_[a-z_]+\b", text))


class Names(unittest.TestCase):
    """What rules and dashboard ask for, the metrics have."""

    def names(self):
        sample = metrics.Sample()
        return {family.sample_name for family in metrics.families(sample)}

    def labels(self):
        """Labels by the name of the metric, from a sample of everything"""
        found = {}
        one = totals.Sum(counters=dict.fromkeys(metrics.COUNTERS, 1), refusals={"vers": 1},
                         latency={name: [1] * metrics.BUCKETS for name in metrics.HISTOGRAMS})
        sample = metrics.Sample(sums={("client", "s"): one}, findings={("link-down", "error")}, looked=1,
                                modules=[{"module": "rpcrdma", "version": "1", "srcversion": "A"}],
                                budget=dict.fromkeys(("receive_memory_used", "receive_memory_limit",
                                                      "read_memory_used", "read_memory_limit",
                                                      "read_memory_client_limit"), 1),
                                closes={"client": {"c": 1}}, pages=dict.fromkeys(metrics.PAGES, 1))
        for family in metrics.families(sample):
            for labels, _ in family.samples:
                found[family.sample_name] = {*labels, *({"le"} if family.kind == "histogram" else ())}
        return found

    def test_rules(self):
        asked = metric_names("\n".join(re.findall(r"^    expr: (.*(?:\n      .*)*)", read(RULES), re.M)))
        self.assertGreater(len(asked), 10)
        self.assertEqual(asked - self.names(), set())

    def test_dashboard(self):
        asked = metric_names("\n".join(queries()))
        self.assertGreater(len(asked), 50)
        self.assertEqual(asked - self.names(), set())

    def test_labels_of_the_dashboard(self):
        known = self.labels()
        seen = 0
        for query in queries():
            for name, selector in re.findall(r"(rpcrdma_[a-z_]+)\{(.*?)\}", query):
                if name in known:
                    wanted = set(re.findall(r"(\w+)=~?\"|(\w+)!=\"", selector))
                    wanted = {one or other for one, other in wanted} - {"job", "instance"}
                    self.assertLessEqual(wanted, known[name], query)
                    seen += 1
        self.assertGreater(seen, 50)


def panels():
    return json.loads(read(DASHBOARD))["panels"]


def queries():
    board = json.loads(read(DASHBOARD))
    return ([target["expr"] for panel in board["panels"] for target in panel.get("targets", ())] +
            [one["query"]["query"] for one in board["templating"]["list"] if one["type"] == "query"])


class Dashboard(unittest.TestCase):
    @promtool.needed
    def test_queries(self):
        """promtool reads each as a rule; Grafana's variables have values then."""
        work = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, work)
        file = os.path.join(work, "rules.yml")
        rules = [{"record": f"query:{number}", "expr": re.sub(r"\$__rate_interval", "1m", query)}
                 for number, query in enumerate(queries()) if not query.startswith("label_values")]
        with open(file, "w", encoding="utf-8") as out:
            json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, out)
        passed, said = promtool.run("check", "rules", file)
        self.assertTrue(passed, said)
        self.assertIn(f"{len(rules)} rules found", said)

    def test_every_metric_of_a_kind_is_shown(self):
        """Not those of rare events, which status -l shows"""
        shown = metric_names("\n".join(queries()))
        for name in metrics.GAUGES:
            if name not in ("credits_max", "reverse_credits"):
                self.assertIn(f"rpcrdma_{name}", shown)
        for name in metrics.HISTOGRAMS:
            self.assertIn(f"rpcrdma_{name}_seconds_bucket", shown)

    def test_panels_do_not_overlap(self):
        taken = set()
        for panel in panels():
            place = panel["gridPos"]
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                     for y in range(place["y"], place["y"] + place["h"])}
            self.assertLessEqual(place["x"] + place["w"], 24)
            self.assertFalse(taken & cells, panel["title"])
            taken |= cells
        numbers = [panel["id"] for panel in panels()]
        self.assertEqual(len(numbers), len(set(numbers)))


if __name__ == "__main__":
    unittest.main()
