# SPDX-License-Identifier: GPL-2.0-only
"""Derives faults from the facts. Only computes; no finding on a healthy machine.

Each finding has a name that scripts can rely on, and the commands that repair it.
"""

import ipaddress
import re

from . import findings_traffic, firewall, parse
from .findings_modules import modules, rdma_listeners
from .model import ERROR, NFS_RDMA_PORT, ROCE_UDP_PORT, WARNING, Finding, here, there


def findings(facts):
    found = []
    for check in (modules, devices, addresses, listener, filters, servers, paths, versions, thresholds, credits,
                  replies, findings_traffic.rules, findings_traffic.connections):
        found += check(facts)
    return found


# Devices and addresses

def devices(facts):
    if not facts.ports:
        usable = [netdev for netdev in facts.netdevs.values() if netdev.name != "lo" and netdev.up
                  and any(is_global(address) for address in netdev.addresses)]
        best = min(usable, key=lambda netdev: (not netdev.hardware, netdev.name), default=None)
        return [Finding("device-missing", ERROR, "no RDMA device",
                        here(f"rdma link add rxe0 type rxe netdev {best.name if best else 'NETDEV'}"
                             "   # Soft-RoCE; for hardware load its driver"))]
    found = []
    any_active = any(port.state == "ACTIVE" for port in facts.ports)
    for port in facts.ports:
        own = [facts.netdevs[name] for name in port.netdevs if name in facts.netdevs]
        if port.state == "ACTIVE" or (any_active and not any(netdev.addresses for netdev in own)):
            continue
        down = [netdev for netdev in own if not netdev.up]
        why = f": {' and '.join(netdev.name for netdev in down)} is down or has no carrier" if down else ""
        found.append(Finding("link-down", ERROR, f"RDMA port {port.name()} is {port.state}, not ACTIVE{why}",
                             here(*raising(port, down))))
    return found + [stuck(port) for port in facts.ports if port.stuck and port.state == "ACTIVE"]


def raising(port, down):
    """Commands for a port that is not active; its network devices in down are not either."""
    if port.kind == "InfiniBand" and port.state in ("INIT", "ARMED"):
        return ["systemctl start opensm   # here or on another machine of the fabric: a subnet manager"]
    return [f"ethtool {netdev.name}   # it is switched on: look at the cable and the switch" if netdev.enabled
            else f"ip link set {netdev.name} up" for netdev in down] or [f"rdma link show {port.name()}"]


def stuck(port):
    """rxe does that when a packet of the connection manager could not be sent."""
    netdev = port.netdevs[0] if port.netdevs else "NETDEV"
    return Finding("device-stuck", ERROR,
                   f"RDMA port {port.name()} can neither connect nor be connected to: its queue pair for that "
                   "(GSI) is in error, as after an attempt while the network device was down",
                   here(f"rdma link delete {port.device}", f"rdma link add {port.device} type rxe netdev {netdev}"))


def is_global(address):
    ip = ipaddress.ip_address(address)
    return not ip.is_link_local


def addresses(facts):
    active = [port for port in facts.ports if port.state == "ACTIVE"]
    own = {name for port in active for name in port.netdevs}
    if active and own and not any(is_global(address) for name in own if name in facts.netdevs
                                  for address in facts.netdevs[name].addresses):
        where = sorted(own)[0]
        return [Finding("address-not-rdma", ERROR,
                        f"no RDMA device has an IP address (they belong to {', '.join(sorted(own))})",
                        here(f"ip address add ADDRESS/LENGTH dev {where}"))]
    return [finding for port in active if port.kind == "RoCE" for finding in gids(facts, port)]


def gids(facts, port):
    have = {(ipaddress.ip_address(gid.gid), gid.kind) for gid in port.gids}
    found = []
    for name in port.netdevs:
        netdev = facts.netdevs.get(name)
        lost = [address for address in (netdev.addresses if netdev else [])
                if is_global(address) and (parse.address_gid(address), "RoCE v2") not in have]
        if lost:
            found.append(Finding(
                "gid-missing", ERROR,
                f"{lost[0]} on {name}{f' and {len(lost) - 1} more' if len(lost) > 1 else ''} "
                f"has no RoCE v2 GID on {port.name()}, whose table has {len(port.gids)} entries in use: "
                "no peer can connect to or from there",
                here(f"ip address del UNUSED/LENGTH dev {name}   # until the table has room",
                     f"ip address del {lost[0]}/LENGTH dev {name}", f"ip address add {lost[0]}/LENGTH dev {name}")))
    return found


# Server

