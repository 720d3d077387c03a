"""Every way to a byte of the program's, the proofs of the attachment, and what else README.md of the
package says holds. Run by unittest in an environment that the wheel is installed in.

Each case of `Ways` is run both attached and unattached, over TLS 1.2 and 1.3.
"""

import asyncio
import copy
import ctypes
import gc
import io
import inspect
import json
import logging
import os
import pathlib
import pickle
import select
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest
import warnings
from unittest import mock

import _ssl
import hawser_tls
from hawser_tls import _attachment, _context
from servers import RIG, STARTTLS, Catcher, Proxy

TABLE = RIG / "one.table"
TLS = {12: ssl.TLSVersion.TLSv1_2, 13: ssl.TLSVersion.TLSv1_3}
SECRET = b"GET /secret HTTP/1.1\r\n\r\n"
MAY_ATTACH = sys.version_info[:2] in _attachment.LISTED
# Refusals are lines of log, which nobody needs to read here.
logging.getLogger("hawser_tls").addHandler(logging.NullHandler())


class Case(unittest.TestCase):
    def store(self, table=TABLE, **names):
        store = hawser_tls.Store(table, **names)
        self.addCleanup(store.close)
        return store

    def catcher(self, name, **names):
        server = Catcher(name, **names)
        self.addCleanup(server.close)
        return server

    def raw(self, server):
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.settimeout(60)
        self.addCleanup(connection.close)
        return connection

    def refused(self, violation, function, *arguments, **names):
        with self.assertRaises(hawser_tls.RejectError) as caught:
            function(*arguments, **names)
        self.assertTrue(caught.exception.has(violation), caught.exception)
        return caught.exception

    def nothing_came(self, server):
        server.wait()
        self.assertEqual((server.octets, server.clear), (b"", b""))


def ways(function):
    """Runs a case attached and not, over both versions."""

    def run(self):
        for attach in ([True] if MAY_ATTACH else []) + [False]:
            for version in TLS.values():
                with self.subTest(attach=attach, version=version.name):
                    function(self, hawser_tls.SSLContext(self.store(), attach=attach), version)

    return run


