"""A server under test, and a client of one connection; for the scripts beside this file."""

import http.client
import json
import os
import re
import select
import socket
import subprocess


class UnixConnection(http.client.HTTPConnection):
    """Python's own client over a Unix socket."""

    def __init__(self, path, timeout=30):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def certificates(path):
    """The certificates of a PEM file, as base64 of DER."""
    blocks = re.findall(
        "-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", open(path).read(), re.S)
    return ["".join(block.split()) for block in blocks]


def question(host, chain, **more):
    return json.dumps({
        "host": host, "port": 443, "chain": certificates(chain),
        "tls": {"state": "observed", "version": "tls1.3"}, **more,
    }).encode()


def request(body, path="/v1/evaluate", fields=()):
    head = [
        f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json",
        f"Content-Length: {len(body)}", *fields,
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


class Ended(Exception):
    """The server closed the connection. `octets` is what came of the answer."""

    def __init__(self, octets):
        super().__init__(f"closed after {len(octets)} octets of an answer")
        self.octets = octets


class Raw:
    """A connection that sends octets as they are given."""

    def __init__(self, path, timeout=30):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(path)
        self.buffer = b""

    def send(self, octets):
        self.socket.sendall(octets)

    def fill(self):
        try:
            octets = self.socket.recv(65536)
        except ConnectionResetError:
            octets = b""
        if not octets:
            raise Ended(self.buffer)
        self.buffer += octets

    def receive(self):
        """The status and the body of the next answer."""
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, rest = self.buffer.split(b"\r\n\r\n", 1)
        length = int(re.search(rb"(?i)content-length: *(\d+)", head).group(1))
        while len(rest) < length:
            self.fill()
            rest = self.buffer.split(b"\r\n\r\n", 1)[1]
        self.buffer = rest[length:]
        return int(head.split()[1]), rest[:length]

    def close(self):
        self.socket.close()


class Server:
    """`hawser serve` as a child. It is up once it has said so (sd_notify(3))."""

    def __init__(self, command, folder, pass_fds=(), environment=None):
        self.log = open(os.path.join(folder, "server.log"), "ab")
        notify = os.path.join(folder, "notify")
        if os.path.exists(notify):
            os.unlink(notify)
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notices.bind(notify)
        self.process = subprocess.Popen(
            command, stderr=self.log, stdout=self.log, pass_fds=pass_fds,
            env={**os.environ, "NOTIFY_SOCKET": notify, **(environment or {})})
        self.wait(b"READY=1")

    def wait(self, word):
        while True:
            ready, _, _ = select.select([self.notices], [], [], 1)
            if ready and word in self.notices.recv(4096):
                return
            if self.process.poll() is not None:
                raise SystemExit(f"the server ended with {self.process.returncode}")

    def peak(self):
        """The most memory that it has had, in KiB."""
        status = open(f"/proc/{self.process.pid}/status").read()
        return int(re.search(r"VmHWM:\s+(\d+)", status).group(1))

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.notices.close()

    def stop(self):
        self.process.terminate()
        status = self.process.wait(timeout=60)
        self.notices.close()
        return status
