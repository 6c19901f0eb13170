# SPDX-License-Identifier: GPL-2.0-only
"""rpcrdmactl: see and diagnose NFS over RDMA.

Files that only compute take text and plain data: tables, views, kmod, firewall,
findings, rates, events. Those that look at the machine: system, facts, cm, path.
"""
