# SPDX-License-Identifier: GPL-2.0-only
"""The command line. Exit statuses are documented in rpcrdmactl(8)."""

import argparse
import ipaddress
import json
import os
import sys
import traceback

from . import (VERSION, doctor, facts, findings, findings_traffic, metrics, openmetrics, parse, paths,
               report, sample, status, system, terminal, top, totals, trace, traffic, views)
from .failure import Failure
from .model import NFS_RDMA_PORT

OK, FOUND, USAGE, IMPOSSIBLE, INTERRUPTED = 0, 1, 2, 3, 130
EXPORTER_PORT = 20149


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


def address(text):
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not an IP address") from None


def listen(text):
    address, _, number_ = text.rpartition(":")
    try:
        return str(ipaddress.ip_address(address.strip("[]"))), port(number_)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not an IP address and a port, such as [::1]:9000") from None


def parser():
    main_parser = argparse.ArgumentParser(
        prog="rpcrdmactl", description="See and diagnose NFS over RDMA on this machine.",
        epilog="Exit status: 0 all right, 1 doctor found something, 2 wrong usage, "
               "3 what was asked for cannot be done, 130 interrupted. See rpcrdmactl(8).")
    main_parser.add_argument("--version", action="version", version=f"rpcrdmactl {VERSION}")
    commands = main_parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, text, prints=True, json_help="print JSON for programs"):
        one = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if prints:
            one.add_argument("--json", action="store_true", help=json_help)
        return one

    one = command("status", "a table of all connections")
    one.add_argument("-l", "--long", action="store_true", help="all values and counters")
    one.add_argument("name", nargs="*", metavar="CONNECTION", help="only these, such as client-1")

    one = command("top", "live rates of all connections")
    one.add_argument("-d", "--delay", type=seconds, default=2.0, metavar="SECONDS",
                     help="between two looks (default 2)")
    one.add_argument("-n", "--count", type=count, default=0, metavar="COUNT", help="end after so many tables")
    one.add_argument("-b", "--batch", action="store_true", help="tables one below the other")
    no_color(one)

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
    one.add_argument("-o", "--output", metavar="FILE", help="write there instead, replacing the file as a whole")
    no_color(one)

    one = command("report", "write one HTML page about this machine, for a bug report",
                  json_help="write JSON instead")
    one.add_argument("file", metavar="FILE", help="the page to write, such as report.html")
    one.add_argument("-s", "--seconds", type=seconds, default=5.0, metavar="SECONDS",
                     help="how long to watch the counters (default 5)")
    one.add_argument("-r", "--redact", action="store_true",
                     help="replace addresses, this host's name and names of servers")

    one = command("metrics", "print metrics for Prometheus")
    metrics_options(one)
    one.add_argument("-f", "--format", choices=(openmetrics.OPENMETRICS, openmetrics.PROMETHEUS), metavar="FORMAT",
                     help="openmetrics (default), or prometheus, which node_exporter reads (default with -o)")
    one.add_argument("-o", "--output", metavar="FILE", help="write there instead, replacing the file as a whole")

    one = command("exporter", "serve metrics for Prometheus over HTTP", prints=False)
    metrics_options(one)
    one.add_argument("-l", "--listen", type=listen, default=("127.0.0.1", EXPORTER_PORT), metavar="ADDRESS:PORT",
                     help=f"where (default 127.0.0.1:{EXPORTER_PORT})")

    one = command("path", "list, drain, resume, remove or add transports of mounts")
    one.add_argument("action", nargs="?", choices=("list", *paths.ACTIONS, "add"), default="list",
                     help="show all (default), give it no new RPCs, give it RPCs again, take it away, give its mount "
                          "one more")
    one.add_argument("name", nargs="?", metavar="CONNECTION", help="which one, such as client-2")
    one.add_argument("address", nargs="?", metavar="ADDRESS", type=address,
                     help="add: another address of the same server")
    one.set_defaults(refuse=one.error)

    one = command("traffic", "show, check or load type of service and timers")
    one.add_argument("action", nargs="?", choices=("show", "check", "load"), default="show",
                     help="what is in force (default), is the file right, or give it to the modules")
    one.add_argument("-f", "--file", default=traffic.FILE, metavar="FILE", help=f"default {traffic.FILE}")
    return main_parser


def no_color(one):
    one.add_argument("--no-color", action="store_true", help="no colour, also in a terminal")


def metrics_options(one):
    one.add_argument("-e", "--each", action="store_true", help="counters of each connection instead of their sums")
    one.add_argument("--findings", default=sample.FINDINGS, metavar="FILE",
                     help=f"what doctor --json has written (default {sample.FINDINGS})")


def need_root(what):
    if os.geteuid() != 0:
        raise Failure(f"{what} needs root")


