# SPDX-License-Identifier: GPL-2.0-only
"""Does a server listen at its RDMA port?

On InfiniBand and RoCE: one attempt to connect through the kernel's interface for
user space, /dev/infiniband/rdma_cm, whose constants are from
include/uapi/rdma/rdma_user_cm.h. No queue pair is created. The attempt ends when the
server has answered, before a connection exists; the server's kernel log shows a
connection that its client gave up.

On iWARP: one TCP connection with an MPA request (RFC 5044, RFC 6581), with which an RDMA
connection begins there. It is closed as soon as the server has answered.
"""

import ctypes
import errno
import os
import select
import socket
import struct
import time

DEVICE = "/dev/infiniband/rdma_cm"
CREATE_ID, RESOLVE_ROUTE, CONNECT, GET_EVENT, RESOLVE_ADDR = 0, 4, 6, 12, 21
PS_TCP, QPT_RC = 0x0106, 2
ADDR_RESOLVED, ROUTE_RESOLVED, CONNECT_RESPONSE, UNREACHABLE, REJECTED = 0, 2, 5, 7, 8
REJECT_NO_SERVICE = 8
NO_QUEUE_PAIR = 0x424242    # a number that the server may store and never uses

MPA_REQUEST, MPA_REPLY = b"MPA ID Req Frame", b"MPA ID Rep Frame"
MPA_WORDS, MPA_FRAME = struct.Struct(">HH"), 20
MPA_REJECT, MPA_ENHANCED, MPA_REVISION = 0x2000, 0x1000, 2
MPA_ONE_READ = struct.pack(">HH", 1, 1)     # each end may have one RDMA Read under way

LISTENING, ABSENT, REFUSED, SILENT, NO_DEVICE, NO_ROUTE, UNKNOWN = \
    "listening", "absent", "refused", "silent", "no-device", "no-route", "unknown"


def sockaddr(address, port):
    if ":" in address:
        packed = struct.pack("=H", socket.AF_INET6) + struct.pack(">HI", port, 0) + \
            socket.inet_pton(socket.AF_INET6, address) + bytes(4)
    else:
        packed = struct.pack("=H", socket.AF_INET) + struct.pack(">H", port) + \
            socket.inet_pton(socket.AF_INET, address) + bytes(8)
    return packed, packed.ljust(128, b"\0")


class Attempt:
    """One rdma_cm id. Closing the file cancels all of its operations."""

    def __init__(self, seconds):
        self.deadline = time.monotonic() + seconds
        self.fd = os.open(DEVICE, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
        self.answer = ctypes.create_string_buffer(1024)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.fd)

    def call(self, command, body, out=0):
        os.write(self.fd, struct.pack("=IHH", command, len(body), out) + body)

    def create(self):
        self.call(CREATE_ID, struct.pack("=QQHB5x", 1, ctypes.addressof(self.answer), PS_TCP, QPT_RC), 4)
        self.id = struct.unpack_from("=I", self.answer)[0]

    def left(self):
        return max(0, int((self.deadline - time.monotonic()) * 1000))

    def event(self):
        """(event, status), or None after a timeout"""
        if not select.select([self.fd], [], [], self.left() / 1000)[0]:
            return None
        self.call(GET_EVENT, struct.pack("=Q", ctypes.addressof(self.answer)), 512)
        return struct.unpack_from("=Ii", self.answer, 12)

    def resolve(self, server, port):
        own, (real, padded) = bytes(128), sockaddr(server, port)
        self.call(RESOLVE_ADDR, struct.pack("=IIHHI", self.id, self.left(), 0, len(real), 0) + own + padded)

    def route(self):
        self.call(RESOLVE_ROUTE, struct.pack("=II", self.id, self.left()))

    def run(self, server, port):
        self.create()
        for step, good in ((lambda: self.resolve(server, port), ADDR_RESOLVED), (self.route, ROUTE_RESOLVED)):
            step()
            event = self.event()
            if event is None:
                return NO_ROUTE, "no host has its address"
            if event[0] != good:
                return not_resolved(-event[1])
        self.connect()
        return answer(self.event())

    def connect(self):
        parameters = struct.pack("=II256xBBBBBBBB", NO_QUEUE_PAIR, 0, 0, 0, 1, 1, 0, 0, 0, 1)
        self.call(CONNECT, parameters + struct.pack("=IIII", self.id, 0, 0, 0))


def attempt(server, port, seconds=5):
    """(outcome, detail): a server's answer on InfiniBand or RoCE"""
    try:
        attempt = Attempt(seconds)
    except OSError as error:
        return UNKNOWN, f"{DEVICE}: {error.strerror} (modprobe rdma_ucm, and try again)"
    with attempt:
        try:
            return attempt.run(server, port)
        except OSError as error:
            return not_resolved(error.errno)


def not_resolved(error):
    """What an error of address or route resolution means."""
    return NO_DEVICE if error == errno.ENODEV else NO_ROUTE, os.strerror(error)


def answer(event):
    if event is None or event[0] == UNREACHABLE:
        return SILENT, "no answer"
    if event[0] == CONNECT_RESPONSE:
        return LISTENING, ""
    if event[0] == REJECTED:
        return (ABSENT, "") if event[1] == REJECT_NO_SERVICE else (REFUSED, f"reason {event[1]}")
    return UNKNOWN, f"event {event[0]}, status {event[1]}"


def attempt_tcp(server, port, seconds=5):
    """(outcome, detail): a server's answer on iWARP

    A TCP connection alone is not enough: Soft-iWARP's listener fails when one ends before
    its first message.
    """
    try:
        with socket.create_connection((server, port), seconds) as tcp:
            tcp.settimeout(seconds)
            tcp.sendall(MPA_REQUEST + MPA_WORDS.pack(MPA_ENHANCED | MPA_REVISION, len(MPA_ONE_READ)) + MPA_ONE_READ)
            return mpa_answer(tcp.recv(MPA_FRAME, socket.MSG_WAITALL))
    except ConnectionRefusedError:
        return ABSENT, ""
    except TimeoutError:
        return SILENT, "no answer"
    except ConnectionError as error:
        return REFUSED, error.strerror
    except OSError as error:
        return NO_ROUTE, error.strerror or str(error)


def mpa_answer(frame):
    if len(frame) < MPA_FRAME or not frame.startswith(MPA_REPLY):
        return REFUSED, "it does not speak iWARP" if frame else "it closes the connection"
    flags, _ = MPA_WORDS.unpack_from(frame, len(MPA_REPLY))
    return (REFUSED, "MPA reject") if flags & MPA_REJECT else (LISTENING, "")
