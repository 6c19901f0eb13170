# SPDX-License-Identifier: GPL-2.0-only
"""
Do the tests of the pure files notice a mutant? It is compiled as a program of user
space (scripts/tests/userspace), alone, linked with everything else, and the tests run.

What was found is kept in the lab's cache, under hashes of objects: a result holds until
the code of the file, of other pure files, or of the tests that gave it changes.
"""

import hashlib
import os
import re
import resource
import shlex
import signal
import sqlite3
import subprocess
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[3]
USERSPACE = TOP / "scripts/tests/userspace"
CACHE = Path(os.environ.get("RPCRDMA_CACHE") or "/var/cache/rpcrdma-lab")
# Part of each hash: another number makes all results void
RULES = 1

# Other ways to compile the suites
SANITIZERS = ("sanitized", "memory")
# Suites that are run before the others
FIRST = 2
# A mutant that needs so many times the processor of all suites does not end
SLOW = 10
# Seconds of processor, at least
LEAST = 2
# Bytes of a result, and of memory without sanitizers: more is an endless loop
OUTPUT = 1 << 20
MEMORY = 2 << 30
# Inputs for each fuzz target, and seconds of processor
FUZZ_RUNS = 30000
FUZZ_TIME = 120


class BuildError(Exception):
    pass


class Verdict(NamedTuple):
    """@by is what noticed: the suite, or "fuzz:TARGET"; empty if nothing did."""
    by: str
    what: str


def run(command, **more):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, **more)


def digest(*parts):
    value = hashlib.sha256()
    for part in (str(RULES), *parts):
        part = part if isinstance(part, bytes) else str(part).encode()
        value.update(b"%d:" % len(part) + part)
    return value.hexdigest()[:32]


def limited(program, seconds, sanitized=True):
    """A command that ends. Sanitized programs want much address space, and on some kernels do
    not start where all of their addresses are random."""
    words = ["prlimit", f"--cpu={seconds}:{seconds + 1}", f"--fsize={OUTPUT}", "--core=0"]
    if sanitized:
        return [*words, "setarch", os.uname().machine, "-R", program]
    return [*words, f"--as={MEMORY}", program]


def linker(command, existing):
    """What the compiler does to link, without the compiler: words, with PROGRAM and OBJECT"""
    said = run([*command, "-###", "-o", "PROGRAM", existing]).stdout.decode().splitlines()[-1]
    return ["OBJECT" if word == existing else word for word in shlex.split(said)]


class Store:
    """Results of earlier runs"""

    def __init__(self):
        path = CACHE / "mutation/results.sqlite"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.lock = threading.Lock()
        self.base = sqlite3.connect(path, timeout=60, check_same_thread=False, isolation_level=None)
        for text in ("pragma synchronous=off",
                     "create table if not exists object (key text primary key, hash text)",
                     "create table if not exists verdict (key text, tests text, by text, what text,"
                     " primary key (key, tests))"):
            self.base.execute(text)

    def get(self, text, *values):
        with self.lock:
            return self.base.execute(text, values).fetchall()

    def put(self, text, *values):
        with self.lock:
            self.base.execute(text, values)

    def object_of(self, key):
        rows = self.get("select hash from object where key = ?", key)
        return rows[0][0] if rows else None

    def keep_object(self, key, value):
        self.put("insert or replace into object values (?, ?)", key, value)

    def verdict(self, key, tests):
        """@tests: of each name the hash that it has now"""
        for was, by, what in self.get("select tests, by, what from verdict where key = ?", key):
            if tests(by) == was:
                return Verdict(by, what)
        return None

    def keep_verdict(self, key, tests, verdict):
        self.put("insert or replace into verdict values (?, ?, ?, ?)", key, tests(verdict.by), *verdict)


