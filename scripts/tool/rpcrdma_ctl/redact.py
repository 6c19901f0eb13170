# SPDX-License-Identifier: GPL-2.0-only
"""Replaces addresses and host names in plain data, each by the same word everywhere. Only computes.

What looks like an address is replaced wherever it stands; host names are those that are given. A name is replaced
also where it is an ordinary word: rather too much than too little.
"""

import ipaddress
import re

IPV4 = re.compile(r"(?<!\d)(?<!\d\.)\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)")
IPV6 = re.compile(r"(?<![0-9A-Za-z_])[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:]*:(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]*)"
                  r"(?:%[\w.-]+)?")
MAC = re.compile(r"(?<![0-9A-Fa-f:])(?:[0-9A-Fa-f]{2}:){5,19}[0-9A-Fa-f]{2}(?![0-9A-Fa-f:])")
# Numbers with dots that are no addresses
KEEP = ("firmware", "version", "kernel", "kernel_build", "distribution", "rpcrdmactl", "time")


def host_names(node, sources):
    """Names to replace: of this machine, and of the servers that mounts name as server:path."""
    servers = [source.partition(":")[0] for source in sources if ":" in source and not source.startswith("[")]
    names = {node, *servers} - {"", "localhost"}
    short = {name.partition(".")[0] for name in names if "." in name and not IPV4.fullmatch(name)}
    return (names | short) - {""}


class Redactor:
    def __init__(self, names):
        self.known = {}     # (kind, what): its replacement
        self.used = {}      # kind: the last number
        self.names = None
        if names:
            words = "|".join(map(re.escape, sorted(names, key=lambda name: (-len(name), name))))
            # With its domain, if one follows
            self.names = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])(?:\.[\w-]+)*", re.I)

    def word(self, kind, what):
        if (kind, what) not in self.known:
            self.used[kind] = self.used.get(kind, 0) + 1
            self.known[kind, what] = f"{kind}-{self.used[kind]}"
        return self.known[kind, what]

    def address(self, found):
        """What only looks like an address stays; so does what says nothing, as 127.0.0.1."""
        text = found[0]
        bare = text.partition("%")[0]
        tail = ""
        while bare:
            try:
                address = ipaddress.ip_address(bare)
                break
            except ValueError:
                if bare[-1] != ":":     # of a sentence: "fd00::1: connected"
                    return text
                bare, tail = bare[:-1], bare[-1] + tail
        else:
            return text
        address = getattr(address, "ipv4_mapped", None) or address
        if address.is_loopback or address.is_unspecified:
            return text
        return self.word("address", address) + tail

    def text(self, text):
        text = MAC.sub(lambda found: self.word("mac", found[0].lower()), text)
        text = IPV6.sub(self.address, text)
        text = IPV4.sub(self.address, text)
        return self.names.sub(lambda found: self.word("host", found[0].lower()), text) if self.names else text

    def data(self, value, key=""):
        """A copy of lists, dictionaries, texts and numbers"""
        if isinstance(value, dict):
            return {name: self.data(one, name) for name, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.data(one, key) for one in value]
        return self.text(value) if isinstance(value, str) and key not in KEEP else value
