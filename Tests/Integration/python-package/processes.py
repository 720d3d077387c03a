"""Stores and processes: what may not be pickled and copied, numbers that no other process has, and
children after fork, of multiprocessing, gunicorn and celery too. Run as ways.py is.
"""

import concurrent.futures
import copy
import json
import logging
import multiprocessing
import os
import pathlib
import pickle
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
import urllib.request

import hawser_tls
import hawser_tls.requests
import requests
from hawser_tls import _store
from servers import RIG
from ways import MAY_ATTACH, SECRET, TABLE, Case, ways

HERE = pathlib.Path(__file__).resolve().parent


def chain(name):
    return [ssl.PEM_cert_to_DER_cert((RIG / f"{name}.pem").read_text())]


def accepts(store, name):
    return store.evaluate(f"{name}.rig.example", chain(name), version=0x0304).accepted


def in_child(function):
    """What a function returns in a child of fork, as JSON; its exception's text where it raises."""
    near, far = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            try:
                answer = function()
            except BaseException as error:
                answer = f"{type(error).__name__}: {error}"
            os.write(far, json.dumps(answer).encode())
        finally:
            os._exit(0)
    os.close(far)
    with open(near, "rb") as file:
        said = file.read()
    os.waitpid(child, 0)
    return json.loads(said)


def child_numbers(table):
    """For processes that are spawned: the numbers of ten stores."""
    return [hawser_tls.Store(table, logger=None)._handle.number for _ in range(10)]


def is_accepted(store):
    return accepts(store, "good")


class Copies(Case):
    def each(self):
        store = self.store()
        for attach in ([True] if MAY_ATTACH else []) + [False]:
            context = hawser_tls.SSLContext(store, attach=attach)
            server = self.catcher("good")
            made = context.wrap_socket(
                self.raw(server), server_hostname="good.rig.example", do_handshake_on_connect=False)
            self.addCleanup(made.close)
            over = context.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname="good.rig.example")
            self.assertRaises(ssl.SSLWantReadError, over.do_handshake)
            yield from (store, context, made, over, made._sslobj, over._sslobj)
            if attach:
                yield over._sslobj._handshake
        adapter = hawser_tls.requests.HTTPAdapter(context)
        session = requests.Session()
        session.mount("https://", adapter)
        yield from (adapter, session, {"deep": [store]}, (1, context))

    def test_what_stands_for_a_handle(self):
        for one in self.each():
            with self.subTest(type(one).__name__):
                for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                    # Some of the interpreter's are refused when they are read.
                    with self.assertRaises(TypeError):
                        pickle.loads(pickle.dumps(one, protocol))
                self.assertRaises(TypeError, copy.deepcopy, one)
                if not isinstance(one, (dict, tuple)) and type(one).__name__ not in ("HTTPAdapter", "Session"):
                    self.assertRaises(TypeError, copy.copy, one)

    def test_it_says_what_to_do(self):
        store = self.store()
        for one in (store, hawser_tls.SSLContext(store)):
            with self.assertRaises(TypeError) as caught:
                pickle.dumps(one)
            self.assertIn("another process", str(caught.exception))
        # An argument of a worker that is spawned, and of a task of a pool.
        spawn = multiprocessing.get_context("spawn")
        self.assertRaises(TypeError, spawn.Process(target=is_accepted, args=(store,)).start)
        for kind in ("spawn", "fork"):
            with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(kind)) as pool:
                self.assertRaises(TypeError, pool.submit(is_accepted, store).result)

    def test_what_is_values_alone(self):
        store = self.store()
        verdict = store.explain("pinned.rig.example", chain("pinned"), version=0x0304)
        for one in (verdict, store.snapshot(), store.state()):
            self.assertEqual(pickle.loads(pickle.dumps(one)), one)
            self.assertEqual(copy.deepcopy(one), one)

    def test_numbers_of_another_process(self):
        own = set(child_numbers(TABLE))
        with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
            for _ in range(3):
                theirs = set(pool.map(child_numbers, [str(TABLE)])[0])
                self.assertEqual(len(theirs), 10)
                self.assertEqual(own & theirs, set())
                own |= theirs
        # A stale number names nothing here, whatever is open.
        stores = [self.store() for _ in range(10)]
        for number in theirs:
            with self.assertRaises(hawser_tls.StoreError) as caught:
                _store.c.call(_store.c.library.hawser_store_confirm, _store.c.StoreHandle(number))
            self.assertEqual(caught.exception.reason, "not-an-object")
        # Siblings, and their parent.
        found = [number for _ in range(3) for number in in_child(lambda: child_numbers(TABLE))]
        found += [store._handle.number for store in stores] + child_numbers(TABLE)
        self.assertEqual(len(set(found)), len(found))


