# SPDX-License-Identifier: GPL-2.0-only
"""Gathers the facts that findings*.py evaluate. Reads the machine, changes nothing.

It never accesses a mount: a process that accesses files of a dead server hangs.
"""

import concurrent.futures
import lzma
import os
import struct
import time

from . import cm, firewall, kmod, parse, path, system, traffic, views
from .failure import Failure
from .model import Facts, Gid, Module, Netdev, Nfsd, Port, Attempt

LOG_SECONDS = 300
SAMPLE_SECONDS = 1
INFINIBAND = "/sys/class/infiniband"
NET = "/sys/class/net"
ARPHRD_INFINIBAND = 32
IFF_UP = 1
ASKED_AT_ONCE = 32      # a dead server is waited for 13 s, and systemd gives doctor two minutes


def gather(server="", port=0):
    facts = Facts(release=os.uname().release)
    modules(facts)
    settings(facts)
    traffic_rules(facts)
    facts.netdevs = netdevs()
    ports(facts)
    facts.mounts = parse.mounts(system.read("/proc/mounts"))
    facts.nfsd = nfsd()
    packet_filter(facts)
    connections(facts)
    log = system.kernel_log(LOG_SECONDS)
    if log is None:
        facts.notes.append("the kernel log cannot be read")
    facts.log = log or []
    attempts(facts, server, port)
    return facts


def module_file(name, base, installed):
    """(path, modinfo) of the file that modprobe would load."""
    relative = installed.get(name, "")
    if not relative:
        return "", {}
    try:
        with open(os.path.join(base, relative), "rb") as file:
            content = file.read()
        if relative.endswith(".xz"):
            content = lzma.decompress(content)
    except (OSError, lzma.LZMAError):
        return relative, {}
    if relative.endswith((".zst", ".gz")):
        return relative, {key: modinfo(key, name) for key in ("srcversion", "version", "rdma_headers")}
    return relative, kmod.modinfo(content)


def modinfo(key, name):
    return (system.output("modinfo", "-F", key, name) or "").strip()


def modules(facts):
    base = f"/lib/modules/{facts.release}"
    installed = kmod.installed(system.read(f"{base}/modules.dep"))
    facts.builtin = "rpcrdma" in kmod.builtin(system.read(f"{base}/modules.builtin"))
    for name in kmod.OURS:
        file, info = module_file(name, base, installed)
        facts.modules[name] = Module(
            name, os.path.isdir(f"/sys/module/{name}"), system.read(f"/sys/module/{name}/srcversion"),
            file, info.get("srcversion", ""), kmod.is_ours(file),
            modinfo("signer", name), info.get("rdma_headers", ""),
            system.read(f"/sys/module/{name}/version"), info.get("version", ""))
    facts.rdma_core = installed.get("ib_core", "")
    facts.signed_only = (system.read("/sys/module/module/parameters/sig_enforce") == "Y"
                         or "[none]" not in system.read("/sys/kernel/security/lockdown", "[none]"))
    facts.keys = parse.key_names(system.read("/proc/keys"))
    facts.dkms = bool(system.names("/var/lib/dkms/rpcrdma"))
    for release in system.names("/lib/modules"):
        others = kmod.installed(system.read(f"/lib/modules/{release}/modules.dep"))
        if release != facts.release and "xprtrdma" in others:
            facts.other_releases.append(release)


def settings(facts):
    for module in kmod.OURS:
        directory = f"/sys/module/{module}/parameters"
        for name in system.names(directory):
            facts.settings[f"{module}.{name}"] = system.read(f"{directory}/{name}")


def traffic_rules(facts):
    if not os.path.exists(traffic.FILE):
        return
    try:
        facts.traffic = traffic.read_file(traffic.FILE)
    except Failure as failure:
        facts.traffic_fault = str(failure)


def netdevs():
    addresses = system.addresses()
    found = {}
    for name in system.names(NET):
        flags = int(system.read(f"{NET}/{name}/flags", "0"), 16)
        carrier = system.read(f"{NET}/{name}/carrier", "1") == "1"
        found[name] = Netdev(name, bool(flags & IFF_UP) and carrier,
                             system.read_number(f"{NET}/{name}/mtu"), addresses.get(name, []),
                             bool(flags & IFF_UP), os.path.exists(f"{NET}/{name}/device"))
    return found


def gids(directory):
    found = []
    for index in system.names(f"{directory}/gids"):
        gid = system.read(f"{directory}/gids/{index}")
        if gid and gid != parse.NO_GID:
            found.append(Gid(gid, system.read(f"{directory}/gid_attrs/types/{index}"),
                             system.read(f"{directory}/gid_attrs/ndevs/{index}")))
    return found


def ipoib(device, number):
    """Network devices of IP over InfiniBand on a port."""
    return [name for name in system.names(NET)
            if system.read_number(f"{NET}/{name}/type") == ARPHRD_INFINIBAND
            and device in system.names(f"{NET}/{name}/device/infiniband")
            and system.read_number(f"{NET}/{name}/dev_port", number - 1) == number - 1]


def on_top(own):
    """Network devices on top of those of IP over InfiniBand: bonds, VLANs and partitions. RoCE has GIDs for
    them, and with iWARP the kernel does not connect from there."""
    found = set(own)
    while more := {name for name in system.names(NET) if name not in found and
                   ({system.read(f"{NET}/{name}/parent")} & found or
                    any(os.path.exists(f"{NET}/{name}/lower_{below}") for below in found))}:
        found |= more
    return found


