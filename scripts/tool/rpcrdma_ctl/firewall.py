# SPDX-License-Identifier: GPL-2.0-only
"""Does the packet filter of this machine drop a packet? Only computes.

Rules of nft and of iptables become the same thing: a Chain of Rules, each with
conditions. A condition is true, false, or not understood; a packet counts as dropped
only if it is dropped whatever the conditions mean that are not understood.
"""

import json
import shlex
from dataclasses import dataclass, field

DROP, ACCEPT, MAYBE = "drop", "accept", "maybe"
FAMILIES = {"inet": ("ip", "ip6"), "ip": ("ip",), "ip6": ("ip6",)}


@dataclass
class Rule:
    conditions: list = field(default_factory=list)  # (key, values, negated) or None
    verdict: str = ""           # accept, drop, return, jump, goto, maybe, or none of them
    target: str = ""


@dataclass
class Chain:
    program: str                # nft, iptables, ip6tables
    families: tuple
    table: str
    name: str
    hook: str = ""              # input, output; "" for one that is only jumped to
    policy: str = ACCEPT
    rules: list = field(default_factory=list)


def holds(condition, packet):
    """True, False, or None if unknown."""
    if condition is None:
        return None
    key, values, negated = condition
    if key not in packet or values is None:
        return None
    kind = type(packet[key])
    if not all(isinstance(bound, kind) for pair in values for bound in pair):
        return None     # such as the number of a protocol that has no name
    found = any(low <= packet[key] <= high for low, high in values)
    return found != negated


def all_hold(rule, packet):
    known = [holds(condition, packet) for condition in rule.conditions]
    if False in known:
        return False
    return None if None in known else True


class Walk:
    """One packet on its way through the chains of one table."""

    def __init__(self, chains, packet):
        self.chains = {(chain.table, chain.name): chain for chain in chains}
        self.packet = packet

    def chain(self, chain, depth=0):
        """accept, drop, maybe; "" when the end of the chain is reached"""
        if depth > 16:
            return MAYBE
        for rule in chain.rules:
            holding = all_hold(rule, self.packet)
            if holding is False or not rule.verdict:
                continue
            result = self.verdict(chain, rule, depth)
            if holding is None:
                # It may have been accepted here; if not, the walk continues.
                if result in (ACCEPT, MAYBE) or rule.verdict == "return":
                    return MAYBE
                continue
            if rule.verdict in ("return", "goto") and not result:
                return ""
            if result:
                return result
        return ""

    def verdict(self, chain, rule, depth):
        if rule.verdict in ("jump", "goto"):
            target = self.chains.get((chain.table, rule.target))
            return self.chain(target, depth + 1) if target else MAYBE
        return "" if rule.verdict == "return" else rule.verdict


def dropping_chain(chains, packet, hook="input"):
    """The chain that drops a packet, or None.

    A packet is {"family": "ip", "l4proto": "udp", "dport": 4791, "iif": "eth0"}, with "oif"
    for the hook output.
    """
    packet = dict(packet, ctstate="new")
    fitting = [chain for chain in chains if packet["family"] in chain.families]
    for chain in fitting:
        if chain.hook != hook:
            continue
        same = [other for other in fitting if other.program == chain.program]
        if (Walk(same, packet).chain(chain) or chain.policy) == DROP:
            return chain
    return None


# nft --json list ruleset

def nft_values(right):
    """Ranges of values on the right side of a match, or None."""
    if isinstance(right, (int, str)):
        return None if str(right).startswith("@") else [(right, right)]
    if isinstance(right, list):
        right = {"set": right}
    if not isinstance(right, dict):
        return None
    if "range" in right:
        return [tuple(right["range"])]
    if "set" in right:
        parts = [nft_values(item) for item in right["set"]]
        return None if None in parts else [one for part in parts for one in part]
    return None


def nft_key(left):
    """(name of a condition, condition that it implies), or (None, None)"""
    if not isinstance(left, dict):
        return None, None
    payload = left.get("payload", {})
    if payload.get("field") == "dport":
        protocol = payload.get("protocol")
        return "dport", None if protocol == "th" else ("l4proto", [(protocol, protocol)], False)
    if payload.get("field") in ("protocol", "nexthdr"):
        return "l4proto", None
    meta = left.get("meta", {}).get("key")
    if meta in ("l4proto", "iifname", "iif", "oifname", "oif", "nfproto"):
        return {"iifname": "iif", "oifname": "oif", "nfproto": "family"}.get(meta, meta), None
    if left.get("ct", {}).get("key") == "state":
        return "ctstate", None
    return None, None


NFT_FAMILY = {"ipv4": "ip", "ipv6": "ip6"}


def nft_condition(match):
    key, also = nft_key(match.get("left"))
    values = nft_values(match.get("right"))
    if key is None or values is None or match.get("op") not in ("==", "!=", "in"):
        return [None]
    if key == "family":
        values = [(NFT_FAMILY.get(low, low),) * 2 for low, _ in values]
    if key == "dport" and any(not isinstance(low, int) for low, _ in values):
        return [None]
    if key in ("iif", "oif") and any(str(low).endswith("*") for low, _ in values):
        return [None]
    return ([also] if also else []) + [(key, values, match["op"] == "!=")]


NFT_NEUTRAL = ("counter", "log", "comment", "mangle", "notrack", "ct helper")


def nft_verdict(rule, kind, value):
    """Record a verdict; False if the statement is not a verdict."""
    if kind in ("accept", "drop", "return"):
        rule.verdict = kind
    elif kind == "reject":
        rule.verdict = DROP
    elif kind in ("jump", "goto"):
        rule.verdict, rule.target = kind, value.get("target", "")
    else:
        return False
    return True