def listener(facts):
    nfsd = facts.nfsd
    listening = rdma_listeners(facts)
    if not nfsd.wanted_port:
        other = [number for number in listening if number != NFS_RDMA_PORT]
        if not other or NFS_RDMA_PORT in listening:
            return []
        return [moved(NFS_RDMA_PORT, other[0])]
    if nfsd.wanted_port in listening:
        return []
    if listening:
        return [moved(nfsd.wanted_port, listening[0])]
    if nfsd.threads == 0 and not nfsd.exports:      # a client: the package asks for RDMA there too
        return []
    if nfsd.threads == 0:
        return [Finding("listener-absent", ERROR,
                        "there are exports, and nfs.conf asks for RDMA, but nfsd does not run",
                        here("systemctl start nfs-server"))]
    return [Finding("listener-absent", ERROR,
                    f"nfsd runs without an rdma listener, although nfs.conf asks for port {nfsd.wanted_port}",
                    here(f'echo "rdma {nfsd.wanted_port}" > /proc/fs/nfsd/portlist'))]


def moved(wanted, is_at):
    return Finding("listener-port", ERROR,
                   f"nfsd's rdma listener is at port {is_at}, clients look for it at {wanted}",
                   here(f'echo "rdma {wanted}" > /proc/fs/nfsd/portlist',
                        f"nfsconf --set nfsd rdma-port {wanted}   # for the next start"))


# Firewall

def services(facts, port):
    """(hook, protocol, port) that must be open; Soft-RoCE has one port for both directions."""
    if port.kind == "RoCE":
        return [("input", "udp", ROCE_UDP_PORT), ("output", "udp", ROCE_UDP_PORT)]
    return ([("input", "tcp", number) for number in sorted(set(rdma_listeners(facts)))] +
            [("output", "tcp", number) for number in sorted({mount.port for mount in facts.mounts})])


def packets(facts):
    """For each software device; packets of hardware bypass the packet filter."""
    for port in facts.ports:
        if not port.software or port.state != "ACTIVE":
            continue
        for name in port.netdevs:
            netdev = facts.netdevs.get(name)
            families = {"ip6" if ":" in address else "ip"
                        for address in (netdev.addresses if netdev else []) if is_global(address)}
            for hook, proto, number in services(facts, port):
                way = "iif" if hook == "input" else "oif"
                for family in sorted(families):
                    yield hook, {"family": family, "l4proto": proto, "dport": number, way: name}


def filters(facts):
    found = {}
    for hook, packet in packets(facts):
        chain = firewall.dropping_chain(facts.chains, packet, hook)
        if chain:
            key = (chain.program, chain.table, chain.name, packet["l4proto"], packet["dport"])
            found.setdefault(key, Finding(
                "port-blocked", ERROR,
                f"the firewall drops {packet['l4proto'].upper()} port {packet['dport']} on "
                f"{packet.get('iif') or packet['oif']} "
                f"({chain.program}, table {chain.table}, chain {chain.name})",
                here(firewall.accepting_command(chain, packet))))
    return list(found.values())


# Client: what the servers say

def servers(facts):
    found = []
    for attempt in facts.attempts:
        smaller = mtu(facts, attempt)
        found += smaller + outcome(facts, attempt, bool(smaller) or is_explained(facts, attempt))
    return found


def is_explained(facts, attempt):
    """Another finding on this machine may be the cause: one of the way that the attempt took."""
    if not facts.ports or not attempt.netdev:
        return bool(devices(facts) + addresses(facts) + filters(facts))
    on_way = [port for port in facts.ports if attempt.netdev in port.netdevs]
    return (any(port.state != "ACTIVE" or port.stuck or (port.kind == "RoCE" and gids(facts, port))
                for port in on_way)
            or any(finding.name == "address-not-rdma" for finding in addresses(facts))
            or any(attempt.netdev in (packet.get("iif"), packet.get("oif"))
                   and firewall.dropping_chain(facts.chains, packet, hook) for hook, packet in packets(facts)))


def roce_payload(size):
    """Bytes of payload in a RoCE packet where the MTU has that size: the kernel's iboe_get_mtu()"""
    return max((payload for payload in (256, 512, 1024, 2048, 4096) if payload <= size - 96), default=0)


def mtu(facts, attempt):
    """Measured with ICMP; the repair raises the smaller MTU, or lowers the larger one.

    iWARP finds out itself, and packets of InfiniBand do not take that way.
    """
    if not any(port.kind == "RoCE" and attempt.netdev in port.netdevs for port in facts.ports):
        return []
    smaller = attempt.peer_mtu and roce_payload(attempt.peer_mtu) < roce_payload(attempt.mtu)
    if not attempt.large_lost and not smaller:
        return []
    text = f"its MTU is about {attempt.peer_mtu}, here it is {attempt.mtu}" if smaller else \
        f"packets of {attempt.mtu} bytes, the MTU here, get no answer, small ones do"
    return [Finding("mtu-mismatch", ERROR, f"{attempt.server}: {text}",
                    there("the server", f"ip link set NETDEV mtu {attempt.mtu}   # or:") +
                    here(f"ip link set {attempt.netdev} mtu {attempt.peer_mtu or 1500}"))]