class Objects:
    """All that is compiled in one way"""

    def __init__(self, kind, goal="kunit"):
        self.kind = kind
        built = run([str(USERSPACE / "build"), kind, goal])
        if built.returncode:
            raise BuildError(built.stdout.decode(errors="replace"))
        self.directory = Path(built.stdout.decode().split()[-1])
        self.facts = self.describe()
        self.compile = self.facts["compile"]
        self.pure = self.facts["pure"]
        self.suites = self.facts["suites"]
        self.hashes = {}

    def describe(self):
        text = run(["make", "-s", "-C", str(USERSPACE), f"O={self.directory.parent}",
                    f"KIND={self.kind}", "describe"]).stdout.decode()
        return {name: words.split() for name, _, words in
                (line.partition(": ") for line in text.splitlines())}

    def path(self, source):
        return str(self.directory / source.replace(".c", ".o"))

    def support(self):
        return [self.path(one) for one in self.facts["reference"]] + [
            str(self.directory / "here/kunit/run.o")]

    def hash(self, paths):
        for path in paths:
            if path not in self.hashes:
                self.hashes[path] = digest(Path(path).read_bytes())
        return digest(*(self.hashes[path] for path in paths))

    def others(self, source):
        """Of the program, without one pure file"""
        return [self.path(one) for one in self.pure if one != source] + self.support()

    def suite_objects(self):
        return [self.path(one) for one in self.suites]

    def suite_object(self, name):
        for source in self.suites:
            stem = source[len("kunit/"):-len("_kunit.c")]
            if name in (stem, f"rpcrdma_{stem}"):
                return self.path(source)
        return None

    def tests(self, name):
        """Hash of what gave a verdict: one suite, or all if its object is not known"""
        one = self.suite_object(name) if name else None
        return self.hash([one] if one else self.suite_objects())


