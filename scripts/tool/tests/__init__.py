# SPDX-License-Identifier: GPL-2.0-only
"""Unit tests of rpcrdmactl: python3 -m unittest discover, in scripts/tool."""
