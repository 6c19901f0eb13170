# SPDX-License-Identifier: GPL-2.0-only

import json
import unittest
from unittest import mock

from rpcrdma_ctl import totals
from rpcrdma_ctl.views import Connection

SERVER = ("server", "10.1.0.1:20049")


def connection(name="server-1", sends=0, peer="10.0.0.1", source="10.1.0.1", **more):
    side = name.partition("-")[0]
    return Connection(name, {"side": side, "state": "established", "peer_address": peer, "peer_port": "20049",
                             "source_address": source, "source_port": "20049" if source else ""},
                      {"sends": sends, "connects": 1, "closes": 0, **more}, {"vers": sends},
                      {"registration": [sends, 0, 1]})


class Totals(unittest.TestCase):
    def setUp(self):
        self.totals = totals.Totals()

    def update(self, *connections):
        return self.totals.update(list(connections))

    def test_what_a_connection_has_counted_stays(self):
        self.update(connection("server-1", 100), connection("server-2", 10))
        sum_ = self.update(connection("server-2", 15))[SERVER]
        self.assertEqual(sum_.counters["sends"], 115)
        self.assertEqual(sum_.refusals["vers"], 115)
        self.assertEqual(sum_.latency["registration"], [115, 0, 2])
        self.assertEqual(sum_.states, {"established": 1})
        self.assertEqual(self.update()[SERVER].counters["sends"], 115)
        self.assertEqual(self.update(connection("server-3", 1))[SERVER].counters["sends"], 116)

    def test_a_connection_that_could_not_be_read_counts_once(self):
        self.update(connection("server-1", 100))
        self.assertEqual(self.totals.update([], ["server-1"])[SERVER].counters["sends"], 100)
        self.assertEqual(self.update(connection("server-1", 120))[SERVER].counters["sends"], 120)
        self.assertEqual(self.update()[SERVER].counters["sends"], 120)

    def test_a_connection_that_is_gone_was_closed(self):
        self.update(connection("server-1"), connection("client-2", connects=5, closes=4))
        gone = self.update()
        self.assertEqual(gone[SERVER].counters["closes"], 1)
        self.assertEqual(gone[("client", "10.0.0.1:20049")].counters["closes"], 5)

    def test_the_module_was_loaded_again(self):
        """The names begin again: a counter is smaller, or the peer is another one."""
        self.update(connection("server-1", 100))
        self.assertEqual(self.update(connection("server-1", 7))[SERVER].counters["sends"], 107)
        self.assertEqual(self.update(connection("server-1", 200, "10.0.0.9"))[SERVER].counters["sends"], 307)

    def test_a_server_side_whose_address_is_not_known(self):
        self.assertEqual(self.update(connection("server-1", 5, source="")), {})
        self.update(connection("server-1", 6))
        closing = self.update(connection("server-1", 7, source=""))
        self.assertEqual({group: sum_.counters["sends"] for group, sum_ in closing.items()}, {SERVER: 7})

    def test_the_number_of_groups_is_bounded(self):
        for number in range(300):
            found = self.update(connection(f"client-{number}", 1, f"10.0.{number // 250}.{number % 250}"))
        self.assertEqual(len(found), totals.GROUPS + 1)
        self.assertEqual(found[("client", "other")].counters["sends"], 200)
        self.assertEqual(sum(sum_.counters["sends"] for sum_ in found.values()), 300)

    def test_a_group_that_is_shown_stays(self):
        for number in range(totals.GROUPS):
            self.update(connection(f"client-{number}", 1, f"10.0.0.{number}"))
        found = self.update(connection("client-7", 5, "10.0.0.7"))
        self.assertEqual(found[("client", "10.0.0.7:20049")].counters["sends"], 6)

    def test_from_now(self):
        """After a restart of the exporter, what was counted before does not count again."""
        self.totals = totals.Totals(from_now=True)
        first = self.update(connection("server-1", 100), connection("server-2", 10))[SERVER]
        self.assertEqual((first.counters["sends"], first.refusals["vers"], first.latency["registration"]),
                         (0, 0, [0, 0, 0]))
        self.assertEqual(first.states, {"established": 2})
        self.update(connection("server-1", 130), connection("server-2", 10), connection("server-3", 5))
        sum_ = self.update(connection("server-3", 6))[SERVER]
        self.assertEqual((sum_.counters["sends"], sum_.counters["closes"]), (36, 2))

    def test_from_now_with_what_could_not_be_counted_at_first(self):
        """It has a past all the same: it could not be read, or its own address was not known yet."""
        self.totals = totals.Totals(from_now=True)
        self.totals.update([connection("server-1", 100), connection("server-3", 300, source="")], ["server-2"])
        self.totals.update([connection("server-1", 101), connection("server-3", 301, source="")], ["server-2"])
        found = self.update(connection("server-1", 102), connection("server-2", 200), connection("server-3", 304))
        sum_ = found[SERVER]
        self.assertEqual((sum_.counters["sends"], sum_.refusals["vers"], sum_.latency["registration"]),
                         (2 + 0 + 4, 6, [6, 0, 0]))
        found = self.update(connection("server-2", 210), connection("server-3", 304), connection("server-4", 1000))
        self.assertEqual(found[SERVER].counters["sends"], 2 + 10 + 4 + 1000)

    def test_a_new_connection_has_no_past(self):
        self.totals = totals.Totals(from_now=True)
        self.totals.update([connection("server-1", 100, source="")])
        self.update()
        self.assertEqual(self.update(connection("server-1", 7))[SERVER].counters["sends"], 7)

    def test_what_is_the_same_object_is_not_summed_again(self):
        one = connection("server-1", 100)
        self.update(one)
        with mock.patch.object(totals, "add_buckets", mock.Mock(wraps=totals.add_buckets)) as summed:
            self.assertEqual(self.update(one)[SERVER].latency["registration"], [100, 0, 1])
        self.assertEqual(summed.call_count, 2)      # the sums of those that are gone, and of those that are there

    def test_data(self):
        self.update(connection("server-1", 100), connection("server-2", 10))
        self.update(connection("server-2", 10))
        again = totals.Totals.from_data(json.loads(json.dumps(self.totals.data())))
        self.assertEqual(again.data(), self.totals.data())
        self.assertEqual(again.update([])[SERVER].counters["sends"], 110)


if __name__ == "__main__":
    unittest.main()