class Suites:
    """The KUnit suites, compiled in one way, with a mutant"""

    def __init__(self, kind, store, work):
        self.objects = Objects(kind)
        self.kind, self.store, self.work = kind, store, Path(work)
        self.rest = {}
        self.lock = threading.Lock()
        self.link = linker(self.objects.facts["link"], self.objects.path(self.objects.pure[0]))
        # Of each file, how often each suite has noticed a mutant of it
        self.noticed = {}
        self.names, self.seconds = self.baseline()

    def program_run(self, program, seconds, suites=()):
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:hard_rss_limit_mb=2000"}
        with tempfile.TemporaryFile(dir=self.work) as out:
            code = subprocess.run([*limited(program, seconds, self.kind != "plain"), "-x", *suites],
                                  stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                  env=environment, check=False, cwd=self.work).returncode
            out.seek(0)
            return code, out.read().decode(errors="replace")

    def baseline(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        code, text = self.program_run(str(self.objects.directory / "suites"), 600)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if code:
            raise BuildError(f"without a mutant the suites fail ({self.kind}):\n{text[-2000:]}")
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return re.findall(r"^ok \d+ - (\S+)", text, re.M), max(LEAST, round(SLOW * used + 0.5))

    def others(self, source):
        """All objects but one, linked into one"""
        with self.lock:
            if source not in self.rest:
                path = str(self.work / f"{self.kind}-{len(self.rest)}.o")
                done = run(["ld", "-r", "-o", path, *self.objects.others(source),
                            *self.objects.suite_objects()])
                if done.returncode:
                    raise BuildError(done.stdout.decode(errors="replace"))
                self.rest[source] = path
            return self.rest[source]

    def compile(self, source, text, place):
        """The object of @text, which is a version of the file @source; None if there is none"""
        place.mkdir(exist_ok=True)
        file, out = place / Path(source).name, place / "mutant.o"
        file.write_bytes(text)
        done = run([*self.objects.compile, "-w", "-iquote", str((TOP / source).parent), "-c", "-o",
                    str(out), str(file)], cwd=USERSPACE)
        return None if done.returncode else out

    def verdict_of(self, source, identity, text, place, made=None):
        """@identity: hash of the object of the mutant, @made: the object, if it is there"""
        key = digest(self.kind, *self.objects.compile[1:], identity, self.objects.hash(self.objects.others(source)))
        known = self.store.verdict(key, self.objects.tests)
        if known:
            return known
        made = made or self.compile(source, text, place)
        if not made:
            return Verdict(f"{self.kind}:compiler", "does not compile this way")
        verdict = self.judge(source, made, place)
        self.store.keep_verdict(key, self.objects.tests, verdict)
        return verdict

    def judge(self, source, made, place):
        """First the suites that noticed most mutants of this file, then all"""
        program = str(place / "suites")
        paths = {"PROGRAM": [program], "OBJECT": [str(made), self.others(source)]}
        done = run([path for word in self.link for path in paths.get(word, [word])])
        if done.returncode:
            raise BuildError(done.stdout.decode(errors="replace"))
        noticed = self.noticed.setdefault(source, Counter())
        first = sorted(name for name, _ in noticed.most_common(FIRST))
        verdict = None
        for names in [first, []] if first else [[]]:
            code, text = self.program_run(program, self.seconds, names)
            verdict = self.read(code, text, names or self.names)
            if verdict.by:
                noticed[verdict.by] += 1
                break
        return verdict

    @staticmethod
    def read(code, text, names):
        if not code:
            return Verdict("", "")
        failed = re.search(r"^not ok \d+ - (\S+)", text, re.M)
        complaint = re.search(r"^  # (\S+: .*)|(runtime error: .*|ERROR: AddressSanitizer: \S+|"
                              r"WARNING: MemorySanitizer: \S+)", text, re.M)
        passed = len(re.findall(r"^ok ", text, re.M))
        name = failed[1] if failed else names[min(passed, len(names) - 1)]
        if complaint:
            what = complaint[1] or complaint[2]
        elif code in (-signal.SIGXCPU, -signal.SIGKILL, -signal.SIGXFSZ):
            what = "does not end"
        else:
            what = f"ends with {signal.Signals(-code).name if code < 0 else code}"
        return Verdict(name, what)


class Fuzz:
    """The fuzz targets that use a file: the same inputs each time"""

    def __init__(self, store, work):
        self.objects = Objects("fuzz", "fuzz")
        self.store, self.work = store, Path(work)
        self.seeds = self.work / "seeds"
        self.users = {}
        for target in self.objects.facts["targets"]:
            (self.seeds / target).mkdir(parents=True)
        done = run([*limited(str(self.objects.directory / "seeds"), 60), str(self.seeds)])
        if done.returncode:
            raise BuildError(done.stdout.decode(errors="replace"))

    def symbols(self, path, option):
        out = run(["nm", "--format=posix", option, path]).stdout.decode()
        return {line.split()[0] for line in out.splitlines() if line}

    def here(self, name):
        return str(self.objects.directory / f"here/fuzz/{name}.o")

    def fixed(self, target):
        return [self.here(f"target_{target}"), self.here("input"), self.here("message"),
                *(self.objects.path(one) for one in self.objects.facts["reference"])]

    def reached(self, target):
        """The pure files whose functions a target may call"""
        wanted, todo = set(), {self.here(f"target_{target}")}
        defined = {one: self.symbols(self.objects.path(one), "--defined-only") for one in self.objects.pure}
        while todo:
            needs = self.symbols(todo.pop(), "--undefined-only")
            for one in self.objects.pure:
                if one not in wanted and needs & defined[one]:
                    wanted.add(one)
                    todo.add(self.objects.path(one))
        return wanted

    def targets(self, source):
        for target in self.objects.facts["targets"]:
            if target not in self.users:
                self.users[target] = self.reached(target)
        return [one for one in self.objects.facts["targets"] if source in self.users[one]]

    def tests(self, _):
        return "fuzz"

    def verdict_of(self, source, identity, text, place):
        parts = [self.objects.path(one) for one in self.objects.pure if one != source]
        for target in self.objects.facts["targets"]:
            parts += self.fixed(target)
        key = digest("fuzz", FUZZ_RUNS, identity, self.objects.hash(sorted(set(parts))))
        known = self.store.verdict(key, self.tests)
        if not known:
            known = self.judge(source, text, place)
            self.store.keep_verdict(key, self.tests, known)
        return known

    def judge(self, source, text, place):
        place.mkdir(exist_ok=True)
        file, out, program = place / Path(source).name, place / "mutant.o", place / "target"
        file.write_bytes(text)
        done = run([*self.objects.compile, "-w", "-iquote", str((TOP / source).parent), "-c", "-o",
                    str(out), str(file)], cwd=USERSPACE)
        if done.returncode:
            return Verdict("", "does not compile this way")
        for target in self.targets(source):
            pure = [self.objects.path(one) for one in self.objects.pure if one != source]
            done = run([*self.objects.facts["fuzz"], "-o", str(program), str(out), *pure, *self.fixed(target)])
            if done.returncode:
                raise BuildError(done.stdout.decode(errors="replace"))
            done = run([*limited(str(program), FUZZ_TIME), "-seed=1", f"-runs={FUZZ_RUNS}", "-timeout=10",
                        "-max_len=4200", "-rss_limit_mb=1024", f"-artifact_prefix={place}/",
                        str(self.seeds / target)], cwd=place)
            if done.returncode:
                said = re.search(r"^(.*property does not hold.*|.*runtime error: .*)$",
                                 done.stdout.decode(errors="replace"), re.M)
                return Verdict(f"fuzz:{target}", said[1].strip() if said else "ends")
        return Verdict("", "")
