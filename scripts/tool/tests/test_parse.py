# SPDX-License-Identifier: GPL-2.0-only

import ipaddress
import os
import tempfile
import unittest

from rpcrdma_ctl import kmod, mountstats, parse, system
from rpcrdma_ctl.model import Mount


class Parse(unittest.TestCase):
    def test_mounts(self):
        text = ("proc /proc proc rw 0 0\n"
                "srv:/ /mnt/a\\040b nfs4 rw,vers=4.2,proto=rdma,port=20049,clientaddr=1.2.3.4,addr=192.168.77.1 0 0\n"
                "srv:/ /mnt/c nfs rw,vers=3,proto=rdma6,addr=fd77::1 0 0\n"
                "srv:/ /mnt/d nfs4 rw,vers=4.2,proto=tcp,addr=192.168.77.1 0 0\n")
        self.assertEqual(parse.mounts(text), [
            Mount("/mnt/a b", "192.168.77.1", 20049, "srv:/",
                  "rw,vers=4.2,proto=rdma,port=20049,clientaddr=1.2.3.4,addr=192.168.77.1"),
            Mount("/mnt/c", "fd77::1", 20049, "srv:/", "rw,vers=3,proto=rdma6,addr=fd77::1")])

    def test_names_with_odd_white_space(self):
        """/proc/mounts and mountstats escape that of ASCII only, without CR, FF and VT."""
        odd = "/mnt/a\u00a0\r\x0b\x0c\u2028b\x85"
        mounts = f"proc /proc proc rw 0 0\nsrv:/ {odd} nfs4 rw,proto=rdma,addr=10.0.0.1 0 0\n"
        stats = (f"device srv:/ mounted on {odd} with fstype nfs4 statvers=1.1\n\txprt:\trdma 0 0 1\n"
                 "device proc mounted on /proc with fstype proc\n")
        with tempfile.TemporaryDirectory() as work:
            for name, text in (("mounts", mounts), ("mountstats", stats)):
                with open(os.path.join(work, name), "w", encoding="utf-8", newline="\n") as file:
                    file.write(text)
            found = parse.mounts(system.read(os.path.join(work, "mounts")))
            self.assertEqual([one.directory for one in found], [odd])
            found = mountstats.parse(system.read(os.path.join(work, "mountstats")), found)
        self.assertEqual([(one.mount.directory, one.transports) for one in found], [(odd, 1)])

    def test_portlist(self):
        self.assertEqual(parse.portlist("rdma 20049\ntcp 2049\n"), [("rdma", 20049), ("tcp", 2049)])
        self.assertEqual(parse.portlist(""), [])

    def test_nfs_conf(self):
        for text, port in (("", 0), ("[nfsd]\nthreads=8\n", 0), ("[nfsd]\nrdma=y\n", 20049),
                           ("[nfsd]\n# rdma=y\n", 0), ("[nfsd]\nrdma=n\nrdma-port=20049\n", 0),
                           ("[ NFSD ]\n RDMA = yes ; words\nrdma-port = 30000\n", 30000),
                           ("[nfsd]\nrdma=20051\n", 20051), ("[mountd]\nrdma=y\n", 0)):
            with self.subTest(text=text):
                self.assertEqual(parse.nfs_conf_rdma_port(text), port)

    def test_exports(self):
        for text, there in (("", False), ("# /srv  *(rw)\n\n", False), ("# as an example\n/srv  *(rw)\n", True)):
            with self.subTest(text=text):
                self.assertEqual(parse.exports(text), there)

    def test_ports(self):
        self.assertEqual(parse.port_state("4: ACTIVE"), "ACTIVE")
        self.assertEqual(parse.port_kind("1: CA", "Ethernet"), "RoCE")
        self.assertEqual(parse.port_kind("1: CA", "InfiniBand"), "InfiniBand")
        self.assertEqual(parse.port_kind("4: RNIC", "Ethernet"), "iWARP")

    def test_gid(self):
        self.assertEqual(parse.address_gid("192.168.77.1"),
                         ipaddress.ip_address("0000:0000:0000:0000:0000:ffff:c0a8:4d01"))
        self.assertEqual(parse.address_gid("fd77::1"), ipaddress.ip_address("fd77::1"))

    def test_rdma_links(self):
        self.assertEqual(parse.rdma_links('[{"ifname":"siw0","port":1,"netdev":"eth0"},'
                                          '{"ifname":"ib0","port":2}]'), {"siw0/1": "eth0"})
        self.assertEqual(parse.rdma_links(None), {})
        self.assertEqual(parse.rdma_links("no JSON"), {})

    def test_stuck_ports(self):
        self.assertEqual(parse.stuck_ports('[{"ifname":"rxe0","port":1,"type":"GSI","state":"ERR"},'
                                           '{"ifname":"rxe1","port":1,"type":"GSI","state":"RTS"},'
                                           '{"ifname":"rxe2","port":1,"type":"RC","state":"ERR"}]'), {"rxe0/1"})
        self.assertEqual(parse.stuck_ports(None), set())


    def test_key_names(self):
        keys = ("0a1b2c3d I------     1 perm 1f030000     0     0 asymmetri Debian Secure Boot CA: "
                "6ccece7e4c6c0d1f6149f3dd27dfcc5cbb419ea1: X509.rsa cb419ea1 []\n"
                "1b2c3d4e I--Q---     2 perm 1f3f0000     0 65534 keyring   _uid_ses.0: 1\n")
        self.assertEqual(parse.key_names(keys), ["Debian Secure Boot CA"])
        self.assertEqual(parse.key_names(""), [])


class Kmod(unittest.TestCase):
    def test_installed(self):
        text = "kernel/net/sunrpc/sunrpc.ko.xz:\nupdates/dkms/rpcrdma.ko: kernel/net/sunrpc/sunrpc.ko.xz\n"
        self.assertEqual(kmod.installed(text)["rpcrdma"], "updates/dkms/rpcrdma.ko")

    def test_whose(self):
        self.assertTrue(kmod.is_ours("updates/rpcrdma.ko"))
        self.assertTrue(kmod.is_ours("updates/dkms/rpcrdma.ko.xz"))
        self.assertFalse(kmod.is_ours("kernel/net/sunrpc/xprtrdma/rpcrdma.ko.xz"))
        self.assertFalse(kmod.is_ours(""))

    def test_builtin(self):
        self.assertEqual(kmod.builtin("kernel/a/ib-core.ko\nkernel/b/rpcrdma.ko\n"), {"ib_core", "rpcrdma"})

    def test_modinfo(self):
        content = b"\x7fELF junk\0license=GPL\0srcversion=ABC123\0vermagic=6.12.1 SMP \0rest"
        self.assertEqual(kmod.modinfo(content), {"srcversion": "ABC123", "vermagic": "6.12.1 SMP "})
        self.assertEqual(kmod.modinfo(b""), {})


if __name__ == "__main__":
    unittest.main()
