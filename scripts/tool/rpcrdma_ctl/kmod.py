# SPDX-License-Identifier: GPL-2.0-only
"""Kernel modules on disk, without the programs of kmod. Only computes."""

OURS = ("rpcrdma", "xprtrdma", "svcrdma")


def module_name(path):
    """The module that a file holds: "updates/dkms/x-y.ko.xz" -> "x_y"."""
    return path.rsplit("/", 1)[-1].partition(".ko")[0].replace("-", "_")


def installed(modules_dep):
    """{module: path} for the modules that modprobe would take, from modules.dep."""
    found = {}
    for line in modules_dep.splitlines():
        path, colon, _ = line.partition(":")
        if colon:
            found[module_name(path)] = path
    return found


def builtin(modules_builtin):
    """Names of the built-in modules, from modules.builtin."""
    return {module_name(line) for line in modules_builtin.split()}


def modinfo(content):
    """{key: value} of what modinfo shows, from the bytes of an uncompressed module."""
    keys = (b"srcversion", b"version", b"vermagic", b"name", b"rdma_headers")
    info = {}
    for key in keys:
        at = 0
        while (at := content.find(b"\0" + key + b"=", at)) >= 0:
            at += len(key) + 2
            value = content[at:content.find(b"\0", at)]
            if len(value) < 200 and value.isascii():
                info[key.decode()] = value.decode()
                break
    return info


def is_ours(path):
    """The kernel's own modules are below kernel/; ours never are."""
    return bool(path) and not path.startswith("kernel/") and "/kernel/net/sunrpc/" not in path