class Ways(Case):
    """`pinned` has another key than the pinned one: nothing may reach it. `good` is there to see that
    the way leads somewhere."""

    @ways
    def test_write_without_a_handshake(self, context, version):
        with tempfile.TemporaryFile() as file:
            file.write(SECRET)

            def sendfile(connection):
                file.seek(0)
                return connection.sendfile(file)

            each = {
                "send": lambda c: c.send(SECRET), "sendall": lambda c: c.sendall(SECRET), "write": lambda c: c.write(SECRET),
                "sendfile": sendfile, "makefile": lambda c: (f := c.makefile("wb"), f.write(SECRET), f.flush()),
                "read": lambda c: c.recv(1), "recv_into": lambda c: c.recv_into(bytearray(1)),
                "raw": lambda c: c._sslobj.write(SECRET),
            }  # fmt: skip
            for name, act in each.items():
                with self.subTest(name):
                    server = self.catcher("pinned", version=version)
                    connection = context.wrap_socket(
                        self.raw(server), server_hostname="pinned.rig.example", do_handshake_on_connect=False)
                    self.refused("pin-mismatch", act, connection)
                    # And again, however often.
                    self.refused("pin-mismatch", connection.sendall, SECRET)
                    self.refused("pin-mismatch", connection.do_handshake)
                    connection.close()
                    self.nothing_came(server)
                    if name.startswith("rec") or name == "read":
                        continue
                    server = self.catcher("good", version=version)
                    with context.wrap_socket(
                        self.raw(server), server_hostname="good.rig.example", do_handshake_on_connect=False
                    ) as connection:
                        act(connection)
                        self.assertEqual(connection.recv(12), b"HTTP/1.1 200")
                    server.wait()
                    self.assertEqual(server.octets, SECRET)

    @ways
    def test_a_socket_that_is_connected_later(self, context, version):
        for name in ("connect", "connect_ex"):
            with self.subTest(name):
                server = self.catcher("pinned", version=version)
                connection = context.wrap_socket(socket.socket(), server_hostname="pinned.rig.example")
                self.refused("pin-mismatch", getattr(connection, name), ("127.0.0.1", server.port))
                # `ssl` would send this in clear.
                for act in (connection.send, connection.sendall, connection.write):
                    self.assertRaises(ssl.SSLError, act, SECRET)
                connection.close()
                self.nothing_came(server)
                server = self.catcher("good", version=version)
                with context.wrap_socket(socket.socket(), server_hostname="good.rig.example") as connection:
                    getattr(connection, name)(("127.0.0.1", server.port))
                    connection.sendall(SECRET)
                    self.assertEqual(connection.recv(12), b"HTTP/1.1 200")

    @ways
    def test_a_socket_that_does_not_block(self, context, version):
        for host, violation in [("good", None), ("pinned", "pin-mismatch")]:
            server = self.catcher(host, version=version)
            raw = self.raw(server)
            raw.setblocking(False)
            connection = context.wrap_socket(
                raw, server_hostname=f"{host}.rig.example", do_handshake_on_connect=False)

            def send():
                while True:
                    try:
                        return connection.send(SECRET)
                    except ssl.SSLWantReadError:
                        select.select([connection], [], [], 60)
                    except ssl.SSLWantWriteError:
                        select.select([], [connection], [], 60)

            if violation:
                self.refused(violation, send)
                self.refused(violation, send)
                connection.close()
                self.nothing_came(server)
            else:
                self.assertEqual(send(), len(SECRET))
                connection.setblocking(True)
                self.assertEqual(connection.recv(12), b"HTTP/1.1 200")
                connection.close()
                server.wait()
                self.assertEqual(server.octets, SECRET)

    @ways
    def test_sessions_are_not_offered(self, context, version):
        server = self.catcher("good", version=version)
        # Of a context that nobody judges, of another one of ours, and of this one.
        plain = ssl.create_default_context()
        plain.check_hostname, plain.verify_mode = False, ssl.CERT_NONE
        sessions = []
        for other in (plain, hawser_tls.SSLContext(self.store(), attach=False), context):
            with other.wrap_socket(self.raw(server), server_hostname="good.rig.example") as connection:
                connection.sendall(SECRET)
                connection.recv(12)
                sessions.append(connection.session)
        for session in sessions:
            self.assertIsNotNone(session)
            with context.wrap_socket(
                self.raw(server), server_hostname="good.rig.example", session=session
            ) as connection:
                self.assertFalse(connection.session_reused)
            connection = context.wrap_socket(
                self.raw(server), server_hostname="good.rig.example", do_handshake_on_connect=False)
            connection.session = session
            connection.do_handshake()
            self.assertFalse(connection.session_reused)
            connection.close()
            # The server that made it, under a name whose rule pins.
            self.refused(
                "name-mismatch", context.wrap_socket, self.raw(server), server_hostname="pinned.rig.example",
                session=session)
            made = context.wrap_bio(
                ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname="good.rig.example", session=session)
            made.session = session

    @ways
    def test_asyncio(self, context, version):
        good, pinned = self.catcher("good", version=version), self.catcher("pinned", version=version)
        clear = self.catcher("pinned", version=version, starts=b"220 ready\r\n")
        clear_good = self.catcher("good", version=version, starts=b"220 ready\r\n")

        async def connect(server, host):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", server.port, ssl=context, server_hostname=f"{host}.rig.example")
            writer.write(SECRET)
            line = await reader.readline()
            writer.close()
            await writer.wait_closed()
            return line

        async def upgrade(server, host):
            loop = asyncio.get_running_loop()
            reader = asyncio.StreamReader()
            protocol = asyncio.StreamReaderProtocol(reader)
            transport, _ = await loop.create_connection(lambda: protocol, "127.0.0.1", server.port)
            await reader.readline()
            transport.write(STARTTLS)
            try:
                upgraded = await loop.start_tls(transport, protocol, context, server_hostname=f"{host}.rig.example")
                upgraded.write(SECRET)
                return await reader.readline()
            finally:
                transport.abort()

        async def main():
            done = await asyncio.gather(
                *(connect(good, "good") for _ in range(8)), *(connect(pinned, "pinned") for _ in range(8)),
                upgrade(clear_good, "good"), upgrade(clear, "pinned"), return_exceptions=True)
            for answer in done[:8] + done[16:17]:
                self.assertEqual(answer, b"HTTP/1.1 200 OK\r\n")
            for answer in done[8:16] + done[17:]:
                self.assertIsInstance(answer, hawser_tls.RejectError)
                self.assertTrue(answer.has("pin-mismatch"), answer)

        asyncio.run(main())
        self.nothing_came(pinned)
        self.nothing_came(clear)
        good.wait()
        self.assertEqual(good.octets, SECRET * 8)

    @ways
    def test_memory(self, context, version):
        server = self.catcher("pinned", version=version)
        raw = self.raw(server)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        made = context.wrap_bio(incoming, outgoing, server_hostname="pinned.rig.example")

        def write():
            while True:
                try:
                    return made.write(SECRET)
                except ssl.SSLWantReadError:
                    raw.sendall(outgoing.read())
                    incoming.write(raw.recv(65536))

        self.refused("pin-mismatch", write)
        # What a program may find to send now is an alert of the handshake, never its data.
        raw.sendall(outgoing.read())
        for act in (made.unwrap, lambda: made.write(SECRET), lambda: made.read(1), made.do_handshake):
            self.refused("pin-mismatch", act)
        raw.close()
        self.nothing_came(server)

    @ways
    def test_a_policy_that_comes_into_force(self, context, version):
        server = self.catcher("good", version=version)

        def connect():
            with context.wrap_socket(self.raw(server), server_hostname="good.rig.example") as connection:
                connection.sendall(SECRET)
                return connection.recv(12)

        self.assertEqual(connect(), b"HTTP/1.1 200")
        epoch = context.store.epoch
        context.store.reload((RIG / "stricter.table").read_bytes())
        refusal = self.refused("pin-mismatch", connect)
        self.assertEqual(refusal.epoch, epoch + 1)
        self.assertFalse(context.store.holds(epoch, "good.rig.example"))
        context.store.reload(TABLE.read_bytes())
        self.assertEqual(connect(), b"HTTP/1.1 200")
        with self.assertRaises(hawser_tls.StoreError) as caught:
            context.store.reload(b"damaged")
        self.assertEqual(caught.exception.result, "HAWSER_E_TABLE")
        self.assertEqual(connect(), b"HTTP/1.1 200")
        server.wait()
        self.assertEqual(server.octets, SECRET * 3)

    @ways
    def test_a_store_that_is_closed(self, context, version):
        server = self.catcher("good", version=version)
        connection = context.wrap_socket(
            self.raw(server), server_hostname="good.rig.example", do_handshake_on_connect=False)
        context.store.close()
        self.refused("no-verdict", connection.send, SECRET)
        connection.close()
        self.nothing_came(server)
        self.assertRaises(hawser_tls.StoreError, context.store.snapshot)
        context.store.close()

    @ways
    def test_threads(self, context, version):
        good, pinned = self.catcher("good", version=version), self.catcher("pinned", version=version)
        wrong = []

        def work():
            for _ in range(10):
                with context.wrap_socket(self.raw(good), server_hostname="good.rig.example") as connection:
                    connection.sendall(SECRET)
                    if connection.recv(12) != b"HTTP/1.1 200":
                        wrong.append("a good server")
                try:
                    context.wrap_socket(self.raw(pinned), server_hostname="pinned.rig.example")
                    wrong.append("an accept")
                except hawser_tls.RejectError as error:
                    if not error.has("pin-mismatch"):
                        wrong.append(error)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.nothing_came(pinned)

    @ways
    def test_one_connection_of_two_threads(self, context, version):
        for host, violation in [("good", None), ("pinned", "pin-mismatch")]:
            server = self.catcher(host, version=version)
            connection = context.wrap_socket(
                self.raw(server), server_hostname=f"{host}.rig.example", do_handshake_on_connect=False)
            found = []

            def handshake():
                try:
                    connection.do_handshake()
                    found.append(None)
                except hawser_tls.RejectError as error:
                    found.append(error.violations[0].id)

            threads = [threading.Thread(target=handshake) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(found, [violation] * 4)
            connection.close()

    @ways
    def test_client_certificates(self, context, version):
        context.load_cert_chain(RIG / "good.pem", RIG / "good.key")
        server = self.catcher("good", version=version, clients=RIG / "root.pem")
        with context.wrap_socket(self.raw(server), server_hostname="good.rig.example") as connection:
            connection.sendall(SECRET)
            self.assertEqual(connection.recv(12), b"HTTP/1.1 200")
        server.wait()
        self.assertIsNotNone(server.certificates[-1])
        server = self.catcher("pinned", version=version, clients=RIG / "root.pem")
        self.refused("pin-mismatch", context.wrap_socket, self.raw(server), server_hostname="pinned.rig.example")
        server.wait()
        # Attached, the server's handshake does not end, and it has none; else it has, as the page
        # says.
        if context.is_attached:
            self.assertEqual([found for found in server.certificates if found], [])
        else:
            self.assertIsNotNone(server.certificates[-1])
        self.assertEqual(server.octets, b"")

    @ways
    def test_a_handshake_that_fails_by_itself(self, context, version):
        # Another version than the server's: an error of OpenSSL's, without a verdict.
        server = self.catcher("good", version=version)
        other = hawser_tls.SSLContext(context.store, attach=context.is_attached)
        other.minimum_version = other.maximum_version = next(one for one in TLS.values() if one != version)
        with self.assertRaises(ssl.SSLError) as caught:
            other.wrap_socket(self.raw(server), server_hostname="good.rig.example")
        self.assertNotIsInstance(caught.exception, hawser_tls.RejectError)
        self.nothing_came(server)

    @ways
    def test_settings(self, context, version):
        self.assertEqual(context.verify_mode, ssl.CERT_REQUIRED)
        self.assertTrue(context.check_hostname)
        context.verify_mode, context.check_hostname = ssl.CERT_REQUIRED, True
        for name, value in [("verify_mode", ssl.CERT_NONE), ("verify_mode", ssl.CERT_OPTIONAL), ("check_hostname", False)]:
            self.assertRaises(ValueError, setattr, context, name, value)
        context.options = 0
        self.assertTrue(context.options & ssl.OP_NO_RENEGOTIATION)
        context.options &= ~ssl.OP_NO_RENEGOTIATION
        self.assertTrue(context.options & ssl.OP_NO_RENEGOTIATION)
        context.load_verify_locations(RIG / "stranger.pem")
        context.load_default_certs()
        context.set_default_verify_paths()
        server = self.catcher("pinned", version=version)
        self.refused("pin-mismatch", context.wrap_socket, self.raw(server), server_hostname="pinned.rig.example")
        plain = ssl.create_default_context()
        for connection in [
            context.wrap_socket(self.raw(server), server_hostname="pinned.rig.example", do_handshake_on_connect=False),
            context.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname="pinned.rig.example"),
        ]:
            self.assertIs(connection.context, context)
            for target in (connection, connection._sslobj):
                self.assertRaises(AttributeError, setattr, target, "context", plain)
            self.assertRaises(AttributeError, getattr, connection._sslobj, "verify_client_post_handshake")
        self.assertRaises(ValueError, context.wrap_socket, self.raw(server), server_side=True)
        self.assertRaises(ValueError, context.wrap_bio, ssl.MemoryBIO(), ssl.MemoryBIO(), True)
        self.assertRaises(ValueError, context.wrap_bio, ssl.MemoryBIO(), ssl.MemoryBIO())
        self.assertRaises(ValueError, context.wrap_socket, self.raw(server))

    @ways
    def test_ports(self, context, version):
        server = self.catcher("ported", version=version)

        def connect(context):
            with context.wrap_socket(self.raw(server), server_hostname="ported.rig.example") as connection:
                connection.sendall(SECRET)
                return connection.recv(12)

        refusal = self.refused("port-unknown", connect, context)
        self.assertIsNone(refusal.port)
        self.assertIn("SSLContext(store, port=", str(refusal))
        self.nothing_came(server)
        attach = context.is_attached
        # By the rule for every port, and by that for 8443, which pins another key.
        self.assertEqual(connect(hawser_tls.SSLContext(context.store, port=443, attach=attach)), b"HTTP/1.1 200")
        refusal = self.refused("pin-mismatch", connect, hawser_tls.SSLContext(context.store, port=8443, attach=attach))
        self.assertEqual(refusal.port, 8443)
        self.assertRaises(ValueError, hawser_tls.SSLContext, context.store, port=0)
        self.assertRaises(ValueError, hawser_tls.SSLContext, context.store, port=65536)
        # Before a hello.
        outgoing = ssl.MemoryBIO()
        made = context.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="ported.rig.example")
        self.refused("port-unknown", made.do_handshake)
        self.assertEqual(outgoing.pending, 0)
        # A policy that begins to name a port between the question and the verdict.
        if not attach:
            unnamed = self.store(RIG / "portless.table")
            judged = hawser_tls.SSLContext(unnamed, attach=False)
            server = self.catcher("ported", version=version)
            connection = judged.wrap_socket(
                self.raw(server), server_hostname="ported.rig.example", do_handshake_on_connect=False)
            asked, times = unnamed._demanded, []

            def ask(*arguments):
                found = asked(*arguments)
                times.append(found)
                if len(times) == 2:
                    unnamed.reload(TABLE.read_bytes())
                return found

            with mock.patch.object(unnamed, "_demanded", ask):
                self.refused("port-unknown", connection.send, SECRET)
            connection.close()
            self.nothing_came(server)
        # And one that begins to in the middle of the handshake.
        unnamed = self.store(RIG / "portless.table")
        judged = hawser_tls.SSLContext(unnamed, attach=attach)
        server = self.catcher("ported", version=version)
        connection = judged.wrap_socket(
            self.raw(server), server_hostname="ported.rig.example", do_handshake_on_connect=False)
        real = connection._sslobj._raw

        class Between:
            def do_handshake(self):
                unnamed.reload(TABLE.read_bytes())
                real.do_handshake()

            def __getattr__(self, name):
                return getattr(real, name)

        connection._sslobj._raw = Between()
        self.refused("port-unknown", connection.send, SECRET)
        connection.close()
        self.nothing_came(server)

    @ways
    def test_nobody_shows_a_certificate(self, context, version):
        if version != ssl.TLSVersion.TLSv1_2:
            return
        server = socket.create_server(("127.0.0.1", 0))
        anonymous = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        anonymous.set_ciphers("AECDH:@SECLEVEL=0")
        anonymous.maximum_version = version
        came = []

        def serve():
            raw, _ = server.accept()
            with raw:
                try:
                    with anonymous.wrap_socket(raw, server_side=True) as tls:
                        came.append(tls.recv(100))
                except OSError:
                    pass

        thread = threading.Thread(target=serve)
        thread.start()
        context.set_ciphers("AECDH:@SECLEVEL=0")
        context.maximum_version = version
        with self.assertRaises(hawser_tls.RejectError):
            connection = context.wrap_socket(
                socket.create_connection(server.getsockname()), server_hostname="good.rig.example")
            connection.sendall(SECRET)
        thread.join()
        server.close()
        self.assertEqual([data for data in came if data], [])

    @ways
    def test_nothing_stays(self, context, version):
        server = self.catcher("pinned", version=version)
        import weakref

        connection = context.wrap_socket(
            self.raw(server), server_hostname="pinned.rig.example", do_handshake_on_connect=False)
        self.refused("pin-mismatch", connection.do_handshake)
        gate = weakref.ref(connection._sslobj)
        connection.close()
        del connection
        gc.collect()
        self.assertIsNone(gate())
        other = hawser_tls.SSLContext(context.store, attach=context.is_attached)
        reference = weakref.ref(other)
        del other
        gc.collect()
        self.assertIsNone(reference())

    @ways
    def test_renegotiation(self, context, version):
        if version != ssl.TLSVersion.TLSv1_2:
            return
        # `openssl s_server` asks for it when it reads an `r`.
        process = subprocess.Popen(
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", RIG / "good.pem", "-key", RIG / "good.key",
             "-tls1_2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
        try:
            for line in process.stdout:
                if line.startswith(b"ACCEPT"):
                    port = int(line.split()[1].rsplit(b":", 1)[1])
                    break
            connection = context.wrap_socket(
                socket.create_connection(("127.0.0.1", port)), server_hostname="good.rig.example")
            connection.settimeout(60)
            process.stdin.write(b"r\n")
            process.stdin.flush()
            # The server takes the refusal as the end, or goes on; no second handshake comes about.
            try:
                connection.recv(1)
            except OSError:
                pass
            connection.close()
        finally:
            process.kill()
            said = process.stdout.read()
            process.wait()
            process.stdin.close()
            process.stdout.close()
        self.assertNotIn(b"Reused", said)
        self.assertEqual(said.count(b"CIPHER is"), 1, said)


class Proxies(Case):
    """Inside a proxy's tunnel the host of the URL is judged, never the proxy's."""

    def by_urllib(self, context, proxy, url):
        import urllib.request

        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({"https": proxy}), urllib.request.HTTPSHandler(context=context))
        with opener.open(url) as answer:
            return answer.status

    def by_urllib3(self, context, proxy, url):
        import urllib3

        return urllib3.ProxyManager(proxy, ssl_context=context, retries=False).request("GET", url).status

    def by_requests(self, context, proxy, url):
        import hawser_tls.requests
        import requests

        session = requests.Session()
        session.trust_env = False
        session.mount("https://", hawser_tls.requests.HTTPAdapter(context))
        return session.get(url, proxies={"https": proxy}).status_code

    def by_httpx(self, context, proxy, url):
        import httpx

        with httpx.Client(verify=context, proxy=proxy, trust_env=False) as client:
            return client.get(url).status_code

    def by_aiohttp(self, context, proxy, url):
        import aiohttp

        async def main():
            async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=context)) as session:
                async with session.get(url, proxy=proxy) as answer:
                    return answer.status

        return asyncio.run(main())

    def test_tunnels(self):
        for attach in ([True] if MAY_ATTACH else []) + [False]:
            context = hawser_tls.SSLContext(self.store(), attach=attach)
            for act in (self.by_urllib, self.by_urllib3, self.by_requests, self.by_httpx, self.by_aiohttp):
                for host, violation in [("good", None), ("pinned", "pin-mismatch")]:
                    with self.subTest(act.__name__, host=host, attach=attach):
                        server = self.catcher(host, answer=b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                        proxy = Proxy(server.port)
                        self.addCleanup(proxy.close)
                        try:
                            answer = act(context, f"http://127.0.0.1:{proxy.port}", f"https://{host}.rig.example/")
                        except Exception as error:
                            answer = hawser_tls.rejection(error)
                            self.assertIsNotNone(answer, repr(error))
                        self.assertEqual(proxy.hosts, [f"{host}.rig.example:443"])
                        if violation is None:
                            self.assertEqual(answer, 200)
                        else:
                            self.assertTrue(answer.has(violation), answer)
                            gc.collect()
                            self.nothing_came(server)

    def test_what_requests_may_not_switch_off(self):
        import hawser_tls.requests
        import requests

        session = requests.Session()
        session.trust_env = False
        session.mount("https://", hawser_tls.requests.HTTPAdapter(hawser_tls.SSLContext(self.store())))
        server = self.catcher("pinned")
        url = f"https://127.0.0.1:{server.port}/"
        self.assertRaises(ValueError, session.get, url, verify=False)
        for names in ({}, {"verify": str(RIG / "root.pem")}):
            with self.assertRaises(requests.exceptions.SSLError) as caught:
                session.get(url, **names)
            self.assertTrue(hawser_tls.rejection(caught.exception).has("no-applicable-rule"))
        self.assertRaises(TypeError, hawser_tls.requests.HTTPAdapter, ssl.create_default_context())
        self.nothing_came(server)


class Attachments(Case):
    """The proofs, each of them failing by itself."""

    def why(self):
        context = hawser_tls.SSLContext(self.store(logger=None))
        self.assertFalse(context.is_attached)
        with self.assertRaises(RuntimeError):
            hawser_tls.SSLContext(self.store(logger=None), attach=True)
        server = self.catcher("pinned")
        self.refused("pin-mismatch", context.wrap_socket, self.raw(server), server_hostname="pinned.rig.example")
        return context.why_not_attached

    def setUp(self):
        _attachment._proved.cache_clear()
        self.addCleanup(_attachment._proved.cache_clear)

    @unittest.skipUnless(MAY_ATTACH, "never attached")
    def test_it_is_attached(self):
        context = hawser_tls.SSLContext(self.store())
        self.assertTrue(context.is_attached)
        self.assertIsNone(context.why_not_attached)

    @unittest.skipUnless(MAY_ATTACH, "never attached")
    def test_each_proof(self):
        kind = _ssl._SSLContext

        class Other(kind):
            __slots__ = ("more",)

        one = _attachment.LISTED[sys.version_info[:2]]
        real = _attachment.sysconfig.get_config_var
        for patch, words in [
            (mock.patch.object(_attachment, "LISTED", {}), "is not listed"),
            (mock.patch.object(_attachment, "LISTED", {sys.version_info[:2]: one + 8}), "octets"),
            (mock.patch.object(_attachment.platform, "python_implementation", lambda: "PyPy"), "PyPy"),
            (mock.patch.object(sys, "abiflags", "t"), "free-threaded"),
            (mock.patch.object(sys, "abiflags", "d"), "debug build"),
            (mock.patch.object(sys, "gettotalrefcount", int, create=True), "debug build"),
            (mock.patch.object(_attachment.sysconfig, "get_config_var", lambda name: name == "Py_GIL_DISABLED" or real(name)), "free-threaded"),
            (mock.patch.object(_attachment.sysconfig, "get_config_var", lambda name: name == "Py_DEBUG" or real(name)), "debug build"),
            (mock.patch.object(_attachment.struct, "calcsize", lambda text: 4), "header"),
            (mock.patch.object(_ssl, "_SSLContext", Other), "octets"),
            (mock.patch.object(_ssl, "__file__", None), "built into the interpreter"),
            (mock.patch.object(_ssl, "__file__", select.__file__ if hasattr(select, "__file__") else "/nowhere"), "`_ssl`"),
            (mock.patch.object(_ssl, "__file__", "/nowhere.so"), "no library of its own"),
            (mock.patch.dict(sys.modules, {"hawser_tls._attach": None}), "does not load"),
        ]:  # fmt: skip
            _attachment._proved.cache_clear()
            saved = getattr(hawser_tls, "_attach", None)
            if "does not load" in words and saved is not None:
                del hawser_tls._attach
            try:
                with self.subTest(words), patch:
                    self.assertIn(words, self.why())
            finally:
                if saved is not None:
                    hawser_tls._attach = saved

    @unittest.skipUnless(MAY_ATTACH, "never attached")
    def test_options_that_do_not_come_back(self):
        from hawser_tls import _attach

        for function in (lambda context, kind: 0, lambda context, kind: int(context.options) ^ (1 << 63)):
            _attachment._proved.cache_clear()
            with mock.patch.object(_attach, "options", function):
                self.assertIn("option", self.why())
        # Only for this one context.
        _attachment._proved.cache_clear()
        hawser_tls.SSLContext(self.store())
        with mock.patch.object(_attach, "options", lambda context, kind: 0):
            self.assertIn("option of the context", self.why())

    @unittest.skipUnless(MAY_ATTACH, "never attached")
    def test_the_extension_takes_contexts_alone(self):
        from hawser_tls import _attach

        for context, kind in [(object(), _ssl._SSLContext), (ssl.create_default_context(), object()), (3, int.__class__)]:
            for function in (_attach.options, _attach.is_attached):
                self.assertRaises(TypeError, function, context, kind)
            self.assertRaises(TypeError, _attach.attach, context, kind, 1)
        self.assertRaises(TypeError, _attach.options, object())
        self.assertIsInstance(_attach.attach(ssl.create_default_context(), _ssl._SSLContext, 12345), str)
        for host, port in [("", 1), ("a" * 256, 1), ("a", 65536)]:
            self.assertRaises(ValueError, _attach.Handshake, host, port, 0)
        self.assertRaises((TypeError, ValueError), _attach.Handshake, "a\0b", 1, 0)
        handshake = _attach.Handshake("a", 1, 0)
        self.assertEqual(handshake.answer(), (False, 0, "", 2, ""))
        self.assertRaises(RuntimeError, handshake.run, lambda: handshake.run(int))
        self.assertRaises(RuntimeError, handshake.run, handshake.answer)
        self.assertRaises(ZeroDivisionError, handshake.run, lambda: 1 / 0)
        self.assertEqual(handshake.run(lambda: 7), 7)
        self.assertEqual(sys.getrefcount(handshake), sys.getrefcount(_attach.Handshake("a", 1, 0)) + 1)

    @unittest.skipUnless(MAY_ATTACH, "never attached")
    def test_a_handshake_that_nobody_runs(self):
        for version in TLS.values():
            context = hawser_tls.SSLContext(self.store(), attach=True)
            server = self.catcher("good", version=version)
            connection = self.raw(server)
            incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            # Around the gate, as no public function leads.
            bare = _ssl._SSLContext._wrap_bio(context, incoming, outgoing, False, "good.rig.example")
            with self.assertRaises(ssl.SSLError):
                bare.do_handshake()
            # An alert may be, never a hello.
            self.assertNotEqual(outgoing.read()[:1], b"\x16")
            # And under a step of another connection.
            other = context.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname="good.rig.example")
            self.assertRaises(ssl.SSLWantReadError, other.do_handshake)
            bare = _ssl._SSLContext._wrap_bio(context, ssl.MemoryBIO(), outgoing, False, "good.rig.example")
            with self.assertRaises(ssl.SSLError) as caught:
                other._sslobj._handshake.run(bare.do_handshake)
            self.assertNotIsInstance(caught.exception, ssl.SSLWantReadError)
            self.assertNotEqual(outgoing.read()[:1], b"\x16")
            # And after the step of a handshake that was none.
            from hawser_tls import _attach

            idle = _attach.Handshake("good.rig.example", 443, 0)
            idle.run(int)
            bare = _ssl._SSLContext._wrap_bio(context, ssl.MemoryBIO(), outgoing, False, "good.rig.example")
            with self.assertRaises(ssl.SSLError) as caught:
                bare.do_handshake()
            self.assertNotIsInstance(caught.exception, ssl.SSLWantReadError)
            self.assertNotEqual(outgoing.read()[:1], b"\x16")
            connection.close()

    @unittest.skipUnless(MAY_ATTACH, "never attached")
    def test_another_libssl(self):
        from hawser_tls import _attach

        names = ("SSL_CTX_new", "SSL_CTX_set_options", "SSL_CTX_free", "SSL_new", "SSL_do_handshake", "CRYPTO_free")
        with tempfile.TemporaryDirectory() as folder:
            source, built = pathlib.Path(folder, "other.c"), pathlib.Path(folder, "other.so")
            source.write_text("".join(f"void *{name}(void) {{ return 0; }}\n" for name in names))
            subprocess.run(["cc", "-w", "-shared", "-fPIC", "-fno-builtin", source, "-o", built], check=True)
            self.assertIn("no library of its own", _attach.shares_libssl(str(built)))
            ctypes.CDLL(str(built))
            self.assertIn("has another SSL_CTX_new", _attach.shares_libssl(str(built)))
        self.assertIsNone(_attach.shares_libssl(_ssl.__file__))

    def test_it_is_said_when_it_is_not_attached(self):
        with mock.patch.object(_attachment, "LISTED", {}), self.assertLogs("hawser_tls", "WARNING") as logged:
            hawser_tls.SSLContext(self.store(logger=None))
        self.assertIn("OCSP staples", logged.output[0])
        with self.assertNoLogs("hawser_tls") if sys.version_info >= (3, 10) else io.StringIO():
            hawser_tls.SSLContext(self.store(logger=None), attach=False)

    def test_an_ssl_that_makes_connections_in_another_way(self):
        raw = _ssl._SSLContext._wrap_bio

        def without_gate(self, incoming, outgoing, *, server_side, server_hostname, owner, session):
            return raw(self, incoming, outgoing, server_side, server_hostname)

        with mock.patch.object(_context.SSLContext, "_wrap_bio", without_gate):
            self.assertRaises(RuntimeError, hawser_tls.SSLContext, self.store(), attach=False)


