"""Reasons that survive: refusals made again from their text, in the log, in the store and in errors
of libraries; `on_change`; arguments of a wrong type. Run as ways.py is.
"""

import asyncio
import copy
import gc
import logging
import os
import pathlib
import pickle
import shutil
import ssl
import tempfile
import threading
import time
import unittest
import weakref

import hawser_tls
from hawser_tls import RejectError, Violation
from servers import RIG
from ways import SECRET, TABLE, Case, ways

STRICTER = RIG / "stricter.table"


class Lines(logging.Handler):
    def __init__(self):
        super().__init__()
        self.records = []

    def emit(self, record):
        self.records.append(record)


def logger():
    made, handler = logging.Logger("of a test", logging.WARNING), Lines()
    made.addHandler(handler)
    return made, handler.records


def writers():
    return [thread for thread in threading.enumerate() if thread.name == "hawser-log"]


class Texts(unittest.TestCase):
    def test_an_error_that_is_made_again_from_its_text(self):
        pin = Violation("pin-mismatch", "pin set `ours` needs 1 of 2 pins, 0 matched")
        mixed = (Violation("expired", "it ended; on 2026-11-18T02:56:34Z, judged now"), pin)
        for host, port in [("a.example", 443), ("a.example", None), ("::1", 443), ("::1", None), ("2001:db8::1", 8443), ("10.0.0.1", 1)]:
            for violations in ((pin,), mixed):
                error = RejectError(host, port, violations, 3)
                for again in (
                    type(error)(str(error)), type(error)(*error.args), type(error)(error), RejectError(f"socket ssl wrapping error: {error}")
                ):  # fmt: skip
                    self.assertEqual((again.host, again.port, again.violations), (host, port, violations), again)
                    self.assertEqual((again.epoch, again.verify_code, again.reason), (0, 50, "CERTIFICATE_VERIFY_FAILED"))
                    self.assertTrue(again.has("pin-mismatch"))
                    self.assertIn(str(error), str(again))
                    self.assertEqual(str(pickle.loads(pickle.dumps(again))), str(again))
                    self.assertIsInstance(again, ssl.SSLCertVerificationError)
        for text in ("", "text", "a: b", "hawser: reject", "hawser: reject : x"):
            error = RejectError(text)
            self.assertEqual((str(error), error.host, error.port), (text, "", None))
            self.assertEqual([violation.id for violation in error.violations], ["unknown"])
            for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
                self.assertEqual((str(again), again.violations), (text, error.violations))
        self.assertEqual(RejectError("hawser: reject a.example: no id").violations, (Violation("unknown", "no id"),))

    def test_the_words_behind_the_violations(self):
        command = "hawser show a.example:443 --table '/etc/a b.table'"
        reasons = (
            "pin-mismatch: it; has id: none side=in-between rule=api owner=\"the \\\"web\\\" team\" "
            f"id=r0123456789abcdef next=\"{command}\"")
        violations = (Violation("pin-mismatch", "it; has id: none"),)
        error = RejectError("a.example", 443, violations, 3, reasons)
        self.assertEqual(str(error), f"hawser: reject a.example:443: {reasons}")
        for again in (
            error, pickle.loads(pickle.dumps(error)), copy.copy(error), error.again(), RejectError(str(error)),
            RejectError(f"servers: [{error}], Timeout: 30s"),
        ):
            self.assertEqual((again.side, again.rule, again.id), ("in-between", "api", "r0123456789abcdef"))
            self.assertEqual((again.owner, again.command), ('the "web" team', command))
            self.assertEqual(again.violations[0].id, "pin-mismatch")
        self.assertEqual(RejectError(str(error)).violations, violations)
        bare = RejectError("a.example", 443, (Violation("no-verdict", "the policy was not asked"),))
        self.assertEqual((bare.side, bare.rule, bare.owner, bare.id, bare.command), (None,) * 5)

    def test_the_version(self):
        import importlib.metadata

        self.assertEqual(hawser_tls.__version__, importlib.metadata.version("hawser-tls"))
        self.assertIn("__version__", hawser_tls.__all__)


