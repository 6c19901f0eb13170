# SPDX-License-Identifier: GPL-2.0-only
"""rpcrdmactl traffic: type of service and timers by address, from a file to the modules."""

import ipaddress
import os
from dataclasses import dataclass

from . import system
from .failure import Failure
from .tables import table

FILE = "/etc/rpcrdma/traffic-class.conf"
MODPROBE = "/etc/modprobe.d/rpcrdma-traffic.conf"
PARAMETER = "/sys/module/{}/parameters/traffic_rules"
MODULES = {"client": "xprtrdma", "server": "svcrdma"}
TIMERS = {"ack_timeout": (0, 31), "rnr_timer": (1, 31), "rnr_retries": (0, 6)}
SETTINGS = {"client": {"tos": (0, 255), "dscp": (0, 63), **TIMERS}, "server": TIMERS}
MOST = 32       # rules of a side
HEAD = ["NAME", "PEER", "TOS", "DSCP", "NEW", "ACK", "RNR", "RETRIES"]


@dataclass
class Rule:
    side: str
    network: object     # of ipaddress
    settings: dict      # name: number, without dscp

    def text(self):
        """As the modules take it, and show it."""
        order = [name for name in ("tos", *TIMERS) if name in self.settings]
        return ",".join([str(self.network), *(f"{name}={self.settings[name]}" for name in order)])


def setting(side, word):
    """(name, number) of one word; dscp becomes tos."""
    name, equals, text = word.partition("=")
    if side == "server" and name in ("tos", "dscp"):
        raise ValueError(f"a server has no {name} of its own: its clients choose it")
    if name not in SETTINGS[side] or not equals:
        raise ValueError(f"{word} is none of {', '.join(f'{one}=' for one in SETTINGS[side])}")
    least, most = SETTINGS[side][name]
    if not (text.isascii() and text.isdigit()) or not least <= int(text) <= most:
        raise ValueError(f"{name} must be a number from {least} to {most}, not {text or 'nothing'}")
    return ("tos", 4 * int(text)) if name == "dscp" else (name, int(text))


def rule(line):
    side, *words = line.split()
    if side not in MODULES:
        raise ValueError(f"a rule begins with client or server, not with {side}")
    if len(words) < 2:
        raise ValueError("a rule has an address and at least one setting")
    settings = {}
    for word in words[1:]:
        name, number = setting(side, word)
        if name in settings:
            raise ValueError(f"{name} is set twice")
        settings[name] = number
    return Rule(side, network(words[0]), settings)


def network(text):
    """The kernel takes no zone, and writes some networks otherwise."""
    found = ipaddress.ip_network(text)
    if "%" in text:
        raise ValueError("the address of a rule has no zone")
    if found.version == 6 and found.network_address.ipv4_mapped:
        raise ValueError(f"write {text} as an IPv4 address")
    return found


def parse(text, name=FILE):
    """The rules of a file, in its order."""
    rules = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        try:
            new = rule(line)
            own = [one for one in rules if one.side == new.side]
            if any(one.network == new.network for one in own):
                raise ValueError(f"another rule of the {new.side} is for {new.network}")
            if len(own) == MOST:
                raise ValueError(f"the {new.side} has more than {MOST} rules")
        except ValueError as error:
            raise Failure(f"{name}: line {number}: {error}") from error
        rules.append(new)
    return rules


def kernel_text(rules, side):
    """The value of a module's parameter."""
    return ";".join(one.text() for one in rules if one.side == side)


def modprobe_text(rules):
    lines = [f"options {module} traffic_rules={kernel_text(rules, side)}"
             for side, module in MODULES.items() if kernel_text(rules, side)]
    return "\n".join(["# Written by rpcrdmactl traffic load, for modules that are loaded later.", *lines, ""])


def read_file(path):
    try:
        with open(path, encoding="utf-8") as file:
            return parse(file.read(), path)
    except (OSError, UnicodeError) as error:
        raise Failure(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def set_parameter(path, text):
    try:
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}; the kernel log may say why") from error


def write_modprobe(rules):
    """The modules that are loaded later get the same; no file if there is no rule."""
    if rules:
        system.write(MODPROBE, modprobe_text(rules))
    elif os.path.exists(MODPROBE):
        system.remove(MODPROBE)


def load(rules):
    """All or nothing for each module: the kernel checks the rules again."""
    if system.is_directory("/sys/module/rpcrdma") and not system.read("/sys/module/rpcrdma/version"):
        raise Failure("the in-tree rpcrdma is loaded, which takes no rules (rpcrdmactl doctor says more)")
    for side, module in MODULES.items():
        path = PARAMETER.format(module)
        if os.path.exists(path):
            set_parameter(path, kernel_text(rules, side) + "\n")
        elif system.is_directory(f"/sys/module/{module}") and kernel_text(rules, side):
            raise Failure(f"the loaded module {module} takes no rules (rpcrdmactl doctor says more)")
    write_modprobe(rules)


def counted(rules):
    """"2 rules for the client, 1 for the server\""""
    number = {side: sum(one.side == side for one in rules) for side in MODULES}
    return f"{number['client']} rules for the client, {number['server']} for the server"


def in_force():
    """{side: [rule as text]} of the modules that are loaded."""
    return {side: [one for one in system.read(PARAMETER.format(module)).split(";") if one]
            for side, module in MODULES.items()}


def row(one):
    def value(key):
        number = one.number(key)
        return "-" if number is None else number
    tos = one.number("tos")
    return [one.name, one.peer, value("tos"), "-" if tos is None else tos // 4, value("tos_configured"),
            value("ack_timeout"), value("rnr_timer"), value("rnr_retries")]


def lines(rules, connections):
    for side, texts in rules.items():
        yield from (f"{side} rule: {text}" for text in texts)
    if not any(rules.values()):
        yield "no rules"
    if connections:
        yield from table(HEAD, [row(one) for one in connections], set(HEAD) - {"NAME", "PEER"})
    else:
        yield "no connections"


def data(rules, connections):
    """For --json: the values of a connection by the names of their files."""
    keys = ("tos", "tos_configured", "ack_timeout", "rnr_timer", "rnr_retries")
    return {"version": 1, "command": "traffic", "rules": rules,
            "connections": [{"name": one.name, "peer": one.peer, **{key: one.number(key) for key in keys}}
                            for one in connections]}