class Stores(Case):
    def chain(self, name):
        return [ssl.PEM_cert_to_DER_cert((RIG / f"{name}.pem").read_text())]

    def test_verdicts(self):
        store = self.store(name="first", service="tests")
        verdict = store.evaluate("good.rig.example", self.chain("good"), version=0x0304)
        self.assertTrue(verdict)
        self.assertIs(verdict.raise_for_verdict(), verdict)
        self.assertEqual((verdict.reasons, verdict.id), (None, None))
        self.assertEqual(verdict.path[0], "CN=good.rig.example")
        self.assertIsNone(verdict.explanation)
        verdict = hawser_tls.explain(store, "pinned.rig.example", self.chain("pinned"), version=0x0304)
        # A function of the module, which takes the store first.
        self.assertTrue(inspect.isfunction(hawser_tls.explain))
        self.assertIsNot(hawser_tls.explain, hawser_tls.Store.explain)
        self.assertFalse(verdict)
        self.assertEqual([violation.id for violation in verdict.violations], ["pin-mismatch"])
        with self.assertRaises(hawser_tls.RejectError) as caught:
            verdict.raise_for_verdict()
        self.assertEqual(caught.exception.violations, verdict.violations)
        self.assertEqual(json.loads(verdict.explanation)["verdict"], "reject")
        self.assertEqual(json.loads(verdict.receipt)["service"], "tests")
        self.assertIn("violations", json.loads(verdict.report))
        for host, words in [("", {}), ("good.rig.example", {"port": 65536}), ("good.rig.example", {"version": -1}),
                            ("good.rig.example", {"group": "a\0b"})]:  # fmt: skip
            with self.subTest(host=host, **words):
                try:
                    self.assertFalse(store.evaluate(host, self.chain("good"), **words))
                except (ValueError, hawser_tls.StoreError):
                    pass
        self.assertRaises(hawser_tls.StoreError, store.evaluate, "a" * 300, self.chain("good"))

    def test_what_is_in_force(self):
        store = self.store(name="first")
        snapshot = store.snapshot()
        self.assertEqual((snapshot.epoch, snapshot.revision, snapshot.is_stale), (1, None, False))
        self.assertEqual(snapshot.stricter_hosts, ())
        self.assertEqual(len(snapshot.policy_digest), 64)
        self.assertEqual(snapshot.rollback_protection, "off")
        self.assertTrue(snapshot.rollback_message)
        store.reload((RIG / "stricter.table").read_bytes())
        self.assertEqual(store.snapshot().stricter_hosts, ("good.rig.example",))
        state = store.state()
        self.assertEqual((state.name, state.installed, state.refused, state.refusal_reason), ("first", 2, 0, None))
        self.assertRaises(hawser_tls.StoreError, store.reload, b"")
        self.assertEqual(store.state().refused, 1)
        self.assertTrue(store.state().refusal_message)
        self.assertIn('store="first"', store.metrics())
        store.confirm()
        self.assertIn("one.table", repr(self.store()))

    def test_a_file_that_is_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "policy.table")
            shutil.copy(TABLE, path)
            with hawser_tls.Store(path, watch=True) as store:
                woken = store.epoch_descriptor()
                self.assertEqual(store.epoch, 1)
                replaced = pathlib.Path(folder, "next")
                shutil.copy(RIG / "stricter.table", replaced)
                replaced.rename(path)
                self.assertEqual(select.select([woken], [], [], 60)[0], [woken])
                self.assertEqual(store.epoch, 2)
                os.close(woken)

    def test_what_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            damaged = pathlib.Path(folder, "damaged")
            damaged.write_bytes(b"no table")
            for arguments, names, kind in [
                ((damaged,), {}, hawser_tls.StoreError), ((pathlib.Path(folder, "none"),), {}, hawser_tls.StoreError),
                ((TABLE,), {"watch": "notified"}, ValueError), ((TABLE.read_bytes(),), {"watch": True}, ValueError),
                ((TABLE,), {"trusted_keys": [bytes(32)]}, hawser_tls.StoreError), ((TABLE,), {"threshold": -1}, ValueError),
                ((TABLE,), {"name": "a\0b"}, ValueError), ((TABLE,), {"name": ""}, ValueError),
                ((TABLE,), {"threshold": 0}, ValueError), ((TABLE,), {"stale_after": 60}, ValueError),
                ((TABLE,), {"staleness": "warn"}, ValueError), (("a\0b",), {}, ValueError), ((TABLE,), {"staleness": "no"}, ValueError),
            ]:  # fmt: skip
                with self.subTest(names):
                    self.assertRaises(kind, hawser_tls.Store, *arguments, **names)

    def test_the_log(self):
        logger = logging.getLogger("of a test")
        lines = []
        came = threading.Event()

        class Handler(logging.Handler):
            def emit(self, record):
                lines.append(record.getMessage())
                came.set()
                # What a program may do from a handler, and what must not stop the next line.
                store.snapshot()
                raise RuntimeError("of a handler")

        logger.setLevel(logging.DEBUG)
        logger.addHandler(Handler())
        logger.propagate = False
        store = self.store(logger=logger)
        self.assertRaises(hawser_tls.StoreError, store.reload, b"damaged")
        self.assertTrue(came.wait(60))
        store.close()

    def test_stores_that_nobody_closes(self):
        program = textwrap.dedent("""
            import logging, socket, sys, threading
            import hawser_tls
            logging.basicConfig(level=logging.DEBUG)
            stores = [hawser_tls.Store(sys.argv[1], watch=True) for _ in range(4)]
            context = hawser_tls.SSLContext(stores[0])
            listener = socket.create_server(("127.0.0.1", 0))
            # Threads that are in a handshake, which nobody answers, when the program ends.
            def wait():
                context.wrap_socket(socket.create_connection(listener.getsockname()), server_hostname="good.rig.example")
            for _ in range(4):
                threading.Thread(target=wait, daemon=True).start()
            for _ in range(4):
                listener.accept()[0].recv(1)
            stores.append(hawser_tls.Store(sys.argv[1]))
            print("end")
            """)
        for _ in range(5):
            done = subprocess.run([sys.executable, "-c", program, TABLE], capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done)
            self.assertEqual(done.stdout, "end\n")


