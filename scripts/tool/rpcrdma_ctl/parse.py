# SPDX-License-Identifier: GPL-2.0-only
"""Parses text of the kernel and of configuration files. Only computes."""

import ipaddress
import json
import re

from .model import NFS_RDMA_PORT, Mount

KINDS = {"InfiniBand": "InfiniBand", "Ethernet": "RoCE"}
NO_GID = "0000:0000:0000:0000:0000:0000:0000:0000"


def port_kind(node_type, link_layer):
    """node_type and link_layer as sysfs has them: "4: RNIC", "Ethernet"."""
    return "iWARP" if node_type.startswith("4") else KINDS.get(link_layer, link_layer)


def port_state(text):
    """"4: ACTIVE" -> "ACTIVE"."""
    return text.partition(":")[2].strip() or text or "unknown"


def address_gid(address):
    """The GID that an IP address has on RoCE."""
    ip = ipaddress.ip_address(address)
    return ipaddress.IPv6Address(bytes(10) + b"\xff\xff" + ip.packed) if ip.version == 4 else ip


def rdma_links(text):
    """{"rxe0/1": network device} from rdma -j link show."""
    try:
        links = json.loads(text or "[]")
    except ValueError:
        return {}
    return {f"{link['ifname']}/{link['port']}": link["netdev"]
            for link in links if "netdev" in link and "port" in link}


def stuck_ports(text):
    """Ports whose GSI queue pair is in error, {"rxe0/1"}, from rdma -j resource show qp."""
    try:
        pairs = json.loads(text or "[]")
    except ValueError:
        return set()
    return {f"{pair['ifname']}/{pair['port']}" for pair in pairs
            if pair.get("type") == "GSI" and pair.get("state") == "ERR" and "port" in pair}


def key_names(proc_keys):
    """Names of the public keys in /proc/keys, which the kernel checks signatures with."""
    return re.findall(r"\sasymmetri\s+(.*): [0-9a-f]+: X509", proc_keys)


def unescape(word):
    """/proc/mounts has white space in octal."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), word)


def parameter_defaults(parm):
    """{parameter: default as text} of what modinfo -F parm prints, without former names of parameters."""
    described = re.findall(r"^(\w+):(?!Former name)(.*)$", parm, re.M)
    found = {name: re.search(r"\bdefault ([^:;)]+)", text) for name, text in described}
    return {name: "" if default[1] == "none" else default[1] for name, default in found.items() if default}


def former_names(parm):
    return set(re.findall(r"^(\w+):Former name", parm, re.M))


def distribution(os_release):
    """PRETTY_NAME of /etc/os-release"""
    found = re.search(r"^PRETTY_NAME=(.*)$", os_release, re.M)
    return found[1].strip("\"'") if found else ""


def mounts(proc_mounts):
    """Mounts over RDMA, from /proc/mounts."""
    found = []
    for line in proc_mounts.split("\n"):       # other white space than that of ASCII is part of a name
        words = line.split(" ")
        if len(words) < 4 or words[2] not in ("nfs", "nfs4"):
            continue
        options = dict(word.partition("=")[::2] for word in words[3].split(","))
        if options.get("proto") in ("rdma", "rdma6"):
            port = options.get("port", "")
            found.append(Mount(unescape(words[1]), options.get("addr", ""),
                               int(port) if port.isdigit() and port != "0" else NFS_RDMA_PORT,
                               unescape(words[0]), unescape(words[3])))
    return found


def portlist(text):
    """[(transport, port)] from /proc/fs/nfsd/portlist."""
    rows = [line.split() for line in text.splitlines()]
    return [(row[0], int(row[1])) for row in rows if len(row) == 2 and row[1].isdigit()]


def exports(text):
    """Does /etc/exports, or a file of /etc/exports.d, have an entry?"""
    return any(line.split("#")[0].strip() for line in text.splitlines())


def nfs_conf_rdma_port(text):
    """The RDMA port that nfs.conf asks nfsd for; 0 if it asks for none."""
    section, settings = "", {}
    for line in text.splitlines():
        line = line.split("#")[0].split(";")[0].strip()
        if line.startswith("["):
            section = line.strip("[] ").lower()
        elif section == "nfsd" and "=" in line:
            key, _, value = line.partition("=")
            settings[key.strip().lower()] = value.strip().lower()
    wanted = settings.get("rdma", "n")
    if wanted.isdigit() and wanted not in ("0", "1"):
        return int(wanted)
    if wanted not in ("y", "yes", "true", "t", "on", "1"):
        return 0
    port = settings.get("rdma-port", "")
    return int(port) if port.isdigit() else NFS_RDMA_PORT
