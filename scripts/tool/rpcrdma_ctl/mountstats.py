# SPDX-License-Identifier: GPL-2.0-only
"""Parses /proc/self/mountstats. Only computes."""

from dataclasses import dataclass, field

from .model import Mount
from .parse import unescape

# Of the line "bytes:"; those of an application include what the page cache has
BYTES = ("normal_read", "normal_write", "direct_read", "direct_write", "server_read", "server_write")
# Of the line of an operation; times are in milliseconds
OPERATION = ("operations", "transmissions", "timeouts", "sent_bytes", "received_bytes", "queue", "rtt", "execute",
             "errors")


@dataclass
class MountStats:
    mount: Mount
    bytes: dict = field(default_factory=dict)           # of BYTES
    transports: int = 0
    operations: dict = field(default_factory=dict)      # name: {of OPERATION}


def numbers(names, words):
    return {name: int(word) for name, word in zip(names, words) if word.isdigit()}


def take(stats, line):
    """A line of a mount's section"""
    key, _, rest = line.strip().partition(":")
    words = rest.split()
    if key == "bytes":
        stats.bytes = numbers(BYTES, words)
    elif key == "xprt":
        stats.transports += words[:1] == ["rdma"]
    elif key.isupper() and len(words) >= 8 and all(word.isdigit() for word in words):
        stats.operations[key] = numbers(OPERATION, words)


def parse(text, mounts):
    """The statistics of these mounts. The file itself has no address of the server."""
    wanted = {mount.directory: mount for mount in mounts}
    found, stats = {}, None
    for line in text.split("\n"):
        if line.startswith("device "):
            words = line.split(" ")
            mount = wanted.get(unescape(words[4])) if len(words) >= 8 and words[7] in ("nfs", "nfs4") else None
            stats = MountStats(mount) if mount else None
            # Of two mounts on one directory the later one is in use.
            found.update({mount.directory: stats} if mount else {})
        elif stats:
            take(stats, line)
    return list(found.values())
