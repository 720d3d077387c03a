"""Connections that pools keep, after a policy that judges their host more strictly. Run as ways.py is.
"""

import socket
import ssl
import threading
import unittest
from unittest import mock

import hawser_tls
import hawser_tls.requests
import requests
from servers import RIG, Proxy
from ways import MAY_ATTACH, TABLE, Case, ways

STRICTER, PORTLESS = RIG / "stricter.table", RIG / "portless.table"


def loopback(host, *arguments, **names):
    return _resolve("127.0.0.1" if str(host).endswith(".rig.example") else host, *arguments, **names)


_resolve = socket.getaddrinfo


class Held(Case):
    """`JudgedSocket.holds` and `JudgedObject.holds`."""

    @ways
    def test_a_connection(self, context, version):
        store = context.store
        server = self.catcher("good", version=version)
        begun = context.wrap_socket(
            self.raw(server), server_hostname="good.rig.example", do_handshake_on_connect=False)
        self.assertEqual((begun.holds(), begun.epoch), (False, 0))
        begun.do_handshake()
        self.assertEqual((begun.holds(), begun.epoch), (True, 1))
        store.reload(STRICTER.read_bytes())
        self.assertEqual((begun.holds(), begun.epoch), (False, 1))
        # Not even where the one of before is in force again: it may have been refused in between.
        store.reload(TABLE.read_bytes())
        self.assertFalse(begun.holds())
        with context.wrap_socket(self.raw(server), server_hostname="good.rig.example") as other:
            self.assertEqual((other.holds(), other.epoch), (True, 3))
            store.close()
            self.assertFalse(other.holds())
        begun.close()

    @ways
    def test_a_port_that_begins_to_matter(self, context, version):
        store = self.store(PORTLESS)
        server = self.catcher("ported", version=version)
        attach = context.is_attached
        unknown, known = hawser_tls.SSLContext(store, attach=attach), hawser_tls.SSLContext(store, port=443, attach=attach)
        made = [one.wrap_socket(self.raw(server), server_hostname="ported.rig.example") for one in (unknown, known)]
        self.assertEqual([one.holds() for one in made], [True, True])
        store.reload(TABLE.read_bytes())
        # By the rule for 8443 the first may be another's.
        self.assertEqual([one.holds() for one in made], [False, True])
        for one in made:
            one.close()

    def test_memory(self):
        context = hawser_tls.SSLContext(self.store())
        server = self.catcher("good")
        raw = self.raw(server)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        made = context.wrap_bio(incoming, outgoing, server_hostname="good.rig.example")
        while made.epoch == 0:
            try:
                made.do_handshake()
            except ssl.SSLWantReadError:
                raw.sendall(outgoing.read())
                incoming.write(raw.recv(65536))
        self.assertTrue(made.holds())
        context.store.reload(STRICTER.read_bytes())
        self.assertFalse(made.holds())
        raw.close()


