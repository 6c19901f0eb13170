# SPDX-License-Identifier: GPL-2.0-only
"""Reads this machine: files, programs, rtnetlink. Does not evaluate."""

import ipaddress
import os
import shutil
import socket
import struct
import subprocess
import time

SBIN = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"


def read(path, default=""):
    """The content of a file without leading and trailing white space; default if unreadable."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return default


def read_number(path, default=0):
    text = read(path)
    return int(text) if text.lstrip("-").isdigit() else default


def names(directory):
    try:
        return sorted(os.listdir(directory))
    except OSError:
        return []


def program(name):
    return shutil.which(name, path=SBIN)


def output(*command):
    """The output of a program; None if it does not exist, fails, or takes too long."""
    path = program(command[0])
    if not path:
        return None
    try:
        done = subprocess.run([path, *command[1:]], stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=10, check=True, text=True, errors="replace")
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def kernel_log(seconds):
    """Lines of the kernel log of the last seconds, oldest first; None if it cannot be read."""
    try:
        fd = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    oldest = time.clock_gettime(time.CLOCK_MONOTONIC) - seconds
    lines = []
    try:
        while True:
            try:
                record = os.read(fd, 8192).decode(errors="replace")
            except BlockingIOError:
                break
            except BrokenPipeError:     # some were overwritten meanwhile
                continue
            head, _, text = record.partition(";")
            stamp = head.split(",")[2]
            if int(stamp) / 1e6 >= oldest:
                lines.append(text.split("\n")[0])
    except OSError:
        pass
    finally:
        os.close(fd)
    return lines


NETLINK_ROUTE, RTM_GETADDR = 0, 22
NLM_F_REQUEST, NLM_F_DUMP, NLMSG_ERROR, NLMSG_DONE = 1, 0x300, 2, 3
IFA_ADDRESS, IFA_LOCAL = 1, 2


def attributes(data):
    while len(data) >= 4:
        length, kind = struct.unpack_from("HH", data)
        if length < 4:
            return
        yield kind, data[4:length]
        data = data[length + -length % 4:]


def addresses():
    """{network device: [IP address, ...]} from rtnetlink, so without the program ip."""
    found = {}
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_ROUTE) as netlink:
        netlink.send(struct.pack("IHHIIB7x", 24, RTM_GETADDR, NLM_F_REQUEST | NLM_F_DUMP, 1, 0, 0))
        while True:
            data = netlink.recv(65536)
            while len(data) >= 16:
                length, kind = struct.unpack_from("IH", data)
                if kind in (NLMSG_DONE, NLMSG_ERROR):
                    return found
                index = struct.unpack_from("I", data, 20)[0]
                parts = dict(attributes(data[24:length]))
                packed = parts.get(IFA_LOCAL, parts.get(IFA_ADDRESS))
                if packed:
                    found.setdefault(interface(index), []).append(str(ipaddress.ip_address(packed)))
                data = data[length + -length % 4:]


def interface(index):
    try:
        return socket.if_indextoname(index)
    except OSError:
        return str(index)


def source_address(server):
    """The local address of the route to a server; "" if there is no route."""
    family = socket.AF_INET6 if ":" in server else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as udp:
            udp.connect((server, 9))
            return udp.getsockname()[0].partition("%")[0]
    except OSError:
        return ""


def resolve(name):
    """The IP address of a server's name; "" if there is none."""
    try:
        return socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)[0][4][0]
    except (OSError, UnicodeError):
        return ""


def is_directory(path):
    return os.path.isdir(path)
