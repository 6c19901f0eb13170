# SPDX-License-Identifier: GPL-2.0-only
"""The command line. Exit statuses are documented in rpcrdmactl(8)."""

import argparse
import json
import os
import sys

from . import doctor, facts, findings, parse, status, system, top, trace, views
from .failure import Failure
from .model import NFS_RDMA_PORT

OK, FOUND, USAGE, IMPOSSIBLE = 0, 1, 2, 3


def number(text, kind, least, most=10**6):
    try:
        value = kind(text)
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"{text} is not a number from {least} to {most}")
    return value


def count(text):
    return number(text, int, 1)


def seconds(text):
    return number(text, float, 0.1)


def port(text):
    return number(text, int, 1, 65535)


def parser():
    main_parser = argparse.ArgumentParser(
        prog="rpcrdmactl", description="See and diagnose NFS over RDMA on this machine.",
        epilog="Exit status: 0 all right, 1 doctor found something, 2 wrong usage, "
               "3 what was asked for cannot be done. See rpcrdmactl(8).")
    commands = main_parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, text):
        one = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        one.add_argument("--json", action="store_true", help="print JSON for programs")
        return one

    one = command("status", "a table of all connections")
    one.add_argument("-l", "--long", action="store_true", help="all values and counters")
    one.add_argument("name", nargs="*", metavar="CONNECTION", help="only these, such as client-1")

    one = command("top", "live rates of all connections")
    one.add_argument("-d", "--delay", type=seconds, default=2.0, metavar="SECONDS",
                     help="between two looks (default 2)")
    one.add_argument("-n", "--count", type=count, default=0, metavar="COUNT", help="end after so many tables")
    one.add_argument("-b", "--batch", action="store_true", help="tables one below the other")

    one = command("trace", "record and decode the RPCs of one mount")
    one.add_argument("mount", nargs="?", metavar="MOUNT", help="its directory, or a connection such as client-1")
    one.add_argument("-d", "--duration", type=seconds, default=0, metavar="SECONDS",
                     help="end after that time (default: Ctrl-C)")
    one.add_argument("-c", "--count", type=count, default=0, metavar="COUNT", help="end after so many RPCs")
    one.add_argument("-e", "--events", action="store_true", help="show the events of each RPC")
    one.add_argument("-o", "--output", metavar="FILE", help="also write what was recorded")
    one.add_argument("-i", "--input", metavar="FILE", help="decode such a file instead of recording")
    one.set_defaults(refuse=one.error)

    one = command("doctor", "find what is wrong, and the commands that repair it")
    one.add_argument("server", nargs="?", default="", metavar="SERVER", help="also ask this NFS server")
    one.add_argument("-p", "--port", type=port, default=NFS_RDMA_PORT, help="its RDMA port (default 20049)")
    return main_parser


def need_root(what):
    if os.geteuid() != 0:
        raise Failure(f"{what} needs root")


def run_status(options):
    view = views.load()
    if not view.present:
        raise Failure(f"{views.ROOT} is not there: the modules are not loaded, or are older than this program "
                      "(rpcrdmactl doctor says more)")
    unknown = sorted(set(options.name) - {one.name for one in view.connections})
    if unknown:
        raise Failure(f"no connection is called {', '.join(unknown)}")
    chosen = [one for one in view.connections if not options.name or one.name in options.name]
    mounts = parse.mounts(system.read("/proc/mounts"))
    if options.json:
        print(json.dumps({"version": 1, "command": "status",
                          "connections": [status.data(one, mounts) for one in chosen]}))
    elif options.long:
        print("\n\n".join("\n".join(status.long_lines(one, mounts)) for one in chosen) or "no connections")
    else:
        print("\n".join(status.lines(chosen)))
    return OK


def run_top(options):
    if not views.load().present:
        raise Failure(f"{views.ROOT} is not there: the modules are not loaded, or are older than this program")
    return top.run(options)


def run_trace(options):
    if bool(options.mount) == bool(options.input):
        options.refuse("give either a mount or -i FILE")
    if not options.input:
        need_root("trace")
    return trace.run(options)


def run_doctor(options):
    need_root("doctor")
    known = facts.gather(options.server, options.port)
    found = findings.findings(known)
    notes = known.notes + findings.remarks(known)
    if options.json:
        print(json.dumps(doctor.data(found, notes)))
    else:
        print("\n".join(doctor.lines(found, notes)))
    return FOUND if found else OK


COMMANDS = {"status": run_status, "top": run_top, "trace": run_trace, "doctor": run_doctor}


def main(arguments=None):
    options = parser().parse_args(arguments)
    try:
        return COMMANDS[options.command](options)
    except Failure as failure:
        print(f"rpcrdmactl: {failure}", file=sys.stderr)
        return IMPOSSIBLE
    except KeyboardInterrupt:
        return OK
    except BrokenPipeError:     # as in rpcrdmactl top -b | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
