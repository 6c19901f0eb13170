# SPDX-License-Identifier: GPL-2.0-only
"""For sphinx-build: scripts/checks/documentation builds the pages with it."""

project = "NFS on RDMA"
root_doc = "index"
highlight_language = "none"
exclude_patterns = ["ABI", "conformance", "man"]
html_theme = "basic"