def outcome(facts, attempt, explained):
    """explained: another finding on this machine may be the cause."""
    at = f"{attempt.server} port {attempt.port}"
    if attempt.outcome == "absent":
        return [Finding("listener-absent", ERROR, f"{at}: the server answers, but no NFS/RDMA service listens there",
                        there("the server", f'echo "rdma {attempt.port}" > /proc/fs/nfsd/portlist'))]
    if attempt.outcome == "refused":
        return [Finding("connection-refused", ERROR, f"{at}: the service refuses to connect ({attempt.detail}); its "
                        "kernel log has the reason", there("the server", "dmesg | grep svcrdma"))]
    if attempt.outcome not in ("no-device", "silent", "no-route") or explained:
        return []
    if attempt.outcome == "no-device":
        return [no_device(facts, attempt)]
    if attempt.alive:
        return [Finding("port-blocked", ERROR,
                        f"{at}: the machine is alive, but nothing answers on RDMA: a firewall on the way, or no "
                        "RDMA device at that address", there("the server", "rpcrdmactl doctor"))]
    return [Finding("server-unreachable", ERROR, f"{at}: {attempt.detail}", here(f"ping {attempt.server}"))]


def no_device(facts, attempt):
    rdma = sorted({name for port in facts.ports for name in port.netdevs})
    return Finding("address-not-rdma", ERROR,
                   f"{attempt.server} is reached from {attempt.source} on {attempt.netdev or 'no device'}, "
                   f"which has no RDMA device ({', '.join(rdma) or 'nothing'} has)",
                   here(f"rdma link add rxe1 type rxe netdev {attempt.netdev or 'NETDEV'}   # or, to go another way:",
                        f"ip route add {attempt.server} dev {rdma[0] if rdma else 'NETDEV'}"))


# Connections

def reconnect(connection):
    return f"echo 1 > /sys/kernel/rpcrdma/connections/{connection.name}/disconnect"


def peer_of(connection):
    return "the server" if connection.side == "client" else "the client"


CLIENT_TAKES_BOTH = "echo both > /sys/module/xprtrdma/parameters/versions"
SERVER_TAKES_BOTH = "echo both > /sys/module/svcrdma/parameters/versions"
NO_COMMON_VERSION = re.compile(r"xprtrdma: (\S+): (?:no protocol version in common|"
                               r"XID \w+: the server supports versions)")
CONNECTED = re.compile(r"rpcrdma: (\S+): connected, this end is the client")


def versions(facts):
    """Only one end has version 2, or they have none in common."""
    found = {}
    for one in facts.connections:
        if one.established:
            found[one.name] = version(facts, one)
    for peer in without_version(facts):
        found[peer] = Finding(
            "version-mismatch", ERROR,
            f"{peer}: no protocol version in common; this client takes "
            f"{facts.settings.get('xprtrdma.versions', '?')}",
            here(CLIENT_TAKES_BOTH) + there("the server", SERVER_TAKES_BOTH))
    return [finding for finding in found.values() if finding]


def without_version(facts):
    """Servers whose latest connection failed for lack of a common version."""
    peers = []
    for line in facts.log:
        connected, failed = CONNECTED.match(line), NO_COMMON_VERSION.match(line)
        peers = [peer for peer in peers if not connected or peer != connected.group(1)]
        if failed and failed.group(1) not in peers:
            peers.append(failed.group(1))
    established = [one.peer for one in facts.connections if one.established]
    return [peer for peer in peers if peer not in established]


def version(facts, one):
    at = f"{one.name} to {one.peer}"
    taken = facts.settings.get("svcrdma.versions")
    if one.counters.get("version_fallbacks") and one.values.get("version") == "1":
        return Finding("version-mismatch", WARNING,
                       f"{at}: this client takes version 2, the server has version 1 only",
                       there("the server", SERVER_TAKES_BOTH) + here(reconnect(one)))
    if one.side != "server" or not one.refusals.get("vers"):
        return None
    if taken == "1":
        return Finding("version-mismatch", WARNING,
                       f"{at}: the client takes version 2, this server takes version 1 only",
                       here(SERVER_TAKES_BOTH) + there("the client", "remount"))
    if taken == "2":
        return Finding("version-mismatch", ERROR,
                       f"{at}: the client uses version 1, this server takes version 2 only",
                       here(SERVER_TAKES_BOTH))
    return None