class Errors(Case):
    def test_they_are_what_they_are(self):
        error = hawser_tls.RejectError("::1", 443, (hawser_tls.Violation("revoked", "it is revoked"),), 3)
        self.assertIsInstance(error, ssl.SSLCertVerificationError)
        self.assertIsInstance(error, ssl.CertificateError)
        self.assertIsInstance(error, OSError)
        self.assertEqual(str(error), "hawser: reject [::1]:443: revoked: it is revoked")
        self.assertEqual(error.verify_code, 50)
        for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            self.assertEqual((str(again), again.violations, again.epoch), (str(error), error.violations, 3))
        self.assertIsNone(hawser_tls.rejection(None))
        self.assertIsNone(hawser_tls.rejection(ValueError()))
        for outer in (ValueError(error), ValueError(ValueError(error))):
            self.assertIs(hawser_tls.rejection(outer), error)
        try:
            raise KeyError from error
        except KeyError as outer:
            self.assertIs(hawser_tls.rejection(outer), error)
        circle = ValueError()
        circle.__cause__ = circle
        self.assertIsNone(hawser_tls.rejection(circle))
        again = pickle.loads(pickle.dumps(hawser_tls.StoreError("HAWSER_E_FILE", "a", "b")))
        self.assertEqual((again.result, again.reason, again.message), ("HAWSER_E_FILE", "a", "b"))


if __name__ == "__main__":
    warnings.simplefilter("error", ResourceWarning)
    unittest.main()
