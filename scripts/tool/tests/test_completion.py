# SPDX-License-Identifier: GPL-2.0-only

import os
import shlex
import subprocess
import tempfile
import unittest

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../completion.bash")
SCRIPT = r"""
. "$1"
_rpcrdmactl_mounts() { printf '%s' "$MOUNTS"; }
_rpcrdmactl_connections() { printf 'client-1\nserver-2\n'; }
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_rpcrdmactl
[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"
"""


class Bash(unittest.TestCase):
    def offered(self, *words, mounts=(), directory="."):
        """What TAB offers after these words; the mounts are as in /proc/mounts."""
        done = subprocess.run(["bash", "-c", SCRIPT, "bash", FILE, "rpcrdmactl", *words], text=True, check=True,
                              capture_output=True, cwd=directory,
                              env={**os.environ, "MOUNTS": "".join(f"{one}\n" for one in mounts)})
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def test_a_mount_point_is_never_run(self):
        names = ("/mnt/$(touch$IFS`echo bad`)", "/mnt/`touch bad`", "/mnt/*", "/mnt/~", "/mnt/$HOME", "/mnt/'a")
        with tempfile.TemporaryDirectory() as work:
            found = self.offered("trace", "/mnt/", mounts=[name.replace(" ", r"\040") for name in names],
                                 directory=work)
            self.assertEqual(os.listdir(work), [])
        self.assertEqual([shlex.split(one) for one in found], [[name] for name in names])

    def test_white_space(self):
        mounts = (r"/mnt/a\0401", r"/mnt/a\134040", "/mnt/b")
        self.assertEqual(self.offered("trace", "/mnt/a", mounts=mounts), [r"/mnt/a\ 1", r"/mnt/a\\040"])
        self.assertEqual(self.offered("trace", r"/mnt/a\ ", mounts=mounts), [r"/mnt/a\ 1"])

    def test_words(self):
        self.assertEqual(self.offered("st"), ["status"])
        self.assertEqual(self.offered("status", "--l"), ["--long"])
        self.assertEqual(self.offered("status", "c"), ["client-1"])
        self.assertEqual(self.offered("trace", "s", mounts=["/mnt"]), ["server-2"])
        self.assertEqual(self.offered("path", "dr"), ["drain"])
        self.assertEqual(self.offered("path", "drain", ""), ["client-1", "server-2"])
        self.assertEqual(self.offered("traffic", "c"), ["check"])
        self.assertEqual(self.offered("metrics", "--format", "o"), ["openmetrics"])
        self.assertEqual(self.offered("exporter", "-l", ""), [])
        self.assertIn("--long", self.offered("status", "-l", ""))


if __name__ == "__main__":
    unittest.main()
