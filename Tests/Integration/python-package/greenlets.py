"""The package under gevent and eventlet: patched before it is imported, and after. Run as ways.py is.

Each case is a program of its own, since nothing takes a patch back.
"""

import json
import os
import subprocess
import sys
import textwrap
import unittest

from servers import RIG
from ways import MAY_ATTACH, TABLE, Case

PATCHES = {
    "gevent": "from gevent import monkey; monkey.patch_all()",
    "eventlet": "import eventlet; eventlet.monkey_patch()",
}

# Of all programs: greenlets, and connections to the servers of the test, whose ports come as
# arguments.
COMMON = """
import json, select, socket, ssl, sys, threading, time, urllib.request, warnings
import http.client
ports = json.loads(sys.argv[1])
TABLE, STRICTER, ATTACH = sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
def raw(host):
    return socket.create_connection(("127.0.0.1", ports[host]), timeout=30)
class Connection(http.client.HTTPSConnection):
    def __init__(self, *arguments, **names):
        super().__init__(*arguments, **names)
        self._create_connection = lambda address, *rest: raw(address[0].split(".")[0])
class Handler(urllib.request.HTTPSHandler):
    def https_open(self, request):
        return self.do_open(Connection, request, context=self._context)
def outcome(act):
    try:
        return act()
    except Exception as error:
        found = hawser_tls.rejection(error)
        return found.violations[0].id if found else repr(error)
def get(context, host):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Handler(context=context))
    def act():
        with opener.open(f"https://{host}.rig.example:{ports[host]}/") as answer:
            return answer.status
    return outcome(act)
def together(*acts):
    found = [None] * len(acts)
    def run(index):
        found[index] = outcome(acts[index])
    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(acts))]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return found
def say(*words):
    print(json.dumps(words))
"""

# `ways.py` has the same ways for plain sockets.
WAYS = """
context = hawser_tls.SSLContext(hawser_tls.Store(TABLE, logger=None), attach=ATTACH)
say(*together(*[lambda host=host: get(context, host) for host in ("good", "pinned", "expired") * 4]))
SECRET = b"GET /secret HTTP/1.1\\r\\n\\r\\n"
def wrapped(host, **names):
    return context.wrap_socket(raw(host), server_hostname=f"{host}.rig.example", **names)
def write(host, act):
    connection = wrapped(host, do_handshake_on_connect=False)
    try:
        def go():
            act(connection)
            return connection.recv(12).decode()
        said = [outcome(go)]
        if said != ["HTTP/1.1 200"]:
            # And again, however often, and after `ssl` has dropped its object.
            said.append(outcome(lambda: connection.sendall(SECRET)))
            said.append(outcome(connection.do_handshake))
            try:
                connection.shutdown(socket.SHUT_RD)
                connection.send(SECRET)
                said.append("sent")
            except OSError:
                pass
        return said
    finally:
        connection.close()
def makefile(connection):
    with connection.makefile("wb") as file:
        file.write(SECRET)
for host in ("good", "pinned"):
    for act in (lambda c: c.send(SECRET), lambda c: c.sendall(SECRET), lambda c: c.write(SECRET), makefile):
        say(*write(host, act))
def later(host):
    connection = context.wrap_socket(socket.socket(), server_hostname=f"{host}.rig.example")
    try:
        connection.connect(("127.0.0.1", ports[host]))
        connection.sendall(SECRET)
        return connection.recv(12).decode()
    except ssl.SSLError as error:
        try:
            connection.sendall(SECRET)
        except OSError:
            pass
        raise
    finally:
        connection.close()
say(outcome(lambda: later("good")), outcome(lambda: later("pinned")))
say(isinstance(wrapped("good"), context.sslsocket_class), context.is_attached)
"""

# A server that does not answer holds nobody up.
WAITING = """
context = hawser_tls.SSLContext(hawser_tls.Store(TABLE, logger=None), attach=ATTACH)
silent = socket.create_server(("127.0.0.1", 0))
def wait():
    connection = socket.create_connection(silent.getsockname(), timeout=3)
    begun = time.monotonic()
    try:
        context.wrap_socket(connection, server_hostname="good.rig.example")
    except (TimeoutError, socket.timeout, OSError):
        return time.monotonic() - begun > 2
    finally:
        connection.close()
begun = time.monotonic()
asked = []
def ask():
    said = get(context, "good")
    asked.append(time.monotonic() - begun)
    return said
say(*together(wait, wait, ask, ask))
say(max(asked) < 2)
"""

# Lines of the library's threads, and `on_change`, come on a greenlet.
LINES = """
import logging
class Log(logging.Handler):
    def emit(self, record):
        lines.append(record.getMessage())
lines, changes = [], []
logging.getLogger("hawser_tls").addHandler(Log())
logging.getLogger("hawser_tls").setLevel(logging.INFO)
import os, shutil, tempfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "policy.table")
    shutil.copy(TABLE, path)
    store = hawser_tls.Store(path, watch=True, on_change=lambda snapshot: changes.append(snapshot.epoch))
    shutil.copy(STRICTER, path + ".next")
    os.rename(path + ".next", path)
    end = time.monotonic() + 30
    while not changes and time.monotonic() < end:
        time.sleep(0.01)
    context = hawser_tls.SSLContext(store, attach=ATTACH)
    said = get(context, "good")
    store.close()
say(changes, sum("put in force" in line for line in lines), said, sum("hawser: reject" in line for line in lines))
"""

# A child of a patched program.
FORK = """
import os
store = hawser_tls.Store(TABLE, watch=True, logger=None)
context = hawser_tls.SSLContext(store, attach=ATTACH)
say(get(context, "good"))
sys.stdout.flush()
child = os.fork()
if child == 0:
    say(get(context, "good"), get(context, "pinned"))
    sys.stdout.flush()
    os._exit(0)
os.waitpid(child, 0)
say(get(context, "good"))
"""


def each(function):
    """Runs a case under each library, patched early and late, attached and not."""

    def run(self):
        for library in PATCHES:
            for late in (False, True):
                for attach in ([True] if MAY_ATTACH else []) + [False]:
                    with self.subTest(library, late=late, attach=attach):
                        function(self, library, {"late": late, "attach": attach})

    return run


class Greenlets(Case):
    def setUp(self):
        super().setUp()
        self.servers = {host: self.catcher(host) for host in ("good", "pinned", "expired")}

    def run_program(self, program, library, *, late=False, attach=False):
        patch, load = PATCHES[library], "import hawser_tls"
        head = f"{load}\nimport ssl\nearly = hawser_tls.SSLContext(hawser_tls.Store({str(TABLE)!r}, logger=None))\n{patch}" if late else f"{patch}\n{load}"
        ports = {host: server.port for host, server in self.servers.items()}
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", f"{head}\n{COMMON}\n{program}", json.dumps(ports), TABLE,
             RIG / "stricter.table", json.dumps(attach)],
            capture_output=True, text=True, timeout=180, env={**os.environ, "EVENTLET_NO_GREENDNS": "yes"})  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        for host in ("pinned", "expired"):
            self.nothing_came(self.servers[host])
        return [json.loads(line) for line in done.stdout.splitlines()]

    @each
    def test_ways(self, library, names):
        first, *rest = self.run_program(WAYS, library, **names)
        self.assertEqual(first, [200, "pin-mismatch", "expired"] * 4)
        self.assertEqual(rest[:4], [["HTTP/1.1 200"]] * 4)
        self.assertEqual(rest[4:8], [["pin-mismatch"] * 3] * 4)
        self.assertEqual(rest[8:], [["HTTP/1.1 200", "pin-mismatch"], [True, names["attach"]]])

    def test_a_context_of_before_the_patch(self):
        for library in PATCHES:
            program = 'say(*together(*[lambda host=host: get(early, host) for host in ("good", "pinned", "expired")]))'
            self.assertEqual(self.run_program(program, library, late=True), [[200, "pin-mismatch", "expired"]])

    @each
    def test_a_server_that_does_not_answer(self, library, names):
        self.assertEqual(self.run_program(WAITING, library, **names), [[True, True, 200, 200], [True]])

    @each
    def test_the_log(self, library, names):
        self.assertEqual(self.run_program(LINES, library, **names), [[[2], 2, "pin-mismatch", 1]])

    def test_a_child(self):
        for library in PATCHES:
            self.assertEqual(
                self.run_program(FORK, library, attach=MAY_ATTACH), [[200], [200, "pin-mismatch"], [200]])

    def test_the_loop_ends(self):
        program = 'store = hawser_tls.Store(TABLE, watch=True)\nimport gevent\nsay(gevent.wait(timeout=60))'
        self.assertEqual(self.run_program(program, "gevent"), [[True]])

    def test_a_patch_that_is_not_known(self):
        # Refused at the start, with the reason: a socket class that makes its own connections.
        program = textwrap.dedent("""
            class Socket(ssl.SSLSocket):
                __module__ = "another.ssl"
            class Context(ssl.SSLContext):
                def wrap_socket(self, sock, **names):
                    import _ssl
                    made = Socket(fileno=sock.detach())
                    made._sslobj = _ssl._SSLContext._wrap_socket(self, made, False, "x.example", owner=made)
                    return made
            ssl.SSLSocket, ssl.SSLContext = Socket, Context
            try:
                hawser_tls.SSLContext(hawser_tls.Store(sys.argv[1]))
            except RuntimeError as error:
                print(error)
            """)
        done = subprocess.run(
            [sys.executable, "-c", f"import hawser_tls, ssl, sys\n{program}", TABLE], capture_output=True, text=True,
            timeout=60)
        self.assertIn("`ssl.SSLSocket` is that of another.ssl", done.stdout, done.stderr)


if __name__ == "__main__":
    unittest.main()
