# SPDX-License-Identifier: GPL-2.0-only
"""rpcrdmactl report: writes what report_data finds as one HTML page, or as JSON."""

import json

from . import redact, report_data, report_page, system
from .terminal import printable


def redacted(data):
    """A copy without addresses and known host names; paths stay"""
    names = redact.host_names(data["versions"]["host"], [one["source"] for one in data["mounts"]])
    return {**redact.Redactor(names).data(data), "redacted": True}


def run(options):
    system.check_writable(options.file)
    data = report_data.gather(options.seconds)
    if options.redact:
        data = redacted(data)
    # It has lines of the kernel log
    system.write(options.file, (json.dumps(data) if options.json else report_page.page(data)) + "\n", mode=0o600)
    warning = "addresses and host names are replaced; read it before you publish it" if options.redact else \
        "it has addresses and host names, which --redact replaces"
    print(printable(f"{options.file}: written; {warning}"))