class Refusals(Case):
    def connect(self, context, server, host):
        with context.wrap_socket(self.raw(server), server_hostname=host) as connection:
            connection.sendall(SECRET)
            return connection.recv(12)

    @ways
    def test_the_log_and_the_store(self, context, version):
        told, records = logger()
        store = self.store(logger=told)
        judged = hawser_tls.SSLContext(store, attach=context.is_attached)
        server = self.catcher("pinned", version=version)
        self.assertIsNone(store.last_rejection("pinned.rig.example"))
        refusal = self.refused("pin-mismatch", self.connect, judged, server, "pinned.rig.example")
        self.assertEqual([(record.levelname, record.getMessage()) for record in records], [("WARNING", str(refusal))])
        for name in ("pinned.rig.example", "PINNED.rig.example", "pinned.rig.example."):
            kept = store.last_rejection(name)
            self.assertEqual((str(kept), kept.violations, kept.epoch), (str(refusal), refusal.violations, refusal.epoch))
            self.assertIsNone(kept.__traceback__)
        # One connection, however often it is asked.
        connection = judged.wrap_socket(
            self.raw(server), server_hostname="pinned.rig.example", do_handshake_on_connect=False)
        for _ in range(3):
            self.refused("pin-mismatch", connection.send, SECRET)
        connection.close()
        self.assertEqual(len(records), 2)
        # An accept is not logged, and takes nothing back.
        good = self.catcher("good", version=version)
        self.assertEqual(self.connect(judged, good, "good.rig.example"), b"HTTP/1.1 200")
        self.assertEqual(len(records), 2)
        self.assertIsNone(store.last_rejection("good.rig.example"))
        # What the policy was not asked, too.
        store.close()
        self.refused("no-verdict", self.connect, judged, good, "good.rig.example")
        self.assertTrue(store.last_rejection("good.rig.example").has("no-verdict"))
        self.assertIn("the store is closed", records[-1].getMessage())
        # By an event loop.
        other = self.store(logger=told)
        over = hawser_tls.SSLContext(other, attach=context.is_attached)

        async def main():
            await asyncio.open_connection("127.0.0.1", server.port, ssl=over, server_hostname="pinned.rig.example")

        self.refused("pin-mismatch", asyncio.run, main())
        self.assertTrue(other.last_rejection("pinned.rig.example").has("pin-mismatch"))
        self.nothing_came(server)

    def test_the_log_is_one_line(self):
        told, records = logger()
        store = self.store(logger=told)
        store._refused(RejectError("a\nb\x1b[1m", 443, (Violation("no-verdict", "x\ny"),)))
        self.assertEqual(len(records[0].getMessage().splitlines()), 1)
        self.assertNotIn("\x1b", records[0].getMessage())
        # A handler that raises costs its line, not the refusal.
        told.handlers[0].emit = lambda record: 1 / 0
        store._refused(RejectError("a", 443, (Violation("no-verdict", "x"),)))
        self.assertEqual(store.last_rejection("a").host, "a")
        self.store(logger=None)._refused(RejectError("a", 443, (Violation("no-verdict", "x"),)))

    def test_kept_are_the_last_hosts(self):
        store = self.store(logger=None)
        for number in range(1500):
            store._refused(RejectError(f"{number}.example", 443, (Violation("expired", "x"),)))
        store._refused(RejectError("600.example", 443, (Violation("revoked", "x"),)))
        self.assertEqual(len(store._rejections), 1024)
        self.assertIsNone(store.last_rejection("1.example"))
        self.assertTrue(store.last_rejection("600.example").has("revoked"))
        self.assertTrue(store.last_rejection("1499.example").has("expired"))

    def test_an_error_that_has_the_text_alone(self):
        server = self.catcher("pinned")
        context = hawser_tls.SSLContext(self.store(logger=None))
        refusal = self.refused("pin-mismatch", self.connect, context, server, "pinned.rig.example")
        for error in (OSError(f"servers: [{refusal}], Timeout: 30s"), ValueError(OSError(str(refusal)))):
            found = hawser_tls.rejection(error)
            self.assertEqual((found.host, found.violations, found.epoch), (refusal.host, refusal.violations, refusal.epoch))
        class Textless(Exception):
            def __str__(self):
                raise KeyError

        for error in (OSError("hawser: reject nobody.example: expired: x"), OSError(""), Textless()):
            self.assertIsNone(hawser_tls.rejection(error))

    def test_a_refusal_keeps_nothing_alive(self):
        server = self.catcher("pinned")
        store = self.store(logger=None)
        context = hawser_tls.SSLContext(store)
        connection = context.wrap_socket(
            self.raw(server), server_hostname="pinned.rig.example", do_handshake_on_connect=False)
        self.refused("pin-mismatch", connection.do_handshake)
        reference = weakref.ref(connection)
        connection.close()
        del connection
        gc.collect()
        self.assertIsNone(reference())

    def test_ldap3(self):
        import ldap3

        server, store = self.catcher("pinned"), self.store(logger=None)
        context = hawser_tls.SSLContext(store)

        class Tls(ldap3.Tls):
            def wrap_socket(self, connection, do_handshake=False):
                connection.socket = context.wrap_socket(
                    connection.socket, server_hostname="pinned.rig.example", do_handshake_on_connect=do_handshake)

        with self.assertRaises(ldap3.core.exceptions.LDAPSocketOpenError) as caught:
            ldap3.Connection(ldap3.Server("127.0.0.1", server.port, use_ssl=True, tls=Tls())).bind()
        found = hawser_tls.rejection(caught.exception)
        self.assertEqual(found.violations, store.last_rejection("pinned.rig.example").violations)
        self.nothing_came(server)


