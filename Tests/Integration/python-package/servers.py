"""Servers on loopback for the tests of the package."""

import os
import pathlib
import re
import select
import socket
import subprocess
import tempfile
import threading
import time

RIG = pathlib.Path(os.environ["HAWSER_RIG"])
STARTTLS = b"STARTTLS\r\n"
ACCEPT = re.compile(r"^ACCEPT .*:([0-9]+)( .*)?$", re.MULTILINE)


class Relay:
    """Passes connections on, and knows when one is wholly over: both sides have said their last."""

    def __init__(self, port):
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._lock = threading.Condition()
        self._open = self.count = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self._open += 1
                self.count += 1
            threading.Thread(target=self._pass, args=(near,), daemon=True).start()

    def _pass(self, near):
        try:
            with near, socket.create_connection(("127.0.0.1", self._to)) as far:
                ways = {near: far, far: near}
                while ways:
                    for one in select.select(list(ways), [], [], 60)[0] or [None]:
                        if one is None:
                            return
                        try:
                            data = one.recv(65536)
                            if data:
                                ways[one].sendall(data)
                        except OSError:
                            data = b""
                        if not data:
                            try:
                                ways.pop(one).shutdown(socket.SHUT_WR)
                            except OSError:
                                pass
        finally:
            with self._lock:
                self._open -= 1
                self._lock.notify_all()

    def wait(self):
        """Returns when no connection is open."""
        with self._lock:
            if not self._lock.wait_for(lambda: self._open == 0, timeout=60):
                raise AssertionError("a connection to the server stays open")

    def close(self):
        self._listener.close()


class OpenSSLServer:
    """`openssl s_server` behind a relay; it shows each record that it gets."""

    def __init__(self, name, version, *options):
        self._version = version
        self._log = tempfile.NamedTemporaryFile("w+", prefix=f"{name}-", suffix=".log")
        self._process = subprocess.Popen(
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", RIG / f"{name}.pem", "-cert_chain",
             RIG / f"{name}.pem", "-key", RIG / f"{name}.key", "-www", "-msg", {12: "-tls1_2", 13: "-tls1_3"}[version],
             *options],
            stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log)  # fmt: skip
        for _ in range(400):
            if found := ACCEPT.search(self.said()):
                break
            time.sleep(0.025)
        else:
            raise AssertionError(f"no server came up: {self.said()}")
        self._relay = Relay(int(found[1]))
        self.port = self._relay.port
        self._read = 0

    def said(self):
        return pathlib.Path(self._log.name).read_text(errors="replace")

    def records(self):
        """How many records of application data have come since the last call, and how many hellos."""
        self._relay.wait()
        text = self.said()
        new, self._read = text[self._read :], len(text)
        # Under TLS 1.3 the type that counts is inside; 23 is application data (RFC 8446 section
        # 5.1).
        kind = "InnerContent" if self._version == 13 else "RecordHeader"
        count, is_ours = 0, False
        for line in new.splitlines():
            if is_ours and line.lstrip(" ").startswith("17"):
                count += 1
            is_ours = line.startswith("<<< ") and kind in line
        return count, new.count("ClientHello")

    def close(self):
        self._relay.close()
        self._process.kill()
        self._process.wait()
        self._log.close()


class Catcher:
    """A TLS server of Python's own, behind a relay, that keeps its input: `octets` of application
    data, `clear` octets after the client ended TLS, and the client's certificates."""

    def __init__(self, name, *, version=None, clients=None, answer=b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", starts=b""):
        import ssl

        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(RIG / f"{name}.pem", RIG / f"{name}.key")
        if version is not None:
            self._context.minimum_version = self._context.maximum_version = version
        if clients is not None:
            self._context.load_verify_locations(clients)
            self._context.verify_mode = ssl.CERT_OPTIONAL
            # The tickets of TLS 1.3 end the server's handshake. A client that refuses may be gone
            # by then, and the handshake would fail after all.
            self._context.num_tickets = 0
        self.octets, self.clear, self.certificates = b"", b"", []
        self._answer, self._starts = answer, starts
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._relay = Relay(self._listener.getsockname()[1])
        self.port = self._relay.port
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                raw, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(raw,), daemon=True).start()

    def _serve(self, raw):
        with raw:
            raw.settimeout(60)
            if self._starts:
                raw.sendall(self._starts)
                # No octet more: a hello may be right behind.
                raw.recv(len(STARTTLS), socket.MSG_WAITALL)
            # A copy of the descriptor: what comes after a handshake that failed is read from it.
            after = raw.dup()
            try:
                tls = self._context.wrap_socket(raw, server_side=True)
                try:
                    self.certificates.append(tls.getpeercert(True))
                    while data := tls.recv(65536):
                        self.octets += data
                        if self._answer and data.endswith(b"\r\n\r\n"):
                            tls.sendall(self._answer)
                finally:
                    tls.close()
            except OSError:
                pass
            try:
                # The client may wait for the end before it says its own.
                after.shutdown(socket.SHUT_WR)
                while data := after.recv(65536):
                    self.clear += data
            except OSError:
                pass
            after.close()

    def wait(self):
        self._relay.wait()

    @property
    def count(self):
        return self._relay.count

    def close(self):
        self._listener.close()
        self._relay.close()


class Proxy:
    """A proxy of HTTP that tunnels every host to one port of loopback."""

    def __init__(self, port):
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.hosts = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._tunnel, args=(near,), daemon=True).start()

    def _tunnel(self, near):
        with near:
            head = b""
            while b"\r\n\r\n" not in head:
                data = near.recv(65536)
                if not data:
                    return
                head += data
            self.hosts.append(head.split()[1].decode())
            with socket.create_connection(("127.0.0.1", self._to)) as far:
                near.sendall(b"HTTP/1.1 200 tunnel\r\n\r\n")
                ways = {near: far, far: near}
                while ways:
                    for one in select.select(list(ways), [], [], 60)[0]:
                        try:
                            data = one.recv(65536)
                            if data:
                                ways[one].sendall(data)
                        except OSError:
                            data = b""
                        if not data:
                            try:
                                ways.pop(one).shutdown(socket.SHUT_WR)
                            except OSError:
                                pass

    def close(self):
        self._listener.close()
