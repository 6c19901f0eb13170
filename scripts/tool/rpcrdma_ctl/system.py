# SPDX-License-Identifier: GPL-2.0-only
"""Reads this machine: files, programs, rtnetlink. Does not evaluate."""

import contextlib
import ipaddress
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time

from .failure import Failure

SBIN = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"


def read(path, default=""):
    """The content of a file without leading and trailing white space; default if unreadable."""
    try:
        with open(path, encoding="utf-8", errors="replace", newline="\n") as file:    # "\r" stays what it is
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


@contextlib.contextmanager
def opened(directory):
    """Its descriptor, for the functions below, with which thousands of files are read faster than by path"""
    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield fd
    finally:
        os.close(fd)


def content(directory, name):
    """The bytes of a file, below a page, which is the most that a file of sysfs has; OSError if unreadable."""
    fd = os.open(name, os.O_RDONLY, dir_fd=directory)
    try:
        return os.read(fd, 4096)
    finally:
        os.close(fd)


def text_at(directory, name):
    """The same without leading and trailing white space"""
    return content(directory, name).decode(errors="replace").strip()


def read_at(directory, name):
    """As read()"""
    try:
        return text_at(directory, name)
    except OSError:
        return ""


def check_writable(path):
    """Fails early, before there is something to write. A device is not to be replaced by a file."""
    directory = os.path.dirname(path) or "."
    if not is_directory(directory):
        raise Failure(f"{path} cannot be written: {directory} is not a directory")
    if os.path.lexists(path) and not (os.path.isfile(path) and not os.path.islink(path)):
        raise Failure(f"{path} cannot be written: it is there and is no regular file")
    if not os.access(directory, os.W_OK):
        raise Failure(f"{path} cannot be written: {directory} is not writable")


def write(path, text, mode=0o644):
    """Replaces a file as a whole: a reader sees the old content or the new one."""
    check_writable(path)
    new = None
    try:
        fd, new = tempfile.mkstemp(".new", f"{os.path.basename(path)}.", os.path.dirname(path) or ".")
        with open(fd, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fchmod(fd, mode)
            os.fsync(fd)
        os.replace(new, path)
    except OSError as error:
        if new:
            with contextlib.suppress(OSError):
                os.unlink(new)
        raise Failure(f"{path} cannot be written: {error.strerror}") from error


def remove(path):
    try:
        os.unlink(path)
    except OSError as error:
        raise Failure(f"{path} cannot be removed: {error.strerror}") from error


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
    records = log_records()
    oldest = time.clock_gettime(time.CLOCK_MONOTONIC) - seconds
    return None if records is None else [text for when, text in records if when >= oldest]


def log_records():
    """[(seconds since boot, line)] of the whole kernel log, oldest first; None if it cannot be read."""
    try:
        fd = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    found = []
    try:
        while True:
            try:
                record = os.read(fd, 8192).decode(errors="replace")
            except BlockingIOError:
                break
            except BrokenPipeError:     # some were overwritten meanwhile
                continue
            head, _, text = record.partition(";")
            found.append((int(head.split(",")[2]) / 1e6, text.split("\n")[0]))
    except OSError:
        pass
    finally:
        os.close(fd)
    return found


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
    """The IP address of a server's name, IPv4 first, as mount.nfs takes it with proto=rdma; "" if there is none."""
    try:
        found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
        return min(found, key=lambda one: one[0] != socket.AF_INET)[4][0]
    except (OSError, UnicodeError):
        return ""


def is_directory(path):
    return os.path.isdir(path)
