# SPDX-License-Identifier: GPL-2.0-only
"""
What scripts/tests/mutation/reach has found out: the lines of the modules that each case runs.

There is a file for each case, with the hash of each source file. What is said of a source file that
has changed since is not used.
"""

import hashlib
import json

from judge import CACHE, TOP

KEPT = CACHE / "mutation/reach"


def digest_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def case_named(name):
    """The run of lab/run that is shown as NAME: "smoke-v2" is smoke:v2"""
    words = name.split("-")
    for last in range(len(words), 0, -1):
        case = "-".join(words[:last])
        if case == "kunit" or (TOP / f"scripts/tests/cases/{case}.sh").exists():
            return ":".join([case, *words[last:]])
    return None


class Reach:
    """What is kept, of files as they are now"""

    def __init__(self):
        self.run, self.known, hashes = {}, {}, {}
        for path in sorted(KEPT.glob("*.json")):
            for file, what in json.loads(path.read_text()).items():
                if file not in hashes:
                    hashes[file] = digest_of(TOP / file) if (TOP / file).exists() else None
                if what["hash"] == hashes[file]:
                    self.run.setdefault(file, {})[path.stem] = set(what["run"])
                    self.known.setdefault(file, set()).update(what["known"])

    def line_of(self, file, line):
        """The nearest line that gcov counts, at this one or above: of the same statement"""
        return max((one for one in self.known.get(file, ()) if one <= line), default=None)

    def cases(self, file, line):
        """Those that run the line; None if nothing is known of the file"""
        if file not in self.run:
            return None
        counted = self.line_of(file, line)
        return {case for case, lines in self.run[file].items() if counted in lines}

    def never(self, file):
        run = set().union(*self.run[file].values())
        return sorted(self.known[file] - run)
