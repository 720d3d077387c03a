"""A store with a folder of CRLite filters: verdicts, explanations, folders that are missing or replaced,
children after fork. Run by unittest in an environment that the wheel is installed in.
"""

import hashlib
import logging
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest

import hawser_tls
from servers import RIG, Catcher

HOST = "filtered.rig.example"
PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "filters.py"
CHAIN = [ssl.PEM_cert_to_DER_cert((RIG / "filtered.pem").read_text())]


def fill(folder, state):
    subprocess.run([sys.executable, PROGRAM, "fill", folder, RIG / "root.pem", state], check=True)


class Filters(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name) / "filters"

    def store(self, **names):
        store = hawser_tls.Store(RIG / "one.table", crlite_directory=self.folder, **names)
        self.addCleanup(store.close)
        return store

    def test_good_and_revoked(self):
        fill(self.folder, "good")
        store = self.store()
        self.assertTrue(store.evaluate(HOST, CHAIN, version=0x0304).accepted)
        fill(self.folder, "revoked")
        # The state is told when the newest filters answer.
        state = store.state()
        self.assertEqual((state.crlite_directory, state.crlite_message), (str(self.folder), None))
        verdict = store.evaluate(HOST, CHAIN, version=0x0304)
        self.assertEqual([violation.id for violation in verdict.violations], ["revoked"])
        explanation = store.explain(HOST, CHAIN, version=0x0304).explanation
        self.assertIn("revoked.filter", explanation)
        digest = hashlib.sha256((self.folder / "revoked.filter").read_bytes()).hexdigest()
        self.assertIn(digest, explanation)

    def test_missing(self):
        with self.assertLogs("hawser_tls", logging.ERROR) as logged:
            store = self.store()
            store.close()
            # The line comes from a thread that logs for all stores.
            end = time.monotonic() + 20
            while not logged.output and time.monotonic() < end:
                time.sleep(0.01)
        self.assertIn("the CRLite filters cannot be asked", logged.output[0])
        store = self.store(logger=None)
        self.assertIn(str(self.folder), store.state().crlite_message)
        verdict = store.evaluate(HOST, CHAIN, version=0x0304)
        self.assertEqual([violation.id for violation in verdict.violations], ["revocation-undetermined"])
        fill(self.folder, "good")
        self.assertTrue(store.evaluate(HOST, CHAIN, version=0x0304).accepted)
        self.assertIsNone(store.state().crlite_message)

    def test_none(self):
        store = hawser_tls.Store(RIG / "one.table")
        self.addCleanup(store.close)
        self.assertIsNone(store.state().crlite_directory)
        self.assertFalse(store.evaluate(HOST, CHAIN, version=0x0304).accepted)

    def test_connection(self):
        for state in ["good", "revoked"]:
            fill(self.folder, state)
            server = Catcher("filtered")
            self.addCleanup(server.close)
            context = hawser_tls.SSLContext(self.store(logger=None))
            with socket_to(server) as raw:
                if state == "good":
                    context.wrap_socket(raw, server_hostname=HOST).close()
                    continue
                with self.assertRaises(hawser_tls.RejectError) as caught:
                    context.wrap_socket(raw, server_hostname=HOST)
                self.assertTrue(caught.exception.has("revoked"))

    def test_child(self):
        fill(self.folder, "revoked")
        store = self.store(logger=None)
        child = os.fork()
        if child == 0:
            verdict = store.evaluate(HOST, CHAIN, version=0x0304)
            os._exit(0 if [violation.id for violation in verdict.violations] == ["revoked"] else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


def socket_to(server):
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.settimeout(60)
    return connection


if __name__ == "__main__":
    unittest.main()
