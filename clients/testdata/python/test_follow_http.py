"""How the Python client follows a server: one that works, and those that do not."""

import logging
import os
import socket
import ssl
import threading
import time
import unittest
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import sample
import rubric_bundle
from rubric_bundle import InputError, IntegrityError

CA = os.path.join(os.environ["RELEASES"], "ca.pem")


class Server:
    """A real server. ``answer`` is called with each request; without it, it serves ``version`` with an ETag."""

    def __init__(self, test, secure=False):
        server = self
        self.version, self.answer, self.requests, self.served = "1.4.0", None, [], 0

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                server.requests.append((self.path, dict(self.headers)))
                try:
                    (server.answer or server.serve)(self)
                except (OSError, ssl.SSLError):
                    pass  # the client went away

            def log_message(self, *_):
                pass

        class Quiet(ThreadingHTTPServer):
            def handle_error(self, *_):
                pass

        self.http = Quiet(("127.0.0.1", 0), Handler)
        scheme = "http"
        if secure:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(os.path.join(os.environ["RELEASES"], "server.pem"))
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True, do_handshake_on_connect=False)
            scheme = "https"
        self.host = f"127.0.0.1:{self.http.server_port}"
        self.url = f"{scheme}://{self.host}/rubrics.zip"
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()
        test.addCleanup(self.http.server_close)
        test.addCleanup(self.http.shutdown)

    def serve(self, request):
        tag = f'"{self.version}"'
        if request.headers.get("If-None-Match") == tag:
            return self.send(request, 304, b"", ETag=tag)
        self.served += 1
        self.send(request, 200, sample.data(self.version), ETag=tag)

    def send(self, request, status, body, **headers):
        request.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)


