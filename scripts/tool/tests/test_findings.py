# SPDX-License-Identifier: GPL-2.0-only

import re
import unittest

from rpcrdma_ctl import doctor, findings_modules, firewall
from rpcrdma_ctl.findings import findings, remarks
from rpcrdma_ctl.model import WARNING, Attempt, Finding, Mount, Netdev, Nfsd, Port, here

from .machine import connection, healthy, rxe, siw


class Findings(unittest.TestCase):
    def setUp(self):
        self.facts = healthy()

    def finds(self, *names):
        found = findings(self.facts)
        self.assertEqual([finding.name for finding in found], list(names))
        for finding in found:
            self.assertTrue(finding.repair, finding.name)
            self.assertTrue(all(command.text for command in finding.repair))
        return found

    def repairs(self, *names):
        return [command.text for finding in self.finds(*names) for command in finding.repair]

    def attempt(self, outcome, **more):
        self.facts.attempts = [Attempt("192.168.77.2", 20049, outcome, "no answer", "192.168.77.1", "eth0",
                                   mtu=9000, **more)]

    def test_healthy(self):
        self.finds()
        self.assertEqual(list(doctor.lines([], [])), ["nothing found"])

    def test_healthy_client_without_server(self):
        self.facts.nfsd.threads, self.facts.nfsd.listeners, self.facts.nfsd.wanted_port = 0, [], 0
        self.facts.modules["svcrdma"].loaded = False
        self.finds()

    def test_healthy_with_nothing_loaded(self):
        for one in self.facts.modules.values():
            one.loaded = False
        self.facts.settings, self.facts.connections, self.facts.nfsd.listeners = {}, [], []
        self.facts.nfsd.threads = self.facts.nfsd.wanted_port = 0
        self.finds()

    def test_module_missing(self):
        for one in self.facts.modules.values():
            one.loaded, one.file, one.file_ours = False, "", False
        self.facts.settings = {}
        self.facts.nfsd.listeners = [("tcp", 2049)]
        self.facts.nfsd.wanted_port = 0
        self.finds("module-missing")

    def test_modules_run_without_being_installed(self):
        for one in self.facts.modules.values():
            one.file, one.file_ours = "", False
        self.assertEqual(self.finds("module-missing")[0].severity, "warning")

    def test_client_side_not_loaded(self):
        self.facts.modules["xprtrdma"].loaded = False
        self.facts.mounts = [Mount("/mnt", "192.168.77.2", 20049)]
        self.assertEqual(self.repairs("module-missing"), ["modprobe xprtrdma"])

    def test_module_builtin(self):
        self.facts.builtin = True
        self.finds("module-builtin")

    def refuse_unsigned(self, signer, keys):
        """Nothing is loaded on a machine with Secure Boot."""
        for one in self.facts.modules.values():
            one.loaded, one.signer = False, signer
        self.facts.signed_only, self.facts.keys = True, keys
        self.facts.settings, self.facts.nfsd.listeners, self.facts.nfsd.wanted_port = {}, [], 0

    def test_not_signed(self):
        self.refuse_unsigned("", ["Debian Secure Boot CA"])
        self.assertIn("rpcrdma and xprtrdma and svcrdma are not signed", self.finds("module-rejected")[0].text)

    def test_key_not_trusted(self):
        self.refuse_unsigned("DKMS module signing key", ["Debian Secure Boot CA"])
        self.assertIn('the key of "DKMS module signing key"', self.finds("module-rejected")[0].text)
        self.facts.modules["rpcrdma"].loaded = True     # the kernel's own
        self.assertEqual(self.repairs("module-rejected")[0].split()[:2], ["mokutil", "--import"])

    def test_key_not_trusted_without_dkms(self):
        self.facts.dkms = False
        self.refuse_unsigned("our key", ["Debian Secure Boot CA"])
        self.assertNotIn("dkms", self.repairs("module-rejected")[0])

    def test_key_trusted(self):
        self.refuse_unsigned("DKMS module signing key", ["Debian Secure Boot CA", "DKMS module signing key"])
        self.finds()

    def test_signed_modules_run(self):
        self.facts.signed_only = True
        self.finds()

    def test_rdma_core_replaced(self):
        self.facts.rdma_core = "extra/mlnx-ofa_kernel/drivers/infiniband/core/ib_core.ko"
        self.assertIn("dkms build --force", self.repairs("rdma-core-replaced")[0])
        self.facts.modules["rpcrdma"].rdma_headers = "/usr/src/ofa_kernel/default"
        self.finds()

    def test_rdma_core_replaced_without_dkms(self):
        self.facts.dkms = False
        self.facts.rdma_core = "extra/mlnx-ofa_kernel/drivers/infiniband/core/ib_core.ko"
        self.assertIn("kmod-rpcrdma", self.repairs("rdma-core-replaced")[0])

    def test_rdma_core_no_longer_replaced(self):
        self.facts.modules["rpcrdma"].rdma_headers = "/usr/src/ofa_kernel/default"
        self.assertIn("built for /usr/src/ofa_kernel/default", self.finds("rdma-core-replaced")[0].text)

    def test_module_intree(self):
        del self.facts.settings["rpcrdma.probe_seconds"]
        self.facts.mounts = [Mount("/mnt/a b", "192.168.77.2", 20049, "srv:/data", "rw,vers=4.2,proto=rdma"),
                             Mount("/mnt/a b/c", "192.168.77.3", 20049, "other:/", "ro,vers=3,proto=rdma")]
        self.assertEqual(self.repairs("module-intree"),
                         ["umount '/mnt/a b/c'", "umount '/mnt/a b'", "systemctl stop nfs-server",
                          "rmmod rpcrdma", "modprobe rpcrdma", "systemctl start nfs-server",
                          "mount -t nfs -o rw,vers=4.2,proto=rdma srv:/data '/mnt/a b'",
                          "mount -t nfs -o ro,vers=3,proto=rdma other:/ '/mnt/a b/c'"])

    def test_module_intree_and_ours_not_installed(self):
        del self.facts.settings["rpcrdma.probe_seconds"]
        for one in self.facts.modules.values():
            one.file, one.file_ours = f"kernel/net/sunrpc/xprtrdma/{one.name}.ko", False
        self.assertIn("dkms", self.repairs("module-intree")[0])

    def test_kernel_that_is_not_supported(self):
        del self.facts.settings["rpcrdma.probe_seconds"]
        for release, found in (("5.14.0-503.el9", True), ("6.8.0-45-generic", False), ("6.1.0-31-amd64", False),
                               ("7.4.0", True), ("7.30.1", True)):
            self.facts.release = release
            for one in self.facts.modules.values():
                one.file, one.file_ours = f"kernel/net/sunrpc/xprtrdma/{one.name}.ko", False
            with self.subTest(release=release):
                self.assertEqual([one.name == "kernel-unsupported" for one in findings_modules.modules(self.facts)],
                                 [found])

    def test_kernel_that_is_not_supported_but_built_for(self):
        self.facts.release = "7.4.0-1-amd64"
        self.assertEqual(findings_modules.modules(self.facts), [])

    def test_series_of_the_package(self):
        with open("../package/dkms.conf.in", encoding="utf-8") as file:
            wanted = re.search(r'^BUILD_EXCLUSIVE_KERNEL="(.*)"', file.read(), re.M)[1]
        for series in ((major, minor) for major in (5, 6, 7, 8) for minor in range(20)):
            release = findings_modules.dotted(series) + ".1-test"
            with self.subTest(release=release):
                self.assertEqual(findings_modules.is_built_for(release), bool(re.search(wanted, release)))
        with open("../package/install/kernel.sh", encoding="utf-8") as file:
            tested = re.search(r'^TESTED="(.*)"', file.read(), re.M)[1].split()
        self.assertEqual([tested[0], tested[-1]],
                         [findings_modules.dotted(one) for one in (findings_modules.OLDEST, findings_modules.NEWEST)])

    def test_package_for_another_kernel(self):
        for one in self.facts.modules.values():
            one.file_ours = False
        self.facts.other_releases = ["6.1.0-1"]
        self.assertIn("6.1.0-1", self.finds("package-stale")[0].text)

    def test_modules_for_another_kernel_without_dkms(self):
        self.facts.dkms = False
        self.test_package_for_another_kernel()
        self.assertIn("make install", self.repairs("package-stale")[0])

    def test_package_newer_than_what_runs(self):
        self.facts.modules["svcrdma"].file_srcversion = "BB"
        self.assertIn("rmmod svcrdma xprtrdma rpcrdma", self.repairs("package-stale"))

    def test_release_that_differs_in_headers_only(self):
        self.facts.modules["svcrdma"].file_version = "0.2.0"
        self.assertIn("svcrdma is loaded", self.finds("package-stale")[0].text)

    def test_no_device(self):
        self.facts.ports = []
        self.assertIn("netdev eth0", self.repairs("device-missing")[0])

    def test_link_down(self):
        self.facts.ports = [rxe(state="DOWN", gids=[])]
        self.facts.netdevs["eth0"].up = self.facts.netdevs["eth0"].enabled = False
        self.assertEqual(self.repairs("link-down"), ["ip link set eth0 up"])

    def test_link_without_carrier(self):
        self.facts.ports = [rxe(state="DOWN", gids=[])]
        self.facts.netdevs["eth0"].up = False
        self.assertIn("look at the cable", self.repairs("link-down")[0])

    def test_no_subnet_manager(self):
        self.facts.ports = [Port("mlx5_0", 1, "InfiniBand", "INIT", netdevs=["eth0"])]
        self.facts.netdevs["eth0"].up = False
        self.assertIn("opensm", self.repairs("link-down")[0])

    def test_no_device_and_a_bridge(self):
        self.facts.ports = []
        self.facts.netdevs["br0"] = Netdev("br0", True, 1500, ["10.0.0.1"])
        self.facts.netdevs["dead0"] = Netdev("dead0", False, 1500, ["10.0.1.1"], hardware=True)
        self.facts.netdevs["eth0"].hardware = True
        self.assertIn("netdev eth0", self.repairs("device-missing")[0])

    def test_fault_beside_the_way_explains_nothing(self):
        self.facts.ports.append(rxe(device="rxe1", state="DOWN", gids=[], netdevs=["eth1"]))
        self.facts.netdevs["eth1"] = Netdev("eth1", False, 1500, ["10.0.0.1"])
        self.attempt("silent", alive=False)
        self.finds("link-down", "server-unreachable")

    def test_fault_on_the_way_explains(self):
        self.facts.ports = [rxe(state="DOWN", gids=[])]
        self.facts.netdevs["eth0"].up = False
        self.attempt("silent", alive=False)
        self.finds("link-down")

    def test_stuck(self):
        self.facts.ports[0].stuck = True
        self.attempt("silent", alive=True)
        self.assertEqual(self.repairs("device-stuck"),
                         ["rdma link delete rxe0", "rdma link add rxe0 type rxe netdev eth0"])

    def test_second_port_without_cable_is_healthy(self):
        self.facts.ports.append(Port("mlx5_1", 1, "InfiniBand", "DOWN"))
        self.finds()

    def test_no_address(self):
        self.facts.netdevs["eth0"].addresses = ["fe80::1"]
        self.facts.ports[0].gids = []
        self.finds("address-not-rdma")

    def test_address_without_gid(self):
        self.facts.netdevs["eth0"].addresses.append("192.168.77.5")
        self.assertIn("192.168.77.5", self.finds("gid-missing")[0].text)

    def test_gid_of_the_wrong_kind(self):
        self.facts.ports[0].gids[1].kind = "IB/RoCE v1"
        self.finds("gid-missing")

    def test_other_network(self):
        self.facts.netdevs["eth1"] = Netdev("eth1", True, 1500, ["10.0.0.1"])
        self.facts.attempts = [Attempt("10.0.0.2", 20049, "no-device", "", "10.0.0.1", "eth1")]
        self.assertIn("eth1", self.finds("address-not-rdma")[0].text)

    def test_listener_absent(self):
        self.facts.nfsd.listeners = [("tcp", 2049)]
        self.assertEqual(self.repairs("listener-absent"), ['echo "rdma 20049" > /proc/fs/nfsd/portlist'])

    def test_server_stopped(self):
        self.facts.nfsd.threads, self.facts.nfsd.listeners = 0, []
        self.assertEqual(self.repairs("listener-absent"), ["systemctl start nfs-server"])

    def test_client_with_the_package(self):
        self.facts.nfsd = Nfsd(0, [], 20049, False)
        self.finds()

    def test_listener_elsewhere(self):
        self.facts.nfsd.listeners = [("rdma", 20050)]
        self.finds("listener-port")
        self.facts.nfsd.wanted_port = 0
        self.finds("listener-port")
        self.facts.nfsd.wanted_port = 20050
        self.finds()

    def test_port_blocked_here(self):
        chain = firewall.Chain("nft", ("ip", "ip6"), "inet filter", "input", "input", firewall.DROP)
        self.facts.chains = [chain]
        self.attempt("silent", alive=True)
        self.assertEqual(self.repairs("port-blocked"),
                         ["nft insert rule inet filter input udp dport 4791 accept"])
        self.facts.ports = [siw()]
        self.facts.attempts = []
        self.assertEqual(self.repairs("port-blocked"),
                         ["nft insert rule inet filter input tcp dport 20049 accept"])

    def test_port_blocked_on_the_way_out(self):
        self.facts.chains = [firewall.Chain("nft", ("ip",), "inet filter", "out", "output", firewall.DROP)]
        self.assertEqual(self.repairs("port-blocked"),
                         ["nft insert rule inet filter out udp dport 4791 accept"])
        self.facts.ports = [siw()]
        self.finds()        # a server answers what has come in
        self.facts.mounts = [Mount("/mnt", "192.168.77.2", 20049)]
        self.assertEqual(self.repairs("port-blocked"),
                         ["nft insert rule inet filter out tcp dport 20049 accept"])

    def test_hardware_does_not_ask_the_firewall(self):
        self.facts.chains = [firewall.Chain("nft", ("ip",), "inet filter", "input", "input", firewall.DROP)]
        self.facts.ports = [rxe(software=False)]
        self.finds()

    def test_servers(self):
        for outcome, alive, name in (("absent", True, "listener-absent"), ("refused", True, "connection-refused"),
                                     ("silent", True, "port-blocked"), ("silent", False, "server-unreachable"),
                                     ("no-route", False, "server-unreachable")):
            with self.subTest(outcome=outcome, alive=alive):
                self.attempt(outcome, alive=alive)
                self.finds(name)
        self.attempt("listening", alive=True)
        self.finds()

    def test_mtu(self):
        self.attempt("silent", alive=True, peer_mtu=1500)
        self.assertIn("ip link set eth0 mtu 1500", self.repairs("mtu-mismatch"))
        self.attempt("listening", alive=True, large_lost=True)
        self.finds("mtu-mismatch")
        self.attempt("listening", alive=True, peer_mtu=9000)
        self.finds()

    def test_mtu_that_makes_no_difference(self):
        self.attempt("listening", alive=True, peer_mtu=4200)    # 4096 bytes of payload, as with 9000
        self.finds()
        self.facts.ports = [rxe(kind="iWARP")]
        self.attempt("listening", alive=True, peer_mtu=1500)
        self.finds()

    def test_mtu_hides_no_other_fault(self):
        self.attempt("absent", alive=True, peer_mtu=1500)
        self.finds("mtu-mismatch", "listener-absent")

    def test_fell_back(self):
        self.facts.connections[0].counters["version_fallbacks"] = 1
        self.finds("version-mismatch")
        self.facts.connections[0].values["version"] = "2"
        self.finds()

    def test_no_version_in_common(self):
        self.facts.log = ["xprtrdma: 192.168.77.2:20049: no protocol version in common"]
        self.finds()        # an established connection makes it history
        self.facts.connections = []
        self.assertIn("192.168.77.2:20049: no", self.finds("version-mismatch")[0].text)

    def test_version_in_common_since_then(self):
        self.facts.connections = []
        connected = "rpcrdma: 192.168.77.2:20049: connected, this end is the client, through rxe0 port 1"
        failed = "xprtrdma: 192.168.77.2:20049: no protocol version in common"
        self.facts.log = [connected, failed]
        self.finds("version-mismatch")
        self.facts.log = [connected, failed, connected]
        self.finds()
        self.facts.log = [connected, failed, connected.replace("77.2", "77.3")]
        self.finds("version-mismatch")

    def test_rpcs_refused(self):
        self.facts.connections = []
        self.facts.log = ["xprtrdma: 192.168.77.2:20049: XID c4351e99: the server supports versions 2 to 2 only"]
        self.finds("version-mismatch")

    def test_asked_for_another_version(self):
        self.facts.connections = [connection("server")]
        self.facts.connections[0].refusals["vers"] = 1
        self.assertIn("this server takes version 1 only", self.finds("version-mismatch")[0].text)
        self.facts.settings["svcrdma.versions"] = "2"
        self.assertIn("the client uses version 1", self.finds("version-mismatch")[0].text)
        self.facts.settings["svcrdma.versions"] = "both"
        self.finds()

    def test_only_the_server_takes_version_2(self):
        self.facts.connections = [connection("server")]
        self.assertEqual(remarks(self.facts), [])
        self.facts.settings["svcrdma.versions"] = "both"
        self.finds()
        self.assertIn("1 of its clients use version 1", remarks(self.facts)[0])
        self.facts.connections = [connection("server", version="2")]
        self.assertEqual(remarks(self.facts), [])

    def test_threshold(self):
        self.facts.connections = [connection(inline_send="4096", inline_receive="4096")]
        self.assertIn("echo 8192 > /proc/sys/sunrpc/svc_rdma/max_req_size",
                      self.repairs("threshold-mismatch"))
        self.facts.connections = [connection("server", inline_send="4096")]
        self.assertIn("echo 8192 > /proc/sys/sunrpc/rdma_max_inline_read",
                      self.repairs("threshold-mismatch"))

    def test_paths(self):
        self.facts.connections = [connection(path_address="10.0.0.1", peer_address="10.0.0.1")]
        self.finds()
        self.facts.connections = [connection(path_address="10.0.1.1", peer_address="10.0.0.1")]
        self.assertIn("rpcrdmactl doctor -p 20049 10.0.0.1", self.repairs("path-failed"))
        self.assertIn("connected to 10.0.1.1", self.finds("path-failed")[0].text)

    def test_credits(self):
        self.facts.connections = [connection(credits_granted="4")]
        self.finds()        # no RPC waits
        self.facts.credit_waits = {"client-1": 12}
        self.assertIn("echo 128 > /proc/sys/sunrpc/svc_rdma/max_requests", self.repairs("credits-starved"))
        self.facts.more_credits = {"client-1"}
        self.finds()        # the server grants more as they are used
        self.facts.more_credits = set()
        self.facts.credit_waits = {}
        self.facts.connections = [connection(credits_granted="4", credits_used="4", requests_waiting="9")]
        self.assertIn("9 RPCs", self.finds("credits-starved")[0].text)
        self.facts.connections = [connection(credits_granted="4", credits_used="2", requests_waiting="9")]
        self.finds()        # they wait for something else
        self.facts.credit_waits = {"client-1": 12}
        self.facts.connections = [connection(credits_granted="64")]
        self.finds()        # half of what is asked for: as both ends do by default

    def test_replies(self):
        self.facts.connections = [connection()]
        self.facts.connections[0].counters["replies_inexact"] = 3
        self.assertIn("3 Replies", self.finds("replies-inexact")[0].text)
        self.facts.connections[0].refusals = {"reply_chunks": 2, "reply_form": 1, "unknown_xid": 5}
        found = self.finds("replies-refused")[0]
        self.assertIn("3 Replies", found.text)
        self.assertEqual(found.severity, "error")
        self.facts.connections = [connection("server")]
        self.facts.connections[0].refusals = {"unknown_xid": 5}
        self.finds()

    def test_what_is_printed(self):
        self.facts.ports = []
        found = findings(self.facts)
        text = list(doctor.lines(found, ["a note"]))
        self.assertTrue(text[0].startswith("ERROR device-missing: "))
        self.assertIn("note: a note", text)
        self.assertEqual(text[-1], "1 error")
        self.assertEqual(doctor.data(found, [])["findings"][0]["repair"][0]["on"], "this machine")

    def test_many_connections_are_not_all_printed(self):
        self.facts.connections = [connection("server") for _ in range(1000)]
        for number, one in enumerate(self.facts.connections):
            one.name, one.refusals = f"server-{number}", {"vers": 1}
        found = findings(self.facts)
        text = list(doctor.lines(found, []))
        self.assertEqual(len(found), 1000)
        self.assertLess(len(text), 30)
        self.assertIn("note: 995 more findings are version-mismatch: rpcrdmactl doctor --json tells all", text)

    def test_what_the_next_boot_undoes(self):
        lost = "note: what echo, ip, rdma or the firewall's program sets is lost at the next boot"
        for text, noted in (("ip link set eth0 up", True), ("systemctl start nfs-server", False),
                            ("echo 1 > /sys/kernel/rpcrdma/connections/client-1-rdma/disconnect", False)):
            finding = Finding("some", WARNING, "text", here(text))
            self.assertEqual(lost in doctor.lines([finding], []), noted, text)


if __name__ == "__main__":
    unittest.main()