def nft_map(rule, vmap):
    """A verdict map is one rule for each of its entries."""
    entries = vmap.get("data")
    if not isinstance(entries, dict):
        return [Rule(rule.conditions + [None], MAYBE)]
    rules = []
    for value, verdict in entries.get("set", []):
        one = Rule(rule.conditions + nft_condition({"op": "==", "left": vmap.get("key"), "right": value}))
        if not nft_verdict(one, *next(iter(verdict.items()))):
            one.verdict = MAYBE
        rules.append(one)
    return rules


def nft_rules(item):
    rule = Rule()
    for statement in item.get("expr", []):
        kind, value = next(iter(statement.items())) if isinstance(statement, dict) else (statement, None)
        if kind == "match":
            rule.conditions += nft_condition(value)
        elif kind == "vmap":
            return nft_map(rule, value)
        elif kind in ("queue", "xt"):
            rule.conditions.append(None)
            rule.verdict = rule.verdict or MAYBE
        elif not nft_verdict(rule, kind, value) and kind not in NFT_NEUTRAL:
            rule.conditions.append(None)
    return [rule]


def from_nft(text):
    """Chains from the output of nft --json list ruleset."""
    chains = {}
    for entry in json.loads(text).get("nftables", []):
        if "chain" in entry:
            item = entry["chain"]
            if item["family"] in FAMILIES:
                chains[item["family"], item["table"], item["name"]] = Chain(
                    "nft", FAMILIES[item["family"]], f"{item['family']} {item['table']}", item["name"],
                    item.get("hook", "") if item.get("type", "filter") == "filter" else "",
                    item.get("policy", ACCEPT))
        elif "rule" in entry:
            item = entry["rule"]
            chain = chains.get((item["family"], item["table"], item["chain"]))
            if chain:
                chain.rules += nft_rules(item)
    return list(chains.values())


# iptables-save

def ports(text):
    found = []
    for part in text.split(","):
        low, _, high = part.partition(":")
        if not low.isdigit() or (high and not high.isdigit()):
            return None
        found.append((int(low), int(high or low)))
    return found


def iptables_option(option, value, negated):
    if option in ("-p", "--protocol"):
        return ("l4proto", [(value, value)], negated)
    if option in ("--dport", "--dports", "--destination-port"):
        return ("dport", ports(value), negated)
    if option in ("-i", "--in-interface", "-o", "--out-interface") and not value.endswith("+"):
        return ("iif" if option in ("-i", "--in-interface") else "oif", [(value, value)], negated)
    if option in ("--state", "--ctstate"):
        states = [(state.lower(), state.lower()) for state in value.split(",")]
        return ("ctstate", states, negated)
    return None


IPTABLES_VERDICTS = {"ACCEPT": ACCEPT, "DROP": DROP, "REJECT": DROP, "RETURN": "return"}
# Options without a condition: the match to load, arguments of a target.
IPTABLES_NEUTRAL = ("-m", "--match", "--comment", "--reject-with", "--log-prefix", "--log-level")
IPTABLES_PASSING = ("LOG", "NFLOG", "MARK", "CONNMARK", "TRACE")


def iptables_rule(words):
    rule = Rule()
    negated = False
    at = 0
    while at < len(words):
        word, value = words[at], words[at + 1] if at + 1 < len(words) else ""
        at += 1
        if word == "!":
            negated = True
            continue
        if word in ("-j", "--jump", "-g", "--goto"):
            at += 1
            if value in IPTABLES_VERDICTS:
                rule.verdict = IPTABLES_VERDICTS[value]
            elif value not in IPTABLES_PASSING:
                rule.verdict, rule.target = "goto" if word in ("-g", "--goto") else "jump", value
        elif word in IPTABLES_NEUTRAL:
            at += 1
        elif word.startswith("-"):
            takes_value = bool(value) and not value.startswith("-")
            at += takes_value
            rule.conditions.append(iptables_option(word, value, negated) if takes_value else None)
        negated = False
    return rule


def from_iptables(text, program="iptables"):
    """Chains of the filter table from the output of iptables-save or ip6tables-save."""
    chains, table = {}, ""
    family = ("ip6",) if program.startswith("ip6") else ("ip",)
    for line in text.splitlines():
        if line.startswith("*"):
            table = line[1:].strip()
        elif table == "filter" and line.startswith(":"):
            name, policy = line[1:].split()[:2]
            hook = name.lower() if name in ("INPUT", "OUTPUT") else ""
            chains[name] = Chain(program, family, table, name, hook,
                                 DROP if policy == "DROP" else ACCEPT)
        elif table == "filter" and line.startswith("-A "):
            words = shlex.split(line)
            if words[1] in chains:
                chains[words[1]].rules.append(iptables_rule(words[2:]))
    return list(chains.values())


def accepting_command(chain, packet):
    """The command that accepts a packet, before the rule that drops it."""
    proto, port = packet["l4proto"], packet["dport"]
    if chain.table == "inet firewalld":     # it may own its table, and loads it again from its own files
        zone = f"$(firewall-cmd --get-zone-of-interface={packet.get('iif') or packet['oif']})"
        return f'firewall-cmd --permanent --zone="{zone}" --add-port={port}/{proto} && firewall-cmd --reload'
    if chain.program == "nft":
        return f"nft insert rule {chain.table} {chain.name} {proto} dport {port} accept"
    return f"{chain.program} -I {chain.name} -p {proto} --dport {port} -j ACCEPT"
