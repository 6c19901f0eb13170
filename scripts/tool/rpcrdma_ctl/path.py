# SPDX-License-Identifier: GPL-2.0-only
"""Do packets of the local MTU reach a server, and return in one piece?

ICMP echo with "do not fragment". IPv4 only: there the kernel tells in which pieces an
answer came (IP_RECVFRAGSIZE), which shows a smaller MTU at the other end.
"""

import os
import socket
import struct
import time

IP_MTU_DISCOVER, IP_PMTUDISC_DO, IP_RECVFRAGSIZE = 10, 2, 25
ECHO, ECHO_REPLY, HEADERS = 8, 0, 28


def checksum(data):
    data += bytes(len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def request(number, size):
    """An ICMP echo request that makes an IP packet of that size."""
    body = struct.pack(">HH", os.getpid() & 0xffff, number) + bytes(size - HEADERS)
    return struct.pack(">BBH", ECHO, 0, checksum(struct.pack(">BBH", ECHO, 0, 0) + body)) + body


def is_reply(packet, number):
    header = (packet[0] & 15) * 4
    kind, _, _, who, which = struct.unpack_from(">BBHHH", packet, header)
    return (kind, who, which) == (ECHO_REPLY, os.getpid() & 0xffff, number)


def fragment(ancillary):
    for level, kind, data in ancillary:
        if level == socket.IPPROTO_IP and kind == IP_RECVFRAGSIZE and len(data) >= 4:
            return struct.unpack("i", data[:4])[0]
    return 0


class Path:
    def __init__(self, server):
        self.server = server
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
        self.socket.setsockopt(socket.IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO)
        self.socket.setsockopt(socket.IPPROTO_IP, IP_RECVFRAGSIZE, 1)
        self.number = 0

    def echo(self, size, seconds=1.0):
        """(answered, size of the fragments of the answer or 0)"""
        self.number += 1
        end = time.monotonic() + seconds
        try:
            self.socket.sendto(request(self.number, size), (self.server, 0))
            while (left := end - time.monotonic()) > 0:
                self.socket.settimeout(left)
                packet, ancillary, _, sender = self.socket.recvmsg(65536, 64)
                if sender[0] == self.server and is_reply(packet, self.number):
                    return True, fragment(ancillary)
        except OSError:     # also: too large for a hop that has said so
            pass
        return False, 0


def check(server, mtu):
    """(alive, MTU of the peer or 0, large packets are lost)"""
    try:
        path = Path(server)
    except OSError:
        return False, 0, False
    with path.socket:
        if not any(path.echo(84)[0] for _ in range(3)):
            return False, 0, False
        for _ in range(3):
            answered, piece = path.echo(mtu)
            if answered:
                return True, piece, False
        return True, 0, True