class Lines(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(f"{record.levelname} {record.getMessage()}")


class Forks(Case):
    def lines(self):
        """A logger, and its lines."""
        logger, handler = logging.Logger("of a test", logging.INFO), Lines()
        logger.addHandler(handler)
        return logger, handler.lines

    def connect(self, context, server, host="good"):
        with context.wrap_socket(
            socket.create_connection(("127.0.0.1", server.port)), server_hostname=f"{host}.rig.example"
        ) as connection:
            connection.sendall(SECRET)
            return connection.recv(12).decode()

    @ways
    def test_a_context_of_the_parent(self, context, version):
        good, pinned = self.catcher("good", version=version), self.catcher("pinned", version=version)
        attach = context.is_attached

        def child():
            said = [self.connect(context, good), context.is_attached]
            try:
                said.append(self.connect(context, pinned, "pinned"))
            except hawser_tls.RejectError as refusal:
                said.append(refusal.violations[0].id)
            return [*said, in_child(lambda: self.connect(context, good)), self.connect(context, good)]

        for _ in range(2):
            answer = "HTTP/1.1 200"
            self.assertEqual(in_child(child), [answer, attach, "pin-mismatch", answer, answer])
            self.assertEqual(self.connect(context, good), answer)
        self.nothing_came(pinned)

    @ways
    def test_a_connection_that_was_begun(self, context, version):
        for host, answer in [("good", "HTTP/1.1 200"), ("pinned", "pin-mismatch")]:
            server = self.catcher(host, version=version)
            begun = context.wrap_socket(
                self.raw(server), server_hostname=f"{host}.rig.example", do_handshake_on_connect=False)

            def child():
                try:
                    begun.sendall(SECRET)
                    return begun.recv(12).decode()
                except hawser_tls.RejectError as refusal:
                    return refusal.violations[0].id

            self.assertEqual(in_child(child), answer)
            begun.close()
            server.wait()
            self.assertEqual(server.octets, SECRET if host == "good" else b"")

    def test_the_policy_of_the_fork(self):
        stricter = (RIG / "stricter.table").read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "policy.table")
            shutil.copy(TABLE, path)
            logger, lines = self.lines()
            watched, asked = self.store(path, logger=logger), self.store(path, watch=False, logger=None)
            octets = self.store(TABLE.read_bytes(), logger=None)
            octets.reload(stricter)
            given = self.store(path, watch=False, logger=None)
            given.reload(stricter)
            stores = (watched, asked, octets, given)
            epochs = [store.epoch for store in stores]
            self.assertEqual(epochs, [1, 1, 2, 2])

            def child():
                del lines[:]
                said = [[accepts(store, "good") for store in stores], [store.epoch for store in stores]]
                # An epoch of before the fork holds if it was in force at the fork.
                said.append([store.holds(1, "good.rig.example") for store in stores])
                # Closed by the child, the parent's stay open.
                for store in stores[1:]:
                    store.close()
                end = time.monotonic() + 30
                while not lines and time.monotonic() < end:
                    time.sleep(0.01)
                return [*said, lines]

            *said, logged = in_child(child)
            self.assertEqual(said, [[True, True, False, False], epochs, [True, True, False, False]])
            # At the default level of a program that asked for INFO, one line.
            self.assertEqual(len(logged), 1, logged)
            self.assertIn("goes on with the policy table that was in force in another process", logged[0])
            self.assertTrue(logged[0].startswith("INFO "), logged)
            # The file as it is by then does not count: damaged, missing, or another table.
            path.write_bytes(b"damaged")
            self.assertEqual(in_child(lambda: accepts(asked, "good")), True)
            path.unlink()
            self.assertEqual(in_child(lambda: accepts(asked, "good")), True)
            path.write_bytes(stricter)
            self.assertEqual(in_child(lambda: accepts(asked, "good")), True)

            def reloads():
                asked.reload()
                return [accepts(asked, "good"), asked.epoch]

            self.assertEqual(in_child(reloads), [False, 2])
            # A store that watches reads the file before its first verdict in the child.
            def replaced_meanwhile():
                pathlib.Path(folder, "next").write_bytes(stricter)
                pathlib.Path(folder, "next").rename(path)
                return [accepts(watched, "good"), accepts(asked, "good"), watched.epoch]

            path.unlink()
            shutil.copy(TABLE, path)
            watched.reload()
            now = watched.epoch
            self.assertEqual(in_child(replaced_meanwhile), [False, True, now + 1])
            # And follows it from then on.
            def follows():
                woken = watched.epoch_descriptor()
                replaced = pathlib.Path(folder, "next")
                replaced.write_bytes(TABLE.read_bytes() if not accepts(watched, "good") else stricter)
                before = watched.epoch
                replaced.rename(path)
                end = time.monotonic() + 60
                while watched.epoch == before and time.monotonic() < end:
                    time.sleep(0.01)
                os.close(woken)
                return watched.epoch > before

            self.assertTrue(in_child(follows))

    def test_the_state_directory_is_the_parents(self):
        with tempfile.TemporaryDirectory() as folder:
            state = pathlib.Path(folder, "state")
            store = self.store(TABLE, name="kept", state_directory=state, logger=None)

            def files():
                return sorted((str(path), path.stat().st_mtime_ns) for path in state.rglob("*"))

            before = files()
            self.assertTrue(before)

            def child():
                found = store.state()
                store.reload((RIG / "stricter.table").read_bytes())
                return [found.directory, store.snapshot().rollback_protection, accepts(store, "good")]

            self.assertEqual(in_child(child), [None, "off", False])
            self.assertEqual(files(), before)
            self.assertEqual(store.state().directory, str(state))
            self.assertTrue(accepts(store, "good"))

    def test_staleness_goes_on(self):
        store = self.store(staleness="reject", stale_after=2, logger=None)
        time.sleep(3.1)
        self.assertFalse(accepts(store, "good"))
        self.assertEqual(in_child(lambda: accepts(store, "good")), False)

    def test_a_store_that_is_closed(self):
        store, other = self.store(logger=None), self.store(logger=None)
        store.close()
        self.assertIn("StoreError", in_child(lambda: accepts(store, "good")))

        def child():
            other.close()
            return accepts(other, "good")

        self.assertIn("StoreError", in_child(child))
        self.assertTrue(accepts(other, "good"))
        self.assertEqual(in_child(lambda: repr(store)), "<hawser_tls.Store closed>")

    def test_a_fork_that_python_is_not_told_of(self):
        import ctypes

        store = self.store(logger=None)
        near, far = os.pipe()
        child = ctypes.PyDLL(None).fork()
        if child == 0:
            try:
                accepts(store, "good")
                os.write(far, b"judged")
            except hawser_tls.StoreError as error:
                os.write(far, error.reason.encode())
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        os.close(far)
        with open(near, "rb") as file:
            self.assertEqual(file.read(), b"forked")

    def test_many_threads_and_forks(self):
        store = self.store(watch=True, logger=None)
        context = hawser_tls.SSLContext(store, attach=MAY_ATTACH)
        server = self.catcher("good")
        stop = threading.Event()

        def judge():
            while not stop.is_set():
                accepts(store, "good")

        def open_and_reload():
            while not stop.is_set():
                with hawser_tls.Store(TABLE, watch=True, logger=None) as other:
                    other.reload()

        threads = [threading.Thread(target=act) for act in (judge, judge, open_and_reload)]
        for thread in threads:
            thread.start()

        def child():
            found = []
            workers = [threading.Thread(target=lambda: found.append(accepts(store, "good"))) for _ in range(4)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            return [*found, self.connect(context, server)]

        try:
            for _ in range(40):
                self.assertEqual(in_child(child), [True] * 4 + ["HTTP/1.1 200"])
        finally:
            stop.set()
            for thread in threads:
                thread.join()


# What a program of the field does at its import, in the process that forks.
PRELOADED = textwrap.dedent("""
    import os, socket, sys, urllib.request
    import hawser_tls
    # Names of the rig are loopback, also where `socket` is patched later.
    def loopback(address, *rest, **names):
        from socket import create_connection as connect
        return connect(("127.0.0.1", address[1]), *rest, **names)
    import http.client
    class Connection(http.client.HTTPSConnection):
        def __init__(self, *arguments, **names):
            super().__init__(*arguments, **names)
            self._create_connection = loopback
    class Handler(urllib.request.HTTPSHandler):
        def https_open(self, request):
            return self.do_open(Connection, request, context=self._context)
    store = hawser_tls.Store(os.environ["TABLE"], watch=True)
    context = hawser_tls.SSLContext(store)
    def ask(host, port):
        try:
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Handler(context=context))
            with opener.open(f"https://{host}.rig.example:{port}/", timeout=30) as answer:
                return f"{os.getpid()} {answer.status}"
        except Exception as error:
            found = hawser_tls.rejection(error)
            return f"{os.getpid()} {found.violations[0].id if found else repr(error)}"
    """)


class Servers(Case):
    """Programs that fork their workers, with the store in the process that forks."""

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "preloaded.py").write_text(PRELOADED)
        self.good, self.pinned = self.catcher("good"), self.catcher("pinned")
        self.environment = {**os.environ, "TABLE": str(TABLE), "PYTHONPATH": str(self.folder)}

    def check(self, said, *, parent=None):
        """`said`: what workers said of the good server and of the other, in turn."""
        for text, answer in zip(said, ["200", "pin-mismatch"] * len(said)):
            self.assertEqual(text.split()[1:], [answer], said)
            self.assertNotEqual(text.split()[0], str(parent))
        self.nothing_came(self.pinned)

    def questions(self):
        return [(name, server.port) for name, server in [("good", self.good), ("pinned", self.pinned)]]

    def test_multiprocessing(self):
        program = textwrap.dedent("""
            import concurrent.futures, multiprocessing, sys
            import preloaded
            if __name__ == "__main__":
                questions = [("good", int(sys.argv[1])), ("pinned", int(sys.argv[2]))]
                print(*preloaded.ask(*questions[0]).split(), "parent")
                for kind in ("fork", "spawn", "forkserver"):
                    method = multiprocessing.get_context(kind)
                    with concurrent.futures.ProcessPoolExecutor(2, mp_context=method) as pool:
                        for said in pool.map(preloaded.ask, *zip(*questions)):
                            print(said)
                    with method.Pool(2) as pool:
                        for said in pool.starmap(preloaded.ask, questions):
                            print(said)
            """)
        (self.folder / "program.py").write_text(program)
        done = subprocess.run(
            [sys.executable, self.folder / "program.py", *(str(port) for _, port in self.questions())],
            capture_output=True, text=True, timeout=300, env=self.environment)
        parent, *said = done.stdout.splitlines()
        self.assertEqual((done.returncode, parent.split()[1:]), (0, ["200", "parent"]), done)
        self.assertEqual(len(said), 12, done)
        self.check(said, parent=parent.split()[0])

    def gunicorn(self, *arguments):
        (self.folder / "app.py").write_text(textwrap.dedent("""
            import preloaded
            def app(environ, start):
                host, port = environ["PATH_INFO"].strip("/").split("/")
                start("200 OK", [("Content-Type", "text/plain")])
                return [preloaded.ask(host, int(port)).encode()]
            """))
        with socket.create_server(("127.0.0.1", 0)) as listener:
            os.set_inheritable(listener.fileno(), True)
            port = listener.getsockname()[1]
            log = open(self.folder / "gunicorn.log", "w+")
            self.addCleanup(log.close)
            process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "-b", f"fd://{listener.fileno()}", "--workers", "2", "--timeout", "60",
                 *arguments, "app:app"], stdout=log, stderr=log, env=self.environment, cwd=self.folder,
                pass_fds=[listener.fileno()])  # fmt: skip
        try:
            said = []
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            for host, of in self.questions() * 3:
                with opener.open(f"http://127.0.0.1:{port}/{host}/{of}", timeout=60) as answer:
                    said.append(answer.read().decode())
        except OSError as error:
            log.seek(0)
            self.fail(f"{error}: {log.read()}")
        finally:
            process.terminate()
            process.wait()
        self.check(said, parent=process.pid)

    def test_gunicorn(self):
        for kind in (["-k", "sync"], ["-k", "gthread", "--threads", "4"], ["-k", "gevent"]):
            for preload in ([], ["--preload"]):
                with self.subTest(" ".join(kind + preload)):
                    self.gunicorn(*kind, *preload)

    def test_celery(self):
        (self.folder / "tasks.py").write_text(textwrap.dedent("""
            import os, pathlib
            import celery
            import preloaded
            at = pathlib.Path(__file__).parent
            for name in ("queue", "done", "results"):
                (at / name).mkdir(exist_ok=True)
            app = celery.Celery("tasks", broker="filesystem://", backend=f"file://{at}/results",
                broker_transport_options={"data_folder_in": str(at / "queue"), "data_folder_out": str(at / "queue")})
            app.conf.update(broker_connection_retry_on_startup=True, worker_hijack_root_logger=False)
            ask = app.task(preloaded.ask, name="ask")
            if __name__ == "__main__":
                import sys
                for host, port in zip(sys.argv[1::2], sys.argv[2::2]):
                    print(app.send_task("ask", (host, int(port))).get(timeout=60))
            """))
        log = open(self.folder / "celery.log", "w+")
        self.addCleanup(log.close)
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "tasks", "worker", "--pool", "prefork", "--concurrency", "2",
             "--without-gossip", "--without-mingle", "--loglevel", "INFO"],
            stdout=log, stderr=log, env={**self.environment, "C_FORCE_ROOT": "1"}, cwd=self.folder)  # fmt: skip
        try:
            asked = [str(word) for question in self.questions() for word in question]
            done = subprocess.run(
                [sys.executable, "tasks.py", *asked], capture_output=True, text=True, timeout=120,
                env=self.environment, cwd=self.folder)
        finally:
            process.terminate()
            process.wait()
        log.seek(0)
        self.assertEqual(done.returncode, 0, done.stderr + log.read())
        self.check(done.stdout.splitlines(), parent=process.pid)


if __name__ == "__main__":
    unittest.main()
