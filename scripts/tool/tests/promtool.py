# SPDX-License-Identifier: GPL-2.0-only
"""Runs promtool (Debian: prometheus)."""

import shutil
import subprocess
import unittest

PROMTOOL = shutil.which("promtool")
needed = unittest.skipUnless(PROMTOOL, "promtool is not installed")


def run(*words, text=None):
    """(passed, output)"""
    done = subprocess.run([PROMTOOL, *words], input=text, text=True, capture_output=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr
