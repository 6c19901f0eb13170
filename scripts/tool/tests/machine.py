# SPDX-License-Identifier: GPL-2.0-only
"""A healthy machine, as facts.py would find it: server and client with Soft-RoCE on one device."""

from rpcrdma_ctl.model import Facts, Gid, Module, Netdev, Nfsd, Port
from rpcrdma_ctl.views import Connection

RELEASE = "6.12.1-test"


def module(name):
    return Module(name, loaded=True, srcversion="AA" + name, file=f"updates/{name}.ko",
                  file_srcversion="AA" + name, file_ours=True, signer="DKMS module signing key")


def rxe(**changes):
    port = Port("rxe0", 1, "RoCE", "ACTIVE", software=True, netdevs=["eth0"],
                gids=[Gid("fe80:0000:0000:0000:0000:00ff:fe00:0001", "RoCE v2", "eth0"),
                      Gid("0000:0000:0000:0000:0000:ffff:c0a8:4d01", "RoCE v2", "eth0")])
    vars(port).update(changes)
    return port


def siw():
    return Port("siw0", 1, "iWARP", "ACTIVE", software=True, netdevs=["eth0"])


def connection(side="client", **values):
    known = {"side": side, "connection": "7", "state": "established", "peer_address": "192.168.77.2",
             "peer_port": "20049", "version": "1", "inline_send": "8192", "inline_receive": "8192",
             "credits_asked": "128", "credits_granted": "64", "credits_used": "3", "requests_in_flight": "3",
             "requests_waiting": "0", "send_queue_used": "5", "send_queue_depth": "400", "mrs": "40",
             "mrs_used": "2", "device": "rxe0", "device_port": "1", "age_seconds": "200",
             "tos": "0", "tos_configured": "0", "ack_timeout": "19", "rnr_timer": "20", "rnr_retries": "6",
             "source_address": "192.168.77.1", "source_port": "40000",
             "last_error": "0", "last_error_reason": "", "last_error_age_seconds": ""}
    return Connection(f"{side}-1", {**known, **values}, {"connects": 1, "version_fallbacks": 0})


def healthy():
    return Facts(
        release=RELEASE, modules={name: module(name) for name in ("rpcrdma", "xprtrdma", "svcrdma")},
        dkms=True, rdma_core="kernel/drivers/infiniband/core/ib_core.ko.xz", ports=[rxe()],
        netdevs={"lo": Netdev("lo", True, 65536, ["127.0.0.1", "::1"]),
                 "eth0": Netdev("eth0", True, 9000, ["192.168.77.1", "fe80::ff:fe00:1"])},
        nfsd=Nfsd(8, [("rdma", 20049), ("tcp", 2049)], 20049, True),
        connections=[connection()],
        settings={"rpcrdma.probe_seconds": "10", "xprtrdma.versions": "1", "svcrdma.versions": "1",
                  "xprtrdma.max_inline_read": "8192", "xprtrdma.max_inline_write": "8192",
                  "svcrdma.max_inline_size": "8192"})
