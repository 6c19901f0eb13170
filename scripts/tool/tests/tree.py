# SPDX-License-Identifier: GPL-2.0-only
"""A directory like /sys/kernel/rpcrdma/connections, with the counters that the modules have."""

import os
import re

from .machine import connection

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
ABI = os.path.join(TOP, "Documentation/ABI/testing/sysfs-kernel-rpcrdma")
REASONS = ("short", "vers", "credits")
HISTOGRAMS = ("post_to_completion", "registration", "credit_wait", "send_queue_wait")


def documented_counters():
    """Names of the table of counters, from the page of the ABI"""
    with open(ABI, encoding="utf-8") as file:
        table = file.read().split("<name>/counters")[1].split("What:")[0]
    return re.findall(r"^\t\t([a-z_]+)(?:\t| {2,})", table, re.M)


def values(side, number):
    one = connection(side, peer_address=f"10.0.{number // 250}.{number % 250 + 1}", source_address="10.1.0.1",
                     source_port="20049", last_refusal="").values
    return {**one, "peer_port": "20049" if side == "client" else "40000"}


def put(directory, name, text):
    with open(os.path.join(directory, name), "w", encoding="ascii") as file:
        file.write(f"{text}\n")


def write(root, name, counters=None, refusals=None, **changes):
    """One connection; counters that are not given have the value 1000."""
    side, _, number = name.partition("-")
    directory = os.path.join(root, name)
    os.makedirs(directory, exist_ok=True)
    for file, text in {**values(side, int(number)), **changes}.items():
        put(directory, file, text)
    lines = {"counters": {**dict.fromkeys(documented_counters(), 1000), **(counters or {})},
             "refusals": {**dict.fromkeys(REASONS, 0), **(refusals or {})},
             "latency": dict.fromkeys(HISTOGRAMS, "0 5 1" + " 0" * 24 + " 2")}
    for file, values_of in lines.items():
        put(directory, file, "\n".join(f"{key} {text}" for key, text in values_of.items()))
