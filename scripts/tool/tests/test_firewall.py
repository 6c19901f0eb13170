# SPDX-License-Identifier: GPL-2.0-only

import json
import unittest

from rpcrdma_ctl import firewall

ROCE = {"family": "ip", "l4proto": "udp", "dport": 4791, "iif": "eth0"}


def nft(*rules, policy="accept", family="inet", more=()):
    """What nft --json prints for a table with one chain, and chains it may jump to."""
    entries = [{"metainfo": {"json_schema_version": 1}}, {"table": {"family": family, "name": "filter"}},
               {"chain": {"family": family, "table": "filter", "name": "input", "type": "filter",
                          "hook": "input", "prio": 0, "policy": policy}}]
    for name, exprs in more:
        entries.append({"chain": {"family": family, "table": "filter", "name": name}})
        entries += [{"rule": {"family": family, "table": "filter", "chain": name, "expr": expr}}
                    for expr in exprs]
    entries += [{"rule": {"family": family, "table": "filter", "chain": "input", "expr": expr}}
                for expr in rules]
    return firewall.from_nft(json.dumps({"nftables": entries}))


def match(left, right, op="=="):
    return {"match": {"op": op, "left": left, "right": right}}


def dport(right, protocol="udp", op="=="):
    return match({"payload": {"protocol": protocol, "field": "dport"}}, right, op)


DROP, ACCEPT = {"drop": None}, {"accept": None}
STATE = {"ct": {"key": "state"}}


class Nft(unittest.TestCase):
    def test_protocol_without_a_name(self):
        """nft prints its number."""
        self.assertIsNone(firewall.dropping_chain(nft([match({"meta": {"key": "l4proto"}}, 253), DROP]), ROCE))

    def drops(self, chains, packet=None):
        self.assertIsNotNone(firewall.dropping_chain(chains, packet or ROCE))

    def passes(self, chains, packet=None):
        self.assertIsNone(firewall.dropping_chain(chains, packet or ROCE))

    def test_nothing(self):
        self.passes([])
        self.passes(nft())

    def test_policy(self):
        self.drops(nft(policy="drop"))
        self.passes(nft([dport(4791), ACCEPT], policy="drop"))

    def test_port(self):
        self.drops(nft([dport(4791), DROP]))
        self.drops(nft([dport(4791), {"reject": {"type": "icmp"}}]))
        self.passes(nft([dport(4790), DROP]))
        self.passes(nft([dport(4791, "tcp"), DROP]))
        self.drops(nft([dport(4790, op="!="), DROP]))

    def test_sets_and_ranges(self):
        self.drops(nft([dport({"set": [22, {"range": [4000, 5000]}]}), DROP]))
        self.passes(nft([dport({"set": [22, {"range": [4000, 4790]}]}), DROP]))

    def test_interface(self):
        self.passes(nft([match({"meta": {"key": "iifname"}}, "lo"), DROP]))
        self.drops(nft([match({"meta": {"key": "iifname"}}, "eth0"), DROP]))

    def test_family(self):
        self.passes(nft(policy="drop", family="ip6"))
        self.passes(nft([match({"meta": {"key": "nfproto"}}, "ipv6"), DROP]))
        self.drops(nft(policy="drop", family="ip6"), dict(ROCE, family="ip6"))

    def test_established_only(self):
        self.drops(nft([match(STATE, {"set": ["established", "related"]}, "in"), ACCEPT], policy="drop"))
        self.passes(nft([match(STATE, "new"), ACCEPT], policy="drop"))

    def test_verdict_map(self):
        states = {"vmap": {"key": STATE, "data": {"set": [["established", ACCEPT], ["invalid", DROP]]}}}
        self.drops(nft([states], policy="drop"))
        self.passes(nft([states]))

    def test_jump(self):
        more = [("services", [[dport(4791), ACCEPT]])]
        self.passes(nft([{"jump": {"target": "services"}}], policy="drop", more=more))
        self.drops(nft([{"jump": {"target": "services"}}], policy="drop", more=[("services", [])]))
        self.passes(nft([{"jump": {"target": "nowhere"}}], policy="drop"))

    def test_what_is_not_understood_is_no_alarm(self):
        puzzle = {"xt": {"type": "match", "name": "geoip"}}
        self.passes(nft([puzzle, ACCEPT], policy="drop"))
        self.passes(nft([puzzle, DROP]))
        self.passes(nft([match({"meta": {"key": "skuid"}}, 0), ACCEPT], policy="drop"))
        self.passes(nft([dport("@services"), DROP]))

    def test_command(self):
        chain = firewall.dropping_chain(nft(policy="drop"), ROCE)
        self.assertEqual(firewall.accepting_command(chain, ROCE),
                         "nft insert rule inet filter input udp dport 4791 accept")

    def test_command_with_firewalld(self):
        chain = firewall.Chain("nft", ("ip", "ip6"), "inet firewalld", "filter_INPUT", "input", firewall.DROP)
        self.assertEqual(firewall.accepting_command(chain, ROCE),
                         'firewall-cmd --permanent --zone="$(firewall-cmd --get-zone-of-interface=eth0)" '
                         '--add-port=4791/udp && firewall-cmd --reload')