class Requests(Case):
    def setUp(self):
        super().setUp()
        patch = mock.patch.object(socket, "getaddrinfo", loopback)
        patch.start()
        self.addCleanup(patch.stop)

    def session(self, context):
        session = requests.Session()
        self.addCleanup(session.close)
        session.trust_env = False
        session.mount("https://", hawser_tls.requests.HTTPAdapter(context))
        return session

    def test_a_connection_is_kept_while_it_holds(self):
        for context, server, url, proxies in self.cases():
            session = self.session(context)
            for _ in range(3):
                self.assertEqual(session.get(url, proxies=proxies).status_code, 200)
            self.assertEqual(server.count, 1)
            # Another policy that says the same of this host.
            context.store.reload(PORTLESS.read_bytes())
            self.assertEqual(session.get(url, proxies=proxies).status_code, 200)
            self.assertEqual((server.count, context.store.epoch), (1, 2))

    def test_a_policy_that_refuses_the_host(self):
        for context, server, url, proxies in self.cases():
            session = self.session(context)
            self.assertEqual(session.get(url, proxies=proxies).status_code, 200)
            octets = len(server.octets)
            context.store.reload(STRICTER.read_bytes())
            for _ in range(2):
                with self.assertRaises(requests.exceptions.SSLError) as caught:
                    session.get(url, proxies=proxies)
                self.assertTrue(hawser_tls.rejection(caught.exception).has("pin-mismatch"))
            self.assertEqual(len(server.octets), octets)
            # And where the host is accepted again, by a connection that is judged anew.
            context.store.reload(TABLE.read_bytes())
            count = server.count
            self.assertEqual(session.get(url, proxies=proxies).status_code, 200)
            self.assertEqual(server.count, count + 1)

    def cases(self):
        made = []
        for attach in ([True] if MAY_ATTACH else []) + [False]:
            for way in ("direct", "tunnel", "tunnel over TLS"):
                context = hawser_tls.SSLContext(self.store(), attach=attach)
                server = self.catcher("good")
                proxies = {}
                if way == "tunnel":
                    proxy = Proxy(server.port)
                    proxies["https"] = f"http://127.0.0.1:{proxy.port}"
                elif way == "tunnel over TLS":
                    proxy = TLSProxy(server.port)
                    proxies["https"] = f"https://ported.rig.example:{proxy.port}"
                    context = hawser_tls.SSLContext(context.store, port=443, attach=attach)
                if proxies:
                    self.addCleanup(proxy.close)
                made.append((context, server, f"https://good.rig.example:{server.port}/", proxies))
        return made

    def test_a_connection_that_is_used_meanwhile(self):
        # It comes back to the pool after the policy has changed.
        context = hawser_tls.SSLContext(self.store())
        server = self.catcher("good")
        session = self.session(context)
        url = f"https://good.rig.example:{server.port}/"
        with session.get(url, stream=True) as answer:
            context.store.reload(STRICTER.read_bytes())
            self.assertEqual(answer.content, b"ok")
        octets = len(server.octets)
        self.assertRaises(requests.exceptions.SSLError, session.get, url)
        self.assertEqual(len(server.octets), octets)

    def test_threads_and_reloads(self):
        context = hawser_tls.SSLContext(self.store())
        server = self.catcher("good")
        session, wrong = self.session(context), []
        url = f"https://good.rig.example:{server.port}/"

        def work():
            for _ in range(40):
                try:
                    if session.get(url).status_code != 200:
                        wrong.append("a status")
                except requests.exceptions.SSLError as error:
                    if not hawser_tls.rejection(error).has("pin-mismatch"):
                        wrong.append(error)
                except Exception as error:
                    wrong.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            for table in (STRICTER, TABLE):
                context.store.reload(table.read_bytes())
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class TLSProxy:
    """A proxy that is spoken to over TLS, as a host of the rig."""

    def __init__(self, port):
        import select

        self._behind = Proxy(port)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(RIG / "ported.pem", RIG / "ported.key")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]

        def serve(raw):
            try:
                with self._context.wrap_socket(raw, server_side=True) as near, socket.create_connection(
                    ("127.0.0.1", self._behind.port)
                ) as far:
                    near.setblocking(False)
                    while True:
                        select.select([near, far], [], [], 0.05)
                        try:
                            while data := near.recv(65536):
                                far.sendall(data)
                            return
                        except ssl.SSLWantReadError:
                            pass
                        if select.select([far], [], [], 0)[0]:
                            data = far.recv(65536)
                            if not data:
                                return
                            near.setblocking(True)
                            near.sendall(data)
                            near.setblocking(False)
            except OSError:
                pass

        def accept():
            while True:
                try:
                    raw, _ = self._listener.accept()
                except OSError:
                    return
                threading.Thread(target=serve, args=(raw,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()

    def close(self):
        self._listener.close()
        self._behind.close()


if __name__ == "__main__":
    unittest.main()
