# SPDX-License-Identifier: GPL-2.0-only
"""rpcrdmactl exporter: serves the metrics over HTTP.

Each scrape asks for a new reading, and waits for it up to PATIENCE. With many connections
a reading takes longer than a scrape should: if the last one took more than PATIENCE, a scrape
does not wait, and gets the reading that the one before has asked for. Rates are the same, and
rpcrdma_sample_timestamp_seconds has its time. After OLD seconds without a scrape it waits for
the new one.
"""

import http.server
import socket
import socketserver
import sys
import threading
import time

from . import metrics, openmetrics, sample, views
from .failure import Failure
from .totals import Totals

PATIENCE, OLD, LONGEST = 0.02, 90, 10     # seconds
REQUESTS = 16       # at once
CLIENT_SECONDS = 10
PAGE = b"rpcrdmactl exporter: the metrics are at /metrics\n"


class Reading:
    """Metrics of one time, as texts. The exporter renders them in its own thread, too."""

    def __init__(self, families):
        self.families, self.texts = families, {}
        self.when = time.monotonic()
        self.took = 0               # seconds, with the texts that were asked for

    def text(self, form):
        if form not in self.texts:
            self.texts[form] = openmetrics.render(self.families, form).encode()
        return self.texts[form]


class Sampler:
    """Reads in a thread of its own, when asked."""

    def __init__(self, read):
        self.read = read            # returns a Reading
        self.changed = threading.Condition()
        self.asked = self.done = 0
        self.latest = self.error = None
        self.forms = set()          # that were asked for
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.asked > self.done)
                number, forms = self.asked, list(self.forms)
            reading, error = self.attempt(forms)
            with self.changed:
                self.latest, self.error, self.done = reading or self.latest, error, number
                self.changed.notify_all()

    def attempt(self, forms):
        begin = time.monotonic()
        try:
            reading = self.read()
            for form in forms:
                reading.text(form)
            reading.took = time.monotonic() - begin
            return reading, None
        except Exception as error:      # whatever it is, the next scrape may be luckier
            print(f"rpcrdmactl: metrics cannot be read: {error}", file=sys.stderr, flush=True)
            return None, error

    def fresh(self):
        return self.latest and time.monotonic() - self.latest.when < OLD

    def patience(self):
        """How long to wait for a new reading, seconds"""
        if not self.fresh():
            return LONGEST
        return PATIENCE if self.latest.took < PATIENCE else 0

    def get(self, form):
        """The text of the newest reading that can be had in time"""
        with self.changed:
            self.asked += 1
            number = self.asked
            self.forms.add(form)
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.done >= number, self.patience())
            if self.error or not self.fresh():
                raise Failure(f"metrics cannot be read: {self.error or 'it takes too long'}")
            reading = self.latest
        return reading.text(form)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "rpcrdmactl", ""
    timeout = CLIENT_SECONDS
    disable_nagle_algorithm = True

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/metrics":
            self.metrics()
        elif path == "/":
            self.answer(200, "text/plain; charset=utf-8", PAGE)
        else:
            self.answer(404, "text/plain; charset=utf-8", PAGE)

    do_HEAD = do_GET

    def metrics(self):
        wanted = "application/openmetrics-text" in self.headers.get("Accept", "")
        form = openmetrics.OPENMETRICS if wanted else openmetrics.PROMETHEUS
        try:
            self.answer(200, openmetrics.CONTENT_TYPES[form], self.server.sampler.get(form))
        except Failure as failure:
            self.answer(500, "text/plain; charset=utf-8", f"{failure}\n".encode())

    def answer(self, status, kind, content):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_):      # no line for each scrape
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address, sampler):
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self.sampler = sampler
        self.free = threading.BoundedSemaphore(REQUESTS)
        super().__init__(address, Handler)

    def server_bind(self):
        """Without asking a name server for the own name"""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]

    def process_request(self, request, client_address):
        """Beyond REQUESTS connections, new ones are closed."""
        if not self.free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:        # no thread for it
            self.free.release()
            raise

    def process_request_thread(self, request, client_address):
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.free.release()

    def handle_error(self, request, client_address):
        """A client that has gone is no error of this program."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def serve(options):
    readings = sample.Readings(Totals(from_now=True), options.each, options.findings)
    sampler = Sampler(lambda: Reading(metrics.families(readings.take())))
    address, port = options.listen
    try:
        server = Server((address, port), sampler)
    except (OSError, OverflowError) as error:
        raise Failure(f"cannot listen at {address} port {port}: {error}") from error
    with server:
        print(f"rpcrdmactl: metrics are at http://{views.endpoint(*server.server_address[:2])}/metrics", flush=True)
        server.serve_forever()
    return 0
