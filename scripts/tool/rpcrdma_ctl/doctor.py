# SPDX-License-Identifier: GPL-2.0-only
"""The output of rpcrdmactl doctor. Only computes."""

import collections
import textwrap

WIDTH = 96

# Findings of one name that are printed: a server with thousands of clients may have one for each
MOST = 5

# What these programs set lasts until the next boot.
TRANSIENT = ("echo", "ip", "nft", "iptables", "ip6tables", "rdma")


def is_transient(command):
    return command.text.split()[0] in TRANSIENT and not command.text.endswith("/disconnect")


def lines(found, notes):
    number = collections.Counter()
    for finding in found:
        number[finding.name] += 1
        if number[finding.name] > MOST:
            continue
        yield from textwrap.wrap(f"{finding.severity.upper()} {finding.name}: {finding.text}.", WIDTH,
                                 subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
        for command in finding.repair:
            yield f"    on {command.on}:  {command.text}"
    for name, count in number.items():
        if count > MOST:
            yield f"note: {count - MOST} more findings are {name}: rpcrdmactl doctor --json tells all"
    if any(is_transient(command) for finding in found for command in finding.repair):
        yield "note: what echo, ip, rdma or the firewall's program sets is lost at the next boot"
    for note in notes:
        yield f"note: {note}"
    yield summary(found)


COLOURS = {"ERROR": "red", "WARNING": "yellow", "nothing": "green", "note:": "dim"}


def styled(texts, look):
    """The first word tells what a line is."""
    for text in texts:
        word, space, rest = text.partition(" ")
        yield look.style(COLOURS[word], word) + space + rest if word in COLOURS else text


def summary(found):
    if not found:
        return "nothing found"
    counts = [(sum(finding.severity == severity for finding in found), severity)
              for severity in ("error", "warning")]
    return ", ".join(f"{count} {severity}{'s' if count > 1 else ''}" for count, severity in counts if count)


def data(found, notes):
    return {"version": 1, "command": "doctor",
            "findings": [{"name": finding.name, "severity": finding.severity, "text": finding.text,
                          "repair": [{"on": command.on, "command": command.text} for command in finding.repair]}
                         for finding in found],
            "notes": notes}
