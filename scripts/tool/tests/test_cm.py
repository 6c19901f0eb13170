# SPDX-License-Identifier: GPL-2.0-only

import errno
import socket
import threading
import unittest
from unittest import mock

from rpcrdma_ctl import cm


class Answers(unittest.TestCase):
    def test_cm(self):
        for event, outcome in ((None, "silent"), ((cm.UNREACHABLE, -110), "silent"),
                               ((cm.CONNECT_RESPONSE, 0), "listening"), ((cm.REJECTED, 8), "absent"),
                               ((cm.REJECTED, 28), "refused"), ((99, 0), "unknown")):
            with self.subTest(event=event):
                self.assertEqual(cm.answer(event)[0], outcome)

    def test_not_resolved(self):
        self.assertEqual(cm.not_resolved(errno.ENODEV)[0], "no-device")
        self.assertEqual(cm.not_resolved(errno.ENETUNREACH)[0], "no-route")

    def test_without_rdma_ucm(self):
        with mock.patch.object(cm, "DEVICE", "/nonexistent/rdma_cm"):
            outcome, detail = cm.attempt("192.168.77.1", 20049)
        self.assertEqual(outcome, "unknown")
        self.assertIn("modprobe rdma_ucm", detail)

    def test_mpa(self):
        words = cm.MPA_WORDS.pack
        for frame, outcome in ((cm.MPA_REPLY + words(0x0002, 0), "listening"),
                               (cm.MPA_REPLY + words(0x2002, 0), "refused"), (b"", "refused"),
                               (b"HTTP/1.1 400 Bad Request", "refused")):
            with self.subTest(frame=frame):
                self.assertEqual(cm.mpa_answer(frame)[0], outcome)

    def test_addresses(self):
        for address, length in (("192.168.77.1", 16), ("fd77::1", 28)):
            real, padded = cm.sockaddr(address, 20049)
            self.assertEqual((len(real), len(padded)), (length, 128))


class Tcp(unittest.TestCase):
    def answer(self, frame):
        """The result of attempt_tcp with a server that answers with a frame, and what it sent."""
        got = []
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def serve():
                peer, _ = listener.accept()
                with peer:
                    got.append(peer.recv(100))
                    peer.sendall(frame)
            thread = threading.Thread(target=serve)
            thread.start()
            outcome = cm.attempt_tcp("127.0.0.1", listener.getsockname()[1])
            thread.join()
        return outcome[0], got[0]

    def test_listening(self):
        outcome, request = self.answer(cm.MPA_REPLY + cm.MPA_WORDS.pack(0x0002, 0))
        self.assertEqual(outcome, "listening")
        self.assertEqual(request, b"MPA ID Req Frame\x10\x02\x00\x04\x00\x01\x00\x01")

    def test_closed(self):
        self.assertEqual(self.answer(b"")[0], "refused")

    def test_absent(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        self.assertEqual(cm.attempt_tcp("127.0.0.1", port)[0], "absent")


if __name__ == "__main__":
    unittest.main()