def run_status(options):
    view = views.loaded()
    unknown = sorted(set(options.name) - {one.name for one in view.connections})
    if unknown:
        raise Failure(f"no connection is called {', '.join(unknown)}")
    chosen = [one for one in view.connections if not options.name or one.name in options.name]
    mounts = parse.mounts(system.read("/proc/mounts"))
    if options.json:
        print(json.dumps({"version": 1, "command": "status",
                          "connections": [status.data(one, mounts) for one in chosen]}))
    elif options.long and chosen:
        say([line for index, one in enumerate(chosen)
             for line in ([""] if index else []) + list(status.long_lines(one, mounts))])
    else:
        say(status.lines(chosen))
    return OK


def run_top(options):
    views.loaded()
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
    notes = known.notes + findings.remarks(known) + findings_traffic.remarks(known)
    put(options, json.dumps(doctor.data(found, notes)) if options.json
        else "\n".join(doctor.styled(map(terminal.printable, doctor.lines(found, notes)), doctor_look(options))))
    return FOUND if found else OK


def doctor_look(options):
    return terminal.Look(not options.output and terminal.wants_colour(sys.stdout, os.environ, options.no_color))


def run_report(options):
    need_root("report")
    report.run(options)
    return OK


def say(lines):
    """Names and texts of others cannot move the cursor, and a line stays one line."""
    print("\n".join(map(terminal.printable, lines)))


def put(options, text):
    """Onto standard output, or into the file that is asked for"""
    if options.output:
        system.write(options.output, text + "\n")
    else:
        print(text)


def run_metrics(options):
    """With a file, sums go on from the last run. Its name does not end in .prom, so node_exporter skips it."""
    state = f"{options.output}.state" if options.output else None
    sums = sample.load_totals(state) if state else totals.Totals()
    families = metrics.families(sample.Readings(sums, options.each, options.findings).take())
    form = options.format or (openmetrics.PROMETHEUS if options.output else openmetrics.OPENMETRICS)
    if options.json:
        put(options, json.dumps(openmetrics.data(families)))
    elif options.output or not terminal.is_terminal(sys.stdout):
        put(options, openmetrics.render(families, form).rstrip("\n"))
    else:       # for people
        say(openmetrics.lines(families, form))
    if state:
        sample.save_totals(state, sums)
    return OK


def run_traffic(options):
    if options.action == "show":
        connections, rules = views.loaded().connections, traffic.in_force()
        if options.json:
            print(json.dumps(traffic.data(rules, connections)))
        else:
            say(traffic.lines(rules, connections))
        return OK
    rules = traffic.read_file(options.file)
    if options.action == "load":
        need_root("traffic load")
        traffic.load(rules)
    done = "loaded" if options.action == "load" else "right"
    if options.json:
        print(json.dumps({"version": 1, "command": "traffic", "action": options.action, "file": options.file,
                          "count": len(rules)}))
    else:
        say([f"{options.file}: {traffic.counted(rules)}: {done}"
             f"{'; new connections use them' if done == 'loaded' else ''}"])
    return OK


def run_path(options):
    if (options.action == "list") == bool(options.name) or (options.action == "add") != bool(options.address):
        options.refuse("drain, resume and remove need a CONNECTION, add also an ADDRESS; list takes none")
    found, mounts = paths.of_clients(views.loaded().connections), parse.mounts(system.read("/proc/mounts"))
    if options.action == "list":
        if options.json:
            print(json.dumps(paths.data(found, mounts)))
        else:
            say(paths.lines(found, mounts))
        return OK
    need_root(f"path {options.action}")
    if options.action == "add":
        done = paths.add(options.name, options.address, found)
    else:
        done = paths.act(options.action, options.name, found)
    if options.json:
        print(json.dumps({"version": 1, "command": "path", "action": options.action, "name": options.name}))
    else:
        say([done])
    return OK


def run_exporter(options):
    """No other command waits until what serves HTTP is loaded: that takes as long as all the rest."""
    from . import exporter

    return exporter.serve(options)


COMMANDS = {"status": run_status, "top": run_top, "trace": run_trace, "doctor": run_doctor, "report": run_report,
            "metrics": run_metrics, "exporter": run_exporter, "path": run_path, "traffic": run_traffic}


def discard(stream):
    """What is still in its buffer cannot be written."""
    if stream:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(why):
    try:
        print(f"rpcrdmactl: {terminal.printable(why)}", file=sys.stderr, flush=True)
    except OSError:     # standard error may be in the same place
        discard(sys.stderr)


def main(arguments=None):
    options = parser().parse_args(arguments)
    result = OK
    try:
        result = COMMANDS[options.command](options)
        print(end="", flush=True)
    except Failure as failure:
        complain(failure)
        result = IMPOSSIBLE
    except KeyboardInterrupt:
        # These two end so; the others have not finished what they were asked for
        result = OK if options.command in ("top", "exporter") else INTERRUPTED
    except BrokenPipeError:     # as in rpcrdmactl top -b | head
        discard(sys.stdout)
    except OSError as error:
        complain(error if error.filename else f"output: {error.strerror or error}")
        discard(sys.stdout)
        result = IMPOSSIBLE
    except Exception:       # a mistake of this program: status 1 would say that doctor has found something
        traceback.print_exc()
        result = IMPOSSIBLE
    return result