class Changes(Case):
    def test_on_change(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "policy.table")
            shutil.copy(TABLE, path)
            seen, came = [], threading.Event()

            def changed(snapshot):
                # What a program may do there: ask, and offer a table.
                seen.append((snapshot.epoch, snapshot.stricter_hosts, store.epoch, threading.current_thread().name))
                came.set()
                if len(seen) == 2:
                    raise KeyError("of a program")

            told, records = logger()
            store = self.store(path, watch=True, logger=told, on_change=changed)
            store.reload()
            for table in (STRICTER, TABLE, STRICTER):
                count = len(seen)
                shutil.copy(table, path.with_name("next"))
                path.with_name("next").rename(path)
                end = time.monotonic() + 60
                while len(seen) == count and time.monotonic() < end:
                    time.sleep(0.01)
            self.assertEqual([one[0] for one in seen], [2, 3, 4])
            self.assertEqual(seen[0][1:], (("good.rig.example",), 2, "hawser-change"))
            self.assertEqual([record.getMessage() for record in records if record.exc_info], ["`on_change` failed"])
            # A table of the same meaning, and a table that is refused, do not count as changes.
            store.reload()
            self.assertRaises(hawser_tls.StoreError, store.reload, b"damaged")
            store.close()
            time.sleep(0.2)
            self.assertEqual(len(seen), 3)

    def test_without_a_log(self):
        came = threading.Event()
        store = self.store(TABLE.read_bytes(), logger=None, on_change=lambda snapshot: came.set())
        store.reload(STRICTER.read_bytes())
        self.assertTrue(came.wait(60))

    def test_it_keeps_no_store(self):
        store = hawser_tls.Store(TABLE, logger=None, on_change=print)
        reference = weakref.ref(store)
        del store
        gc.collect()
        self.assertIsNone(reference())
        for thread in writers():
            thread.join(60)
            self.assertFalse(thread.is_alive())

    def test_a_slow_one_holds_up_no_other_store(self):
        begun, over = threading.Event(), threading.Event()
        self.addCleanup(over.set)
        told, records = logger()

        def slow(snapshot):
            begun.set()
            over.wait(60)

        store = self.store(TABLE.read_bytes(), logger=None, on_change=slow)
        other = self.store(TABLE.read_bytes(), logger=told)
        store.reload(STRICTER.read_bytes())
        self.assertTrue(begun.wait(60))
        self.assertRaises(hawser_tls.StoreError, other.reload, b"damaged")
        end = time.monotonic() + 60
        while not records and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual(len(records), 1)
        # What came meanwhile is told when the call is over, once.
        seen = []
        store._on_change = lambda snapshot: seen.append(snapshot.epoch)
        store.reload(TABLE.read_bytes())
        store.reload(STRICTER.read_bytes())
        over.set()
        while not seen and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual(seen, [4])

    def test_many_stores_have_few_threads(self):
        def threads():
            return len(os.listdir("/proc/self/task"))

        before = threads()
        told, _ = logger()
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder, f"{number}.table") for number in range(100)]
            for path in paths:
                shutil.copy(TABLE, path)
            stores = [hawser_tls.Store(path, watch=True, logger=told) for path in paths]
            end = time.monotonic() + 60
            while {store.state().watching for store in stores} != {"notified"} and time.monotonic() < end:
                time.sleep(0.01)
            for path in paths:
                shutil.copy(STRICTER, path.with_name("next"))
                path.with_name("next").rename(path)
            while {store.epoch for store in stores} != {2} and time.monotonic() < end:
                time.sleep(0.01)
            self.assertEqual({store.epoch for store in stores}, {2})
            self.assertLessEqual(threads(), before + 10)
            self.assertEqual(len(writers()), 1)
            for store in stores:
                store.close()
        for thread in writers():
            thread.join(60)
            self.assertFalse(thread.is_alive())


