# SPDX-License-Identifier: GPL-2.0-only
"""rpcrdmactl trace: records in its own instance of tracefs, so that it disturbs no other tracer."""

import json
import os
import select
import signal
import sys
import time

from . import events, parse, system, views
from .failure import Failure
from .terminal import printable

TRACING = "/sys/kernel/tracing"
SYSTEMS = ("rpcrdma_core", "xprtrdma", "sunrpc/" + events.OPERATION_EVENT)


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def remove(directory):
    try:
        os.rmdir(directory)
    except OSError:
        pass


def remove_left_behind():
    """Buffers of programs that were killed. The kernel keeps one that is being read."""
    for name in system.names(f"{TRACING}/instances"):
        program, _, pid = name.partition("-")
        if program == "rpcrdmactl" and pid.isdigit() and not system.is_directory(f"/proc/{pid}"):
            remove(f"{TRACING}/instances/{name}")


class Recorder:
    """
    Its own buffer in the kernel, with our events on, while the with statement runs. A signal that
    ends the program raises KeyboardInterrupt meanwhile, as otherwise the buffer would stay.
    """

    def __init__(self):
        self.directory = f"{TRACING}/instances/rpcrdmactl-{os.getpid()}"
        self.handlers = {}
        self.pipe = None

    def __enter__(self):
        if not system.is_directory(f"{TRACING}/events/xprtrdma"):
            raise Failure(f"{TRACING} has no events of xprtrdma: modules not loaded, or no tracefs there "
                          "(mount -t tracefs tracefs /sys/kernel/tracing)")
        remove_left_behind()
        self.catch_signals()
        try:
            self.set_up()
        except OSError as error:
            self.end()
            raise Failure(f"{self.directory}: {error.strerror}") from error
        except KeyboardInterrupt:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def catch_signals(self):
        for one in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(one) != signal.SIG_IGN:      # as nohup does
                self.handlers[one] = signal.signal(one, signal.default_int_handler)

    def set_up(self):
        os.mkdir(self.directory)
        write(f"{self.directory}/trace_clock", "mono")
        for name in SYSTEMS:
            if system.is_directory(f"{self.directory}/events/{name}"):
                write(f"{self.directory}/events/{name}/enable", "1")
        self.pipe = os.open(f"{self.directory}/trace_pipe", os.O_RDONLY | os.O_NONBLOCK)

    def end(self):
        """A terminal that is closed may send a second signal."""
        interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
        for one in self.handlers:
            signal.signal(one, signal.SIG_IGN)
        if self.pipe is not None:
            os.close(self.pipe)
        remove(self.directory)
        for one, handler in self.handlers.items():
            signal.signal(one, handler)
        signal.signal(signal.SIGINT, interrupt)

    def stop(self):
        write(f"{self.directory}/tracing_on", "0")

    def chunks(self, seconds):
        """Text as it arrives, until the time is over and the buffer is empty; "" if none arrived."""
        end = time.monotonic() + seconds if seconds else None
        stopped = False
        while True:
            try:
                data = os.read(self.pipe, 65536)
            except BlockingIOError:
                data = b""
            if not data and stopped:
                return
            if not stopped and end and time.monotonic() >= end:
                self.stop()
                stopped = True
            if not data:
                select.select([self.pipe], [], [], 0.1)
            yield data.decode(errors="replace")


def whole_lines(texts):
    """Lines from pieces of text; "" for each empty piece, so that the caller can check the time."""
    rest = ""
    for text in texts:
        if not text:
            yield ""
            continue
        *ready, rest = (rest + text).split("\n")
        yield from ready
    if rest:
        yield rest


def choose(name):
    """Connections of a mount's directory, or of a connection's name."""
    view = views.loaded()
    named = [one for one in view.connections if one.name == name and one.side == "client"]
    if named:
        return named
    directory = os.path.normpath(os.path.join(os.environ.get("PWD", "/"), name))
    mounts = [mount for mount in parse.mounts(system.read("/proc/mounts")) if mount.directory == directory]
    if not mounts:
        raise Failure(f"{name} is neither a mount over RDMA nor a client's connection (see rpcrdmactl status)")
    peers = {views.endpoint(mount.server, mount.port) for mount in mounts}
    found = [one for one in view.connections if one.side == "client" and one.peer in peers]
    if not found:
        raise Failure(f"no connection of {directory} is to be seen in this network namespace")
    return found


def decoder_for(found):
    return events.Decoder({one.number("connection") for one in found}, {one.number("sunrpc_xprt") for one in found},
                          {one.peer for one in found})


def saving(path, action, *arguments):
    """An action on the file that -o names, which may fail."""
    try:
        return action(*arguments)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from error


def record(options, decoder):
    """RPCs that ended while recording, at most options.count."""
    rpcs = []
    save = saving(options.output, open, options.output, "w", -1, "utf-8") if options.output else None
    try:
        with Recorder() as recorder:
            for line in whole_lines(recorder.chunks(options.duration)):
                if save and line:
                    saving(options.output, save.write, line + "\n")
                rpcs += decoder.feed(line)
                if options.count and len(rpcs) >= options.count:
                    return rpcs[:options.count]
    except KeyboardInterrupt:
        pass
    finally:
        if save:
            saving(options.output, save.close)
    return rpcs + decoder.rest()


def replay(options):
    decoder, rpcs = events.Decoder(), []
    try:
        with open(options.input, encoding="utf-8", errors="replace") as file:
            for line in file:
                rpcs += decoder.feed(line.rstrip("\n"))
    except OSError as error:
        raise Failure(f"{options.input}: {error.strerror}") from error
    return decoder, rpcs + decoder.rest()


def run(options):
    if options.input:
        decoder, rpcs = replay(options)
    else:
        decoder = decoder_for(choose(options.mount))
        rpcs = record(options, decoder)
    if options.json:
        print(json.dumps({"version": 1, "command": "trace", "lost_events": decoder.lost,
                          "rpcs": [rpc.data() for rpc in rpcs]}))
    else:
        print("\n".join(map(printable, events.lines(rpcs, options.events))))
        if decoder.lost:
            print(f"rpcrdmactl: {decoder.lost} events came too fast and are missing", file=sys.stderr)
    return 0
