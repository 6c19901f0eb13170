# SPDX-License-Identifier: GPL-2.0-only
"""
What scripts/tests/mutation/reach has found out: the lines of the modules that each case runs.

There is a file for each case on each lane and device, with the hash of each source file. What is said of
a source file that has changed since is not used.
"""

import functools
import hashlib
import json
import re

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


@functools.cache
def lanes_of(case):
    """From the case's header; none for "kunit", which all lanes of User-Mode Linux have"""
    path = TOP / f"scripts/tests/cases/{case.split(':')[0]}.sh"
    for line in path.read_text().splitlines() if path.exists() else ():
        if line.startswith("# lanes: "):
            return line.split()[2:]
    return []


@functools.cache
def is_function(file, name):
    """Not a variable or a macro: its definition begins a line, and has arguments"""
    return bool(re.search(rf"^[^#\s][^;\n]*\b{re.escape(name)}\(", (TOP / file).read_text(), re.M))


class Reach:
    """What is kept, of files as they are now, of runs with a device (rxe or siw)"""

    def __init__(self, provider):
        self.run, self.known, hashes = {}, {}, {}
        for path in sorted(KEPT.glob(f"*-{provider}/*.json")):
            for file, what in json.loads(path.read_text()).items():
                if file not in hashes:
                    hashes[file] = digest_of(TOP / file) if (TOP / file).exists() else None
                if what["hash"] == hashes[file]:
                    self.run.setdefault(file, {}).setdefault(path.stem, set()).update(what["run"])
                    self.known.setdefault(file, set()).update(what["known"])

    def line_of(self, file, line):
        """The nearest line that gcov counts, at this one or above: of the same statement"""
        return max((one for one in self.known.get(file, ()) if one <= line), default=None)

    def cases(self, file, line, name):
        """
        Those that run the line on any lane. None if that is not known: of a file, and of what is not
        code in a function, which gcov does not count.
        """
        if file not in self.run or not is_function(file, name):
            return None
        counted = self.line_of(file, line)
        return {case for case, lines in self.run[file].items() if counted in lines}

    def never(self, file):
        run = set().union(*self.run[file].values())
        return sorted(self.known[file] - run)
