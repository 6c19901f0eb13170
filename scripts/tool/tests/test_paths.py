# SPDX-License-Identifier: GPL-2.0-only

import os
import shutil
import tempfile
import unittest
from unittest import mock

from rpcrdma_ctl import parse, paths
from rpcrdma_ctl.failure import Failure
from rpcrdma_ctl.views import Connection


def connection(number, side="client", calls=0, **values):
    known = {"side": side, "sunrpc_xprt": str(number), "peer_address": f"10.0.{number}.1", "peer_port": "20049",
             "state": "established", "path_address": f"10.0.{number}.1", "device": "mlx5_0", "device_port": "1"}
    return Connection(f"{side}-{number}", {**known, **values}, {"calls_inline": calls, "calls_long": 1})


class Path(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        self.transport(1, info="main_xprt=1")
        self.transport(2, state="state= CONNECTED  BOUND  OFFLINE ")
        self.transport(3, switch="switch-10")

    def transport(self, number, switch="switch-4", state="state= CONNECTED BOUND ", info="main_xprt=0"):
        directory = os.path.join(self.root, switch, f"xprt-{number}-rdma")
        os.makedirs(directory)
        for name, text in (("xprt_state", state), ("xprt_info", f"cur_cong=0\n{info}\nsrc_port=0\n")):
            with open(os.path.join(directory, name), "w", encoding="ascii") as file:
                file.write(text)

    def paths(self, *connections):
        return paths.of_clients(connections or (connection(3), connection(2, calls=299), connection(1, calls=99),
                                          connection(9, "server")), self.root)

    def state(self, number):
        with open(os.path.join(self.root, "switch-4", f"xprt-{number}-rdma", "xprt_state"), encoding="ascii") as file:
            return file.read()

    def test_rows(self):
        lines = paths.lines(self.paths(), [])
        self.assertEqual([line.split()[0] for line in lines], ["NAME", "client-2", "client-1", "client-3"])
        self.assertIn("drained", lines[1])
        self.assertIn("75%", lines[1])
        self.assertRegex(lines[2], r"main +100 +25%")
        self.assertRegex(lines[3], r"- +1 +100%")

    def test_mounts_of_a_group(self):
        known = parse.mounts("a:/ /mnt/a nfs4 rw,proto=rdma,port=20049,addr=10.0.1.1 0 0\n"
                             "c:/ /mnt/c nfs4 rw,proto=rdma,port=20049,addr=10.0.3.1 0 0\n")
        found = paths.data(self.paths(), known)["paths"]
        self.assertEqual([one["mounts"] for one in found], [["/mnt/a"], ["/mnt/a"], ["/mnt/c"]])

    def test_away(self):
        for address, over in (("10.0.2.1", "-"), ("", "-"), ("10.0.9.9", "10.0.9.9")):
            found = self.paths(connection(2, path_address=address))
            self.assertEqual(paths.row(found[0], found, [])[3], over)

    def test_data(self):
        one = paths.data(self.paths(), [])["paths"][0]
        self.assertEqual((one["name"], one["switch"], one["drained"], one["main"], one["away"], one["rpcs"]),
                         ("client-2", "switch-4", True, False, False, 300))

    def test_what_is_written(self):
        for action, last in (("drain", "offline"), ("resume", "online"), ("remove", "remove")):
            self.assertIn("client-2", paths.act(action, "client-2", self.paths()))
            self.assertEqual(self.state(2), last)

    def test_refusals(self):
        for name, text in (("client-1", "first transport"), ("server-9", "no connection"),
                           ("client-7", "no connection")):
            with self.assertRaisesRegex(Failure, text):
                paths.act("drain", name, self.paths())
        with self.assertRaisesRegex(Failure, "sunrpc does not show"):
            paths.act("drain", "client-8", self.paths(connection(8)))

    def test_add(self):
        with self.assertRaisesRegex(Failure, "max_connect="):
            paths.add("client-2", "10.0.5.1", self.paths())
        group = os.path.join(self.root, "switch-4")

        def sunrpc(file, word):
            written.append((os.path.relpath(file, group), word))
            if file.endswith("add_xprt"):
                self.transport(7)
        written = []
        with open(os.path.join(group, "add_xprt"), "w", encoding="ascii"), \
                mock.patch.object(paths, "write", sunrpc):
            self.assertIn("10.0.5.1", paths.add("client-2", "10.0.5.1", self.paths()))
        self.assertEqual(written, [("add_xprt", "1"), ("xprt-7-rdma/dstaddr", "10.0.5.1")])

    def test_nothing(self):
        self.assertEqual(paths.lines([], []), ["no mount over RDMA has a transport"])


if __name__ == "__main__":
    unittest.main()