def remarks(facts):
    """What may be meant so."""
    clients = {one.values.get("peer_address") for one in facts.connections
               if one.side == "server" and one.established and one.values.get("version") == "1"}
    if facts.settings.get("svcrdma.versions") == "both" and clients:
        return [f"this server takes version 2, but {len(clients)} of its clients use version 1; to change "
                f"that, on the client: {CLIENT_TAKES_BOTH}"]
    return []


# Threshold of a connection: the parameter on this side, and the sysctl on the peer, which
# the in-tree modules have as well
THRESHOLDS = {
    "client": (("inline_send", "xprtrdma.max_inline_write", "svc_rdma/max_req_size"),
               ("inline_receive", "xprtrdma.max_inline_read", "svc_rdma/max_req_size")),
    "server": (("inline_send", "svcrdma.max_inline_size", "rdma_max_inline_read"),
               ("inline_receive", "svcrdma.max_inline_size", "rdma_max_inline_write")),
}


def thresholds(facts):
    """The peer offers less than this side: more RPCs than necessary need chunks."""
    return [finding for one in facts.connections if one.established for finding in threshold(facts, one)]


def threshold(facts, one):
    for key, own, other in THRESHOLDS.get(one.side, ()):
        value, offered = one.number(key), facts.settings.get(own, "")
        if value and offered.isdigit() and value < int(offered):
            again = here(reconnect(one)) if one.side == "client" else there("the client", "remount")
            return [Finding("threshold-mismatch", WARNING,
                            f"{one.name} to {one.peer}: {key} is {value} bytes, although {own} here is {offered}",
                            there(peer_of(one), f"echo {offered} > /proc/sys/sunrpc/{other}") + again)]
    return []


def paths(facts):
    """A transport uses the path of another one, since its own does not work."""
    return [Finding("path-failed", WARNING,
                    f"{one.name}: the path to {one.peer} does not work; it is connected to "
                    f"{one.values['path_address']} meanwhile",
                    here(f"rpcrdmactl doctor -p {one.values.get('peer_port')} {one.values.get('peer_address')}"))
            for one in facts.connections
            if one.side == "client" and one.established and
            one.values.get("path_address", "") not in ("", one.values.get("peer_address"))]


def credits(facts):
    """RPCs wait for credits, and the server grants less than half of the requested credits, and no more."""
    found = []
    for one in facts.connections:
        granted, asked = one.number("credits_granted"), one.number("credits_asked")
        if one.side == "client" and one.established and granted and asked and granted * 2 < asked and \
                one.name not in facts.more_credits:
            waits = waiting(facts, one, granted)
            if waits:
                found.append(out_of_credits(one, granted, asked, waits))
    return found


def waiting(facts, one, granted):
    """RPCs that waited for a credit during the check; those that wait now, if none was counted."""
    if facts.credit_waits.get(one.name):
        return facts.credit_waits[one.name]
    used = one.number("credits_used") or 0
    return (one.number("requests_waiting") or 0) if used >= granted else 0


def out_of_credits(one, granted, asked, waits):
    return Finding("credits-starved", WARNING,
                   f"{one.name} to {one.peer}: {waits} RPCs had to wait for a credit while this program looked; "
                   f"the server grants {granted}, {asked} are asked for. If receive_memory_used in "
                   f"/proc/sys/sunrpc/svc_rdma of the server is near svcrdma.receive_memory, raise that first",
                   there("the server", f"echo {asked} > /proc/sys/sunrpc/svc_rdma/max_requests") +
                   here(reconnect(one)))


# Refusals of Replies whose chunk lists do not fit the Call: such an RPC ends with EIO
BAD_LISTS = ("reply_read_list", "reply_chunks", "reply_overrun", "reply_form")


def replies(facts):
    """The server does not return the chunk lists of a Call as it must."""
    found = []
    for one in facts.connections:
        bad = sum(one.refusals.get(name, 0) for name in BAD_LISTS)
        inexact = one.counters.get("replies_inexact", 0)
        if one.side != "client" or not (bad or inexact):
            continue
        if bad:
            found.append(Finding(
                "replies-refused", ERROR,
                f"{one.name} to {one.peer}: {bad} Replies of the server had chunk lists that do not fit the Call; "
                "such an RPC ends with an I/O error", look_at(one)))
        else:
            found.append(Finding(
                "replies-inexact", WARNING,
                f"{one.name} to {one.peer}: {inexact} Replies of the server lacked chunks or segments that it had "
                "not used, or had more of them; they were accepted, but the server is faulty", look_at(one)))
    return found


def look_at(one):
    return here(f"rpcrdmactl status -l {one.name}   # and update or report the server's NFS/RDMA software")
