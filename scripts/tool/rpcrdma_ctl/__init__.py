# SPDX-License-Identifier: GPL-2.0-only
"""rpcrdmactl: see and diagnose NFS over RDMA.

Files that only compute take text and plain data: tables, kmod, firewall, findings, rates,
events, totals, metrics, openmetrics, mountstats, history, terminal, top_view, redact, html,
charts, report_page. Those that look at the machine: system, views, facts, cm, path, sample,
report_data.
"""

# As in include/rpcrdma/release.h
VERSION = "0.1.0"
