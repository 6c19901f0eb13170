# SPDX-License-Identifier: GPL-2.0-only
"""For sphinx-build; "make docs" (scripts/docs/build) runs it."""

project = "NFS on RDMA"
root_doc = "index"
highlight_language = "none"
exclude_patterns = ["ABI", "conformance", "data", "man", "pictures", "static"]
html_theme = "alabaster"
html_theme_options = {"page_width": "1200px", "sidebar_width": "240px", "show_powered_by": False}
html_sidebars = {"**": ["globaltoc.html", "searchbox.html"]}
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_copyright = False
