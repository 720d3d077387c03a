"""The load of python-soak.sh, and what a handshake costs.

Usage: soak.py TABLE STRICTER ROOT CONNECTIONS NAME=PORT...     a port for each server; names are good and
                                                                pinned
"""

import gc
import os
import random
import signal
import socket
import ssl
import statistics
import sys
import threading
import time

import hawser_tls

THREADS, RELOADS, FORKS = 8, 200, 300
REQUEST = b"GET / HTTP/1.0\r\n\r\n"


def resident():
    """Octets of memory in use, after garbage collection."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Load:
    def __init__(self, tables, ports, connections, attach, seed):
        self._tables, self._ports, self._connections, self._seed = tables, ports, connections, seed
        # Without a line of log for each refusal.
        self.store = hawser_tls.Store(tables[0], logger=None)
        self.context = hawser_tls.SSLContext(self.store, attach=attach)
        self._lock = threading.Condition()
        self._done = 0
        # Reloads that were begun, and that are over: even numbers have the first table in force.
        self._begun = self._over = 0
        self.accepted = self.refused = 0
        self.wrong = []

    def run(self):
        workers = [threading.Thread(target=self._work, args=(number,)) for number in range(THREADS)]
        for worker in workers:
            worker.start()
        sizes = []
        for number in range(1, RELOADS + 1):
            with self._lock:
                self._lock.wait_for(lambda: self._done >= number * self._connections // (RELOADS + 1))
                self._begun = number
            self.store.reload(self._tables[number % 2])
            with self._lock:
                self._over = number
            if number % 20 == 0:
                sizes.append(resident())
        for worker in workers:
            worker.join()
        return sizes

    def _work(self, number):
        choose = random.Random(f"{self._seed} {number}")
        for _ in range(self._connections // THREADS):
            host = choose.choice(["good", "good", "pinned"])
            before = self._over
            try:
                answer = connect(self.context, host, choose.choice(self._ports[host]))
            except hawser_tls.RejectError as error:
                answer = error
            except Exception as error:
                self.wrong.append(f"{host}: {error!r}")
                answer = None
            with self._lock:
                # The tables that may have judged: those in force at any time since `before`.
                stricter = {reload % 2 == 1 for reload in range(before, self._begun + 1)}
                self._done += 1
                self._lock.notify_all()
            if isinstance(answer, hawser_tls.RejectError):
                self.refused += 1
                if [one.id for one in answer.violations] != ["pin-mismatch"] or (host == "good" and True not in stricter):
                    self.wrong.append(f"{host}: {answer}")
            elif answer is not None:
                self.accepted += 1
                if not answer.startswith(b"HTTP/1.0 200") or host != "good" or False not in stricter:
                    self.wrong.append(f"{host}: {answer!r} under {stricter}")


def connect(context, host, port):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as raw:
        with context.wrap_socket(raw, server_hostname=f"{host}.rig.example") as connection:
            connection.sendall(REQUEST)
            return connection.recv(64)


def forks(tables, port):
    """Forks while threads judge, open and reload: each child goes on with the parent's store and
    context, and opens its own. Returns what came of the children, by outcome."""
    store = hawser_tls.Store(tables[0], logger=None)
    context = hawser_tls.SSLContext(store)
    stop = threading.Event()
    with open("good.pem") as file:
        chain = [ssl.PEM_cert_to_DER_cert(file.read())]

    # A chain without a connection: a child would keep the parent's open, and the server serves one
    # at a time.
    def judge():
        while not stop.is_set():
            store.evaluate("good.rig.example", chain, version=0x0304)

    def reload():
        while not stop.is_set():
            with hawser_tls.Store(tables[1], logger=None) as other:
                other.reload(tables[0])
            store.reload(tables[0])

    def child():
        try:
            accepted = connect(context, "good", port)[:12] == b"HTTP/1.0 200"
            with hawser_tls.Store(tables[0], logger=None) as own:
                accepted = accepted and connect(hawser_tls.SSLContext(own), "good", port)[:12] == b"HTTP/1.0 200"
            os._exit(0 if accepted else 1)
        except BaseException as error:
            os.write(2, f"{error!r}\n".encode())
            os._exit(2)

    threads = [threading.Thread(target=act) for act in (judge, judge, reload)]
    for thread in threads:
        thread.start()
    outcomes = {}
    for _ in range(FORKS):
        process = os.fork()
        if process == 0:
            child()
        end = time.monotonic() + 60
        outcome = "a child that hangs"
        while time.monotonic() < end:
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                outcome = {0: "accepted"}.get(status, f"status {status}")
                break
            time.sleep(0.002)
        else:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    stop.set()
    for thread in threads:
        thread.join()
    store.close()
    return outcomes


def cost(contexts, port):
    """Microseconds of a connection until it may be used: the middle one for each context, taken in
    turns. The server's share is in all of them."""
    taken = {name: [] for name in contexts}
    for turn in range(1200):
        for name, context in contexts.items():
            with socket.create_connection(("127.0.0.1", port), timeout=60) as raw:
                begun = time.perf_counter()
                with context.wrap_socket(raw, server_hostname="good.rig.example") as connection:
                    ended = time.perf_counter()
                    connection.sendall(REQUEST)
                    connection.recv(64)
            if turn >= 200:
                taken[name].append((ended - begun) * 1e6)
    return {name: statistics.median(times) for name, times in taken.items()}


def main():
    table, stricter, root, connections, *pairs = sys.argv[1:]
    tables = [open(path, "rb").read() for path in (table, stricter)]
    ports = {}
    for pair in pairs:
        name, port = pair.split("=")
        ports.setdefault(name, []).append(int(port))
    seed = int.from_bytes(os.urandom(4), "big")
    print(f"Python {sys.version.split()[0]}, {ssl.OPENSSL_VERSION}, seed {seed}")
    for attach in (True, False):
        load = Load(tables, ports, int(connections), attach, seed)
        begun = time.monotonic()
        sizes = load.run()
        took = time.monotonic() - begun
        word = "attached" if attach else "not attached"
        print(f"{load.accepted + load.refused} connections, {word}: {THREADS} threads, {RELOADS} reloads, {took:.0f} s, "
              f"{load.accepted} accepted, {load.refused} refused, {len(load.wrong)} wrong")  # fmt: skip
        state = load.store.state()
        print(f"{word}: memory after each tenth, MiB: {' '.join(f'{size / 2**20:.1f}' for size in sizes)}")
        if load.wrong or load.accepted == 0 or load.refused == 0:
            sys.exit(f"FAILED: {load.wrong[:10]}")
        if state.installed != RELOADS + 1 or load.store.epoch != RELOADS + 1:
            sys.exit(f"FAILED: {state.installed} tables were in force, epoch {load.store.epoch}")
        # From the third tenth on, when every thread has its memory.
        if sizes[-1] - sizes[2] > 4 * 2**20:
            sys.exit("FAILED: memory grows")
        load.store.close()
    begun = time.monotonic()
    outcomes = forks(tables, ports["good"][0])
    print(f"{FORKS} forks while three threads judge, open and reload: {time.monotonic() - begun:.0f} s, {outcomes}")
    if outcomes != {"accepted": FORKS}:
        sys.exit("FAILED: a child did not go on")
    plain = ssl.create_default_context(cafile=root)
    with hawser_tls.Store(tables[0]) as store:
        contexts = {
            "plain ssl": plain, "attached": hawser_tls.SSLContext(store, attach=True),
            "not attached": hawser_tls.SSLContext(store, attach=False),
        }  # fmt: skip
        middle = cost(contexts, ports["good"][0])
    for name, microseconds in middle.items():
        print(f"a handshake, {name}: {microseconds:.0f} us, {microseconds - middle['plain ssl']:+.0f} us")


main()
