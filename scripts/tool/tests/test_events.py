# SPDX-License-Identifier: GPL-2.0-only

import unittest

from rpcrdma_ctl import events

PLACE = "cp-97 [000] ....."
CALL = "conn=7 xid=0xabcd0001"
READ = [
    f"{PLACE} 10.000100: xprtrdma_register: {CALL} handle=0x51 length=65536 pages=16 dir=write",
    f"{PLACE} 10.000140: xprtrdma_marshal: {CALL} type=msg reads=0 writes=1 reply=0 mrs=1 status=0",
    f"{PLACE} 10.000150: rpcrdma_post: conn=7 cid=12 xid=0xabcd0001 wrs=2 signaled=1 status=0",
    f"kworker/0:1H-9 [000] ..... 10.000900: rpcrdma_receive: {CALL} length=120 handle=0x51",
    f"kworker/0:1H-9 [000] ..... 10.000950: xprtrdma_reply: {CALL} type=msg credits=64 length=120",
    f"kworker/0:1H-9 [000] ..... 10.001000: xprtrdma_complete: {CALL} length=65660 error=0",
    f"{PLACE} 10.001100: rpc_stats_latency: task:00000004@00000002 xid=0xabcd0001 nfsv4 READ backlog=3 "
    "rtt=850 execute=990 xprt_id=1"]


class Events(unittest.TestCase):
    def decode(self, lines, *arguments):
        decoder, rpcs = events.Decoder(*arguments), []
        for line in lines:
            rpcs += decoder.feed(line)
        return decoder, rpcs

    def test_line(self):
        event = events.parse(READ[0])
        self.assertEqual((event.name, event.xid, event.number("pages")), ("xprtrdma_register", 0xabcd0001, 16))
        self.assertAlmostEqual(event.when, 10.0001)
        self.assertIsNone(events.parse("# tracer: nop"))
        self.assertIsNone(events.parse(""))

    def test_read(self):
        _, rpcs = self.decode(READ)
        self.assertEqual(len(rpcs), 1)
        data = rpcs[0].data()
        self.assertEqual((data["operation"], data["xid"], data["call"]), ("READ", "abcd0001", "msg"))
        self.assertEqual((data["write_chunks"], data["mrs"], data["reply_bytes"]), (1, 1, 65660))
        self.assertEqual({key: value and round(value) for key, value in data["microseconds"].items()},
                         {"credit_wait": None, "prepare": 50, "wire": 800, "end": 50})
        self.assertEqual(data["result"], "ok")
        text = events.lines(rpcs)
        for word in ("abcd0001", "READ", "1W", "65660", "800"):
            self.assertIn(word, text[1])
        self.assertEqual(len(events.lines(rpcs, with_events=True)), 2 + 6)

    def test_other_connections_are_left_out(self):
        self.assertEqual(self.decode(READ, [8])[1], [])
        self.assertEqual(len(self.decode(READ, [7])[1]), 1)

    def test_a_new_connection_of_the_same_peer(self):
        line = " x-1 [000] ..... 9.000000: rpcrdma_established: conn=7 side=client source=192.168.77.2:800 " \
               "peer=192.168.77.1:20049 device=rxe0 port=1"
        self.assertEqual(len(self.decode([line, *READ], [3], [], ["192.168.77.1:20049"])[1]), 1)
        self.assertEqual(self.decode([line, *READ], [3], [], ["192.168.77.9:20049"])[1], [])

    def test_what_belongs_to_no_rpc(self):
        late = "kworker/0:1H-9 [000] ..... 10.100000: rpcrdma_done: conn=7 cid=12 xid=0xabcd0001 by=13 status=0 ns=0"
        server = [line.replace("conn=7", "conn=8") for line in READ if "rpcrdma_" in line]
        decoder, rpcs = self.decode([*server, *READ, late])
        self.assertEqual(len(rpcs), 1)
        self.assertEqual(decoder.rest(), [])

    def test_unfinished(self):
        decoder, rpcs = self.decode(READ[:3])
        self.assertEqual(rpcs, [])
        self.assertEqual(decoder.rest()[0].result(), "unfinished")

    def test_without_operation(self):
        decoder, rpcs = self.decode(READ[:6])
        self.assertEqual(rpcs, [])
        self.assertEqual(decoder.rest()[0].result(), "ok")

    def test_error_and_retransmission(self):
        failed = [line.replace("error=0", "error=-5") for line in READ]
        self.assertEqual(self.decode(failed)[1][0].result(), "error -5")
        self.assertEqual(self.decode(READ[1:3] + READ)[1][0].result(), "ok, sent 2 times")

    def test_credit_wait(self):
        waited = " cp-97 [000] ..... 10.000050: xprtrdma_credit_go: xprt=1 xid=0xabcd0001 ns=42000"
        _, rpcs = self.decode([waited, *READ])
        self.assertEqual(rpcs[0].steps()["credit_wait"], 42)

    def test_lost(self):
        self.assertEqual(self.decode(["CPU:0 [LOST 17 EVENTS]"])[0].lost, 17)

    def test_nothing(self):
        self.assertEqual(events.lines([]), ["no RPC was seen"])


if __name__ == "__main__":
    unittest.main()