class FollowHTTP(unittest.TestCase):
    def setUp(self):
        logging.getLogger("rubric_bundle").setLevel(logging.CRITICAL)
        for name in ("http_proxy", "https_proxy", "HTTPS_PROXY", "HTTP_PROXY"):
            os.environ.pop(name, None)
        self.constants = {name: getattr(rubric_bundle, name) for name in ("_MAX_FETCHED", "_FETCH_SECONDS", "_ANSWER_SECONDS")}
        self.addCleanup(lambda: vars(rubric_bundle).update(self.constants))

    def follow(self, address, **options):
        live = rubric_bundle.follow(address, **{"any_digest": True, "interval": 3600, **options})
        self.addCleanup(live.close)
        return live

    def refuses(self, live, text, error=OSError):
        with self.assertRaisesRegex(error, text):
            live.check()
        self.assertRegex(live.refused, text)
        self.assertEqual((live.current.version, live.get(sample.ID).version), ("1.4.0", "1.4.0"))

    def test_it_downloads_only_what_changed(self):
        for secure in (False, True):
            server = Server(self, secure)
            live = self.follow(server.url, **({"ca": CA} if secure else {}))
            for version, served in (("1.4.0", 1), ("1.5.0", 2), ("1.5.0", 2)):
                server.version = version
                live.check()
                self.assertEqual((live.current.version, server.served), (version, served))

    def test_a_server_without_tags_and_one_with_odd_ones(self):
        server = Server(self)
        for tag in ("", "no quotes", '"a"b"', 'W/"weak"'):
            server.answer = lambda request: server.send(request, 200, sample.data(server.version), ETag=tag)
            server.version = "1.4.0"
            live = self.follow(server.url)
            server.version = "1.5.0"
            live.check()
            self.assertEqual(live.current.version, "1.5.0")
            self.assertEqual(server.requests[-1][1].get("If-None-Match"), tag if tag.startswith("W/") else None)

    def test_the_tag_of_a_refused_bundle_is_not_kept(self):
        server = Server(self)
        live = self.follow(server.url)
        for version, ok in (("other-1.6.0", False), ("1.5.0", True)):
            server.answer = lambda request: server.send(request, 200, sample.data(version), ETag='"new"')
            if not ok:
                self.refuses(live, "does not continue", rubric_bundle.ContinuityError)
            self.assertEqual(server.requests[-1][1].get("If-None-Match", '"1.4.0"'), '"1.4.0"')
        live.check()
        self.assertEqual(live.current.version, "1.5.0")

    def test_certificates(self):
        server = Server(self, secure=True)
        with open(CA) as file:
            text = file.read()
        for ca in (CA, text, text.encode()):
            self.assertEqual(self.follow(server.url, ca=ca).current.version, "1.4.0")
        self.assertEqual(self.follow(server.url.replace("127.0.0.1", "localhost"), ca=CA).current.version, "1.4.0")
        with self.assertRaisesRegex(OSError, "certificate verify failed"):
            self.follow(server.url)
        self.assertEqual(len(server.requests), 4)
        for ca in ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "/no/such/file", 1, b"\xff"):
            with self.assertRaisesRegex(InputError, "certificates in PEM"):
                self.follow(server.url, ca=ca)

    def test_addresses_that_are_refused(self):
        for address in (
            "http://example.com/b.zip", "http://localhost.example.com/", "http://127.0.0.1.example.com/", "http://127.0.0.1@example.com/",
            "http://example.com\\@127.0.0.1/\n", "ftp://localhost/b.zip", "https://", "https:///b.zip", "https://user:hidden\n@example.com", "https://a b/",
            "https://example.com:port/", "https://b\u00fccher.example/", "oci://localhost/b", "http://0.0.0.0/", "http://[::2]/", "https://[::1/",
        ):
            with self.subTest(address), self.assertRaisesRegex(InputError, "must be a valid https address") as caught:
                self.follow(address)
            self.assertNotIn("hidden", str(caught.exception))

    def test_answers_that_are_refused(self):
        server = Server(self, secure=True)
        plain = Server(self)
        data = sample.data("1.5.0")

        def cut(request):
            request.send_response(200)
            request.send_header("Content-Length", str(len(data)))
            request.end_headers()
            request.wfile.write(data[:1000])
            request.close_connection = True

        def cut_chunks(request):
            request.send_response(200)
            request.send_header("Transfer-Encoding", "chunked")
            request.end_headers()
            request.wfile.write(b"%x\r\n" % len(data) + data[:1000])
            request.close_connection = True

        def huge(request):
            request.send_response(200)
            request.send_header("Content-Length", str((1 << 30) + 1))
            request.end_headers()

        def redirect(to):
            return lambda request: server.send(request, 302, b"", Location=to)

        def status(code, **headers):
            return lambda request: server.send(request, code, data, **headers)

        def garbage(request):
            request.wfile.write(b"220 mail.example.org\r\n")
            request.close_connection = True

        def many_headers(request):
            request.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 1000 + b"\r\n")

        for reason, answer, text in (
            ("cut", cut, "ends after 1000 of"), ("cut in a chunk", cut_chunks, "IncompleteRead"), ("declared too large", huge, "more than 1073741824 bytes"),
            ("an error", status(500), "answers 500"), ("a part", status(206), "answers 206"), ("no bundle", status(404), "answers 404"),
            ("unauthorized", status(401), "answers 401"), ("empty", lambda request: server.send(request, 200, b""), "0 bytes"),
            ("to http", redirect(plain.url), "from https to http"), ("to a file", redirect("file:///etc/passwd"), "from https to file"),
            ("to ftp", redirect("ftp://127.0.0.1/"), "from https to ftp"), ("to nothing", redirect(""), "more than 10 times"),
            ("to itself", redirect(server.url), "more than 10 times"), ("to a bad port", redirect("https://127.0.0.1:x/"), "redirects to an address"),
            ("another protocol", garbage, "220 mail"), ("too many headers", many_headers, "headers"),
        ):
            with self.subTest(reason):
                server.answer = None
                live = self.follow(server.url, ca=CA)
                server.answer = answer
                self.refuses(live, text, (OSError, rubric_bundle.FormatError))
                server.answer, server.version = None, "1.5.0"
                live.check()
                self.assertEqual((live.current.version, live.refused), ("1.5.0", ""))
                server.version = "1.4.0"
        self.assertEqual(plain.requests, [])

    def test_an_answer_without_a_length_is_limited_too(self):
        server = Server(self)
        live = self.follow(server.url)
        rubric_bundle._MAX_FETCHED = 100_000
        sent = []

        def endless(request):
            request.send_response(200)
            request.end_headers()
            while True:
                request.wfile.write(bytes(10_000))
                sent.append(10_000)

        server.answer = endless
        self.refuses(live, "more than 100000 bytes")
        self.assertLess(sum(sent), 50_000_000)

    def test_a_redirect_within_the_scheme_is_followed_without_credentials(self):
        secure = Server(self, secure=True), Server(self, secure=True)
        for first, second in ((Server(self), Server(self)), secure):
            first.answer = lambda request: first.send(request, 302, b"", Location=second.url.replace("/rubrics", "/a%20b/\u00e9?x=1&y=%2f#part"))
            ca = {"ca": CA} if first in secure else {}
            for options, name in (
                ({"token": "secret"}, "Authorization"), ({"headers": {"Private-Token": "secret"}}, "Private-Token"), ({"user": "reader:secret@"}, "Authorization"),
            ):
                address = first.url.replace("://", "://" + options.pop("user", ""))
                live = self.follow(address, **options, **ca)
                self.assertEqual(live.current.version, "1.4.0")
                self.assertIn(name, first.requests[-1][1])
                self.assertNotIn(name, second.requests[-1][1])
                self.assertEqual(second.requests[-1][1]["Host"], second.host)

    def test_credentials_are_sent_and_never_shown(self):
        server = Server(self)
        for options, name, value in (
            ({"token": "s3cret"}, "Authorization", "Bearer s3cret"),
            ({"headers": {"Private-Token": "s3cret"}}, "Private-Token", "s3cret"),
            ({"address": server.url.replace("://", "://reader:s3cret@")}, "Authorization", "Basic cmVhZGVyOnMzY3JldA=="),
        ):
            server.answer = None
            live = self.follow(options.pop("address", server.url) + "?signature=s3cret", **options)
            self.assertEqual(server.requests[-1][1][name], value)
            self.assertEqual(server.requests[-1][0], "/rubrics.zip?signature=s3cret")
            server.answer = lambda request: server.send(request, 403, b"")
            self.refuses(live, f"^http://{server.host}/rubrics.zip: the server answers 403")
            self.assertNotIn("s3cret", live.refused)
        for options in (
            {"token": "a\r\nX: y"}, {"token": ""}, {"token": 1}, {"headers": {"A": "s3cret\n"}}, {"headers": {"A b": "s3cret"}}, {"headers": {"Host": "s3cret"}},
            {"headers": {"A": None}}, {"headers": {None: "s3cret"}}, {"token": "s3cret", "headers": {"authorization": "s3cret"}}, {"headers": ["s3cret"]}, {"headers": 1},
        ):
            with self.subTest(options), self.assertRaises(InputError) as caught:
                self.follow(server.url, **options)
            self.assertNotIn("s3cret", str(caught.exception))

    def test_retry_after_is_obeyed(self):
        for status, after, least in ((429, "2", 1.5), (503, None, 1.5), (429, "soon", 0), (429, "-5", 0), (503, "", 0)):
            with self.subTest(after):
                after = formatdate(time.time() + 5, usegmt=True) if after is None else after
                server = Server(self)
                live = self.follow(server.url, interval=0.05)
                times = []

                def answer(request):
                    times.append(time.monotonic())
                    server.send(request, status, b"", Retry_After=after)

                server.answer = answer
                deadline = time.monotonic() + 30
                while len(times) < 2 and time.monotonic() < deadline:
                    time.sleep(0.01)
                live.close()
                self.assertGreater(times[1] - times[0], least)
                if least == 0:
                    self.assertLess(times[1] - times[0], 10)

    def test_a_check_by_hand_does_not_wait(self):
        server = Server(self)
        live = self.follow(server.url, interval=0.2)
        server.answer = lambda request: server.send(request, 429, b"", Retry_After="999999999")
        self.refuses(live, "answers 429")
        count = len(server.requests)
        self.assertTrue(3500 < live._source.pause <= 3600)
        time.sleep(1)
        self.assertEqual(len(server.requests), count)
        server.answer = None
        live.check()
        self.assertEqual((len(server.requests), live.refused), (count + 1, ""))

    def test_a_server_that_sends_nothing_or_drips(self):
        server = Server(self)
        end = threading.Event()
        self.addCleanup(end.set)

        def drip(request, begin):
            request.wfile.write(begin)
            while not end.wait(0.02):
                request.wfile.write(b"a")
                request.wfile.flush()

        rubric_bundle._ANSWER_SECONDS, rubric_bundle._FETCH_SECONDS = 0.3, 1.0
        for reason, answer, text in (
            ("nothing", lambda request: end.wait(60), "no answer within 0.3 seconds"),
            ("the body", lambda request: drip(request, b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"), "takes more than 1 seconds"),
            ("a header", lambda request: drip(request, b"HTTP/1.1 200 OK\r\nA: "), "takes more than 1 seconds"),
            ("the first line", lambda request: drip(request, b"HTTP/1.1 200 "), "takes more than 1 seconds"),
        ):
            with self.subTest(reason):
                server.answer = None
                live = self.follow(server.url)
                server.answer = answer
                start = time.monotonic()
                self.refuses(live, text)
                self.assertLess(time.monotonic() - start, 20)

    def test_a_handshake_that_does_not_end(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        end = threading.Event()
        self.addCleanup(end.set)

        def drip():
            connection, _ = listener.accept()
            with connection:
                connection.sendall(b"\x16\x03\x03\x40\x00")  # a record of 16 KB
                while not end.wait(0.02):
                    try:
                        connection.sendall(b"\x02")
                    except OSError:
                        return

        threading.Thread(target=drip, daemon=True).start()
        rubric_bundle._FETCH_SECONDS = 1.0
        start = time.monotonic()
        with self.assertRaises(OSError):
            self.follow(f"https://127.0.0.1:{listener.getsockname()[1]}/")
        self.assertLess(time.monotonic() - start, 20)

    def test_close_ends_a_download(self):
        server = Server(self)
        live = self.follow(server.url, interval=0.01)
        entered, end = threading.Event(), threading.Event()
        self.addCleanup(end.set)

        def stall(request):
            request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabc")
            request.wfile.flush()
            entered.set()
            end.wait(60)

        server.answer = stall
        self.assertTrue(entered.wait(30))
        live.close()
        self.assertFalse(live._thread.is_alive())

    def test_a_server_in_plain_http(self):
        server = Server(self)
        with self.assertRaisesRegex(OSError, "answers in plain HTTP"):
            self.follow(server.url.replace("http:", "https:"))

    def test_no_server(self):
        server = socket.create_server(("127.0.0.1", 0))
        port = server.getsockname()[1]
        server.close()
        with self.assertRaisesRegex(OSError, "refused") as caught:
            self.follow(f"http://127.0.0.1:{port}/b.zip?signature=hidden")
        self.assertNotIn("hidden", str(caught.exception))

    def test_a_wrong_digest(self):
        server = Server(self)
        other = "sha256:" + 64 * "0"
        with self.assertRaisesRegex(IntegrityError, "expected " + other):
            self.follow(server.url, digest=other, any_digest=False)

    def test_loopback_needs_no_proxy_and_other_hosts_use_it(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        seen = []

        def proxy():
            connection, _ = listener.accept()
            with connection:
                seen.append(connection.recv(10_000))
                connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")

        threading.Thread(target=proxy, daemon=True).start()
        os.environ["https_proxy"] = os.environ["http_proxy"] = f"http://ann:pw@127.0.0.1:{listener.getsockname()[1]}"
        self.addCleanup(os.environ.pop, "https_proxy")
        self.addCleanup(os.environ.pop, "http_proxy")
        self.follow(Server(self).url)
        self.follow(Server(self, secure=True).url, ca=CA)
        with self.assertRaisesRegex(OSError, "407"):
            self.follow("https://example.invalid/b.zip", token="hidden")
        self.assertRegex(seen[0], b"^CONNECT example.invalid:443 HTTP/1")
        self.assertIn(b"Proxy-Authorization: Basic YW5uOnB3", seen[0])
        self.assertNotIn(b"hidden", seen[0])


if __name__ == "__main__":
    unittest.main()
