# SPDX-License-Identifier: GPL-2.0-only
"""
What scripts/tests/mutation/reach has found out: the lines of the modules that each case runs.

For each kernel and device there is a directory, with a file for each case. It has the hash of each
source file, and is not used for a source file that has changed since. The file COMPLETE has the
hashes of the source files when all judges had run; without it, or for a file that has changed, a line
that no case is known to run is not called one that none runs.
"""

import bisect
import functools
import hashlib
import json
import re

from judge import CACHE, TOP

KEPT = CACHE / "mutation/reach"
COMPLETE = "complete"


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
def headers(case):
    path = TOP / f"scripts/tests/cases/{case}.sh"
    lines = path.read_text().split("\n\n")[0].splitlines() if path.exists() else ()
    found = (re.match(r"# ([a-z-]+(?:\[[^] ]*\])?): *(.*)", line) for line in lines)
    return {one[1]: one[2] for one in found if one}


def header(run, key):
    """Of the last word of the run that has the key, or of the case; as case_get of case-info.sh"""
    case, *words = run.split(":")
    for word in reversed(words):
        if f"{key}[{word}]" in headers(case):
            return headers(case)[f"{key}[{word}]"]
    return headers(case).get(key, "")


class Source:
    """A file of the modules: what is code of a function, and where functions begin and end"""

    def __init__(self, file):
        path = TOP / file
        self.text = path.read_text() if path.exists() else ""
        self.hash = digest_of(path) if path.exists() else None
        # A function, and other definitions in braces, end with a brace in the first column.
        self.ends = [i for i, line in enumerate(self.text.splitlines(), 1) if line.startswith("}")]

    def bounds(self, line):
        """The lines between which the definition around it is"""
        at = bisect.bisect_left(self.ends, line)
        return (self.ends[at - 1] + 1 if at else 1), (self.ends[at] if at < len(self.ends) else len(self.text))

    def is_function(self, name):
        """Not a variable or a macro: its definition begins a line, and has arguments"""
        return bool(re.search(rf"^[^#\s][^;\n]*\b{re.escape(name)}\(", self.text, re.M))


class Reach:
    """What is kept of runs with a device (rxe or siw)"""

    def __init__(self, provider):
        self.run, self.known, self.sources, self.complete = {}, {}, {}, set()
        for path in sorted(KEPT.glob(f"*-{provider}/*.json")):
            for file, what in json.loads(path.read_text()).items():
                if what["hash"] != self.source(file).hash:
                    continue
                if path.stem == COMPLETE:
                    self.complete.add(file)
                    continue
                self.run.setdefault(file, {}).setdefault(path.stem, set()).update(what["run"])
                self.known.setdefault(file, set()).update(what["known"])

    def source(self, file):
        if file not in self.sources:
            self.sources[file] = Source(file)
        return self.sources[file]

    def counted(self, file, line):
        """The line if gcov counts it; or the nearest ones that it counts around it, of the function"""
        if line in self.known[file]:
            return {line}
        first, last = self.source(file).bounds(line)
        inside = [one for one in self.known[file] if first <= one <= last]
        return {max((one for one in inside if one < line), default=None),
                min((one for one in inside if one > line), default=None)} - {None}

    def cases(self, file, line, name):
        """
        Those that run the line of the function @name on any lane; if there is none, those that run
        another line of it, because the delays of the strict layer, which was not there when this was
        measured, may lead them to it. None if that is not known, also of what is not code of a
        function, which gcov does not count.
        """
        if file not in self.run or not self.source(file).is_function(name):
            return None
        lines = self.counted(file, line)
        found = {case for case, run in self.run[file].items() if lines & run}
        if not lines or not found and file not in self.complete:
            return None
        first, last = self.source(file).bounds(line)
        return found or {case for case, run in self.run[file].items() if any(first <= one <= last for one in run)}

    def never(self, file):
        run = set().union(*self.run[file].values())
        return sorted(self.known[file] - run)