class Arguments(Case):
    def test_what_state_may_be_required(self):
        for value in ("at_start", "yes", 2):
            with self.assertRaises(ValueError) as caught:
                hawser_tls.Store(TABLE, require_state=value)
            self.assertIn("`require_state`", str(caught.exception))
        for value in (True, "at-start"):
            with self.assertRaises(hawser_tls.StoreError) as caught:
                hawser_tls.Store(TABLE, require_state=value)
            self.assertEqual(caught.exception.reason, "no-trusted-keys")

    def test_wrong_types(self):
        key, der = bytes(32), ssl.PEM_cert_to_DER_cert((RIG / "good.pem").read_text())
        store = self.store(logger=None)
        for words, act in [
            ("`trusted_keys`", lambda: hawser_tls.Store(TABLE, trusted_keys=key)),
            ("`trusted_keys`", lambda: hawser_tls.Store(TABLE, trusted_keys=["-----BEGIN PUBLIC KEY-----"])),
            ("`trusted_keys`", lambda: hawser_tls.Store(TABLE, trusted_keys="a")),
            ("`trusted_keys`", lambda: hawser_tls.Store(TABLE, trusted_keys=[bytearray(key)])),
            ("`trusted_keys`", lambda: hawser_tls.Store(TABLE, trusted_keys=[key, None])),
            ("`chain`", lambda: store.evaluate("good.rig.example", der)),
            ("`chain`", lambda: store.evaluate("good.rig.example", [(RIG / "good.pem").read_text()])),
            ("`crls`", lambda: store.evaluate("good.rig.example", [der], crls=der)),
            ("`ocsp_responses`", lambda: store.explain("good.rig.example", [der], ocsp_responses=der)),
            ("`on_change`", lambda: hawser_tls.Store(TABLE, on_change=3)),
        ]:
            with self.subTest(words):
                with self.assertRaises(TypeError) as caught:
                    act()
                self.assertIn(words, str(caught.exception))
        with self.assertRaises(ValueError) as caught:
            hawser_tls.Store(TABLE, staleness="often")
        self.assertIn("'never', 'warn', 'reject'", str(caught.exception))
        # Classes that libraries set, as pymongo does to keep sessions.
        context = hawser_tls.SSLContext(store)
        context.sslsocket_class, context.sslobject_class = ssl.SSLSocket, ssl.SSLObject
        self.assertIs(context.sslobject_class, hawser_tls.JudgedObject)
        self.assertIs(context.sslsocket_class, hawser_tls.JudgedSocket)
        server = self.catcher("pinned")
        self.refused("pin-mismatch", context.wrap_socket, self.raw(server), server_hostname="pinned.rig.example")


if __name__ == "__main__":
    unittest.main()