class Iptables(unittest.TestCase):
    def chain(self, *rules, policy="ACCEPT"):
        text = "\n".join(["# made by a test", "*nat", ":INPUT DROP [0:0]", "COMMIT", "*filter",
                          f":INPUT {policy} [0:0]", ":OUTPUT ACCEPT [0:0]", ":SERVICES - [0:0]", *rules, "COMMIT"])
        return firewall.dropping_chain(firewall.from_iptables(text), ROCE)

    def test_policy(self):
        self.assertIsNone(self.chain())
        self.assertIsNotNone(self.chain(policy="DROP"))

    def test_rules(self):
        accept = "-A INPUT -p udp -m udp --dport 4791 -j ACCEPT"
        self.assertIsNone(self.chain(accept, policy="DROP"))
        self.assertIsNone(self.chain("-A INPUT -m conntrack --ctstate NEW -j ACCEPT", policy="DROP"))
        self.assertIsNotNone(self.chain("-A INPUT -m state --state RELATED,ESTABLISHED -j ACCEPT",
                                        "-A INPUT -i lo -j ACCEPT", policy="DROP"))
        self.assertIsNotNone(self.chain("-A INPUT -p udp -m multiport --dports 53,4000:5000 -j REJECT "
                                        "--reject-with icmp-port-unreachable"))
        self.assertIsNone(self.chain("-A INPUT ! -p udp -j DROP"))
        self.assertIsNotNone(self.chain('-A INPUT -m comment --comment "no -j ACCEPT" -j DROP'))

    def test_jump(self):
        self.assertIsNone(self.chain("-A INPUT -j SERVICES", "-A SERVICES -p udp --dport 4791 -j ACCEPT",
                                     policy="DROP"))
        self.assertIsNotNone(self.chain("-A INPUT -j SERVICES", "-A SERVICES -p udp -j DROP"))

    def test_what_is_not_understood_is_no_alarm(self):
        self.assertIsNone(self.chain("-A INPUT -m geoip --source-country XX -j DROP"))
        self.assertIsNone(self.chain("-A INPUT -s 10.0.0.0/8 -j ACCEPT", policy="DROP"))

    def test_command(self):
        text = "*filter\n:INPUT DROP [0:0]\nCOMMIT\n"
        chain = firewall.dropping_chain(firewall.from_iptables(text, "ip6tables"), dict(ROCE, family="ip6"))
        self.assertEqual(firewall.accepting_command(chain, ROCE),
                         "ip6tables -I INPUT -p udp --dport 4791 -j ACCEPT")


if __name__ == "__main__":
    unittest.main()