def port(device, number, links):
    directory = f"{INFINIBAND}/{device}/ports/{number}"
    kind = parse.port_kind(system.read(f"{INFINIBAND}/{device}/node_type"),
                           system.read(f"{directory}/link_layer"))
    one = Port(device, number, kind, parse.port_state(system.read(f"{directory}/state")),
               "/virtual/" in os.path.realpath(f"{INFINIBAND}/{device}"), gids=gids(directory))
    own = {gid.netdev for gid in one.gids if gid.netdev} | {links.get(one.name())}
    own.add(system.read(f"{INFINIBAND}/{device}/parent"))      # of rxe
    own.update(on_top(ipoib(device, number)))
    one.netdevs = sorted(name for name in own if name)
    return one


def ports(facts):
    devices = system.names(INFINIBAND)
    if devices and not system.program("rdma"):
        facts.notes.append("the program rdma (package iproute2) is missing: the network devices of "
                           "iWARP devices are not known")
    links = parse.rdma_links(system.output("rdma", "-j", "link", "show"))
    for device in devices:
        for number in system.names(f"{INFINIBAND}/{device}/ports"):
            facts.ports.append(port(device, int(number), links))
    stuck = parse.stuck_ports(system.output("rdma", "-j", "resource", "show", "qp"))
    for one in facts.ports:
        one.stuck = one.name() in stuck


def nfsd():
    directory = "/proc/fs/nfsd"
    return Nfsd(system.read_number(f"{directory}/threads"),
                parse.portlist(system.read(f"{directory}/portlist")),
                parse.nfs_conf_rdma_port(configuration("/etc/nfs.conf", "/etc/nfs.conf.d", ".conf")),
                parse.exports(configuration("/etc/exports", "/etc/exports.d", ".exports")))


def configuration(file, directory, ending):
    """A file of /etc, and its drop-in files."""
    texts = [system.read(file)]
    texts += [system.read(f"{directory}/{name}") for name in system.names(directory) if name.endswith(ending)]
    return "\n".join(texts)


def packet_filter(facts):
    """The packet filter sees only packets of software devices."""
    if not any(port.software for port in facts.ports):
        return
    known = False
    nft = system.output("nft", "--json", "list", "ruleset")
    if nft is not None:
        known = True
        try:
            facts.chains += firewall.from_nft(nft)
        except (ValueError, KeyError, TypeError) as error:
            facts.notes.append(f"the output of nft is not understood ({error})")
    for name in ("iptables", "ip6tables"):
        rules = system.output(f"{name}-save", "-t", "filter")
        if rules is not None:
            known = True
            facts.chains += firewall.from_iptables(rules, name)
    if not known:
        facts.notes.append("nft and iptables-save are missing, failed or took too long: "
                           "the firewall is not looked at")


def connections(facts):
    """All connections, and whether RPCs wait for credits now."""
    try:
        before = views.load()
    except Failure as failure:
        facts.notes.append(str(failure))
        return
    if any(one.side == "client" for one in before.connections):
        time.sleep(SAMPLE_SECONDS)
    after = views.load()
    old = {one.name: one for one in before.connections}
    facts.connections = after.connections
    facts.credit_waits = {one.name: one.credit_waits() - old.get(one.name, one).credit_waits()
                          for one in after.connections}
    facts.more_credits = {one.name for one in after.connections
                          if (one.number("credits_granted") or 0) >
                          (old.get(one.name, one).number("credits_granted") or 0)}


# Servers

def attempts(facts, server, port_number):
    """Try the server that was named; otherwise the servers of mounts that have lost their connection."""
    if server:
        wanted = [(server, port_number)]
    else:
        up = {one.peer for one in facts.connections if one.side == "client" and (one.established or one.idle)}
        wanted = sorted({(mount.server, mount.port) for mount in facts.mounts
                         if mount.server and views.endpoint(mount.server, mount.port) not in up})
    with concurrent.futures.ThreadPoolExecutor(ASKED_AT_ONCE) as pool:
        facts.attempts = list(pool.map(lambda one: ask(facts, *one), wanted))


def mark_stuck(facts, attempt):
    """Soft-RoCE answers its own address without a network, unless it is stuck; not all kernels show that."""
    for one in facts.ports:
        if one.software and one.kind == "RoCE" and attempt.netdev in one.netdevs:
            one.stuck = one.stuck or cm.attempt(attempt.source, attempt.port)[0] == cm.SILENT


def ask(facts, name, port_number):
    server = system.resolve(name)
    if not server:
        return Attempt(name, port_number, cm.NO_ROUTE, "it has no address")
    source = system.source_address(server)
    if not source:
        return Attempt(name, port_number, cm.NO_ROUTE, "no route leads to it")
    device = next((netdev for netdev in facts.netdevs.values() if source in netdev.addresses), None)
    kinds = {one.kind for one in facts.ports if device and device.name in one.netdevs}
    one = Attempt(name, port_number, cm.NO_DEVICE, source=source, netdev=device.name if device else "")
    # Not through a device that is down: rxe loses the queue pair of the connection manager
    if kinds and not device.up:
        one.outcome, one.detail = cm.SILENT, f"{device.name} is down or has no carrier"
        return one
    if "iWARP" in kinds:
        one.outcome, one.detail = cm.attempt_tcp(server, port_number)
    elif kinds:
        one.outcome, one.detail = cm.attempt(server, port_number)
        if one.outcome == cm.SILENT:
            mark_stuck(facts, one)
    if one.outcome == cm.UNKNOWN:
        facts.notes.append(f"{name} port {port_number}: not known whether NFS/RDMA listens there: {one.detail}")
    if kinds and device and ":" not in server:
        one.mtu = device.mtu
        try:
            one.alive, one.peer_mtu, one.large_lost = path.check(server, device.mtu)
        except (OSError, struct.error) as error:
            facts.notes.append(f"{server}: packets cannot be tried: {error}")
    return one
