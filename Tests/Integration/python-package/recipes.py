"""Runs the recipes of the package's README as they are written there, in this interpreter's
environment: each against a server of its protocol that is played here, and against one that the
policy refuses, which must not get an octet.

Usage: recipes.py README TABLE
"""

import os
import pathlib
import re
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading

from servers import RIG

HERE = pathlib.Path(__file__).resolve().parent


# ------------------------------------------------------------------------------- the servers


def exactly(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def redis(connection):
    lines = connection.makefile("rb")
    while line := lines.readline():
        words = []
        for _ in range(int(line[1:])):
            words.append(lines.read(int(lines.readline()[1:]) + 2)[:-2].upper())
        if words[0] == b"HELLO":
            connection.sendall(b"%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:3\r\n")
        else:
            connection.sendall(b"+PONG\r\n" if words[0] == b"PING" else b"+OK\r\n")


def mongo(connection):
    import bson

    hello = {"isWritablePrimary": True, "ismaster": True, "minWireVersion": 0, "maxWireVersion": 21,
             "maxBsonObjectSize": 2**24, "maxMessageSizeBytes": 48000000, "maxWriteBatchSize": 100000, "ok": 1.0}  # fmt: skip
    while True:
        length, request, _, kind = struct.unpack("<iiii", exactly(connection, 16))
        exactly(connection, length - 16)
        answer = bson.encode(hello)
        if kind == 2004:  # OP_QUERY, answered by OP_REPLY
            body, kind = struct.pack("<iqii", 8, 0, 0, 1) + answer, 1
        else:  # OP_MSG
            body = struct.pack("<iB", 0, 0) + answer
        connection.sendall(struct.pack("<iiii", 16 + len(body), 1, request, kind) + body)


def s3(connection):
    head = b""
    while b"\r\n\r\n" not in head:
        head += exactly(connection, 1)
    body = b"<ListAllMyBucketsResult><Buckets></Buckets></ListAllMyBucketsResult>"
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))


def ldap(connection):
    while True:
        _, length = exactly(connection, 2)
        if length > 0x7F:
            length = int.from_bytes(exactly(connection, length & 0x7F), "big")
        message = exactly(connection, length)
        # A BindRequest and a SearchRequest, answered by success.
        answer = {0x60: 0x61, 0x63: 0x65}.get(message[3])
        if answer is not None:
            connection.sendall(bytes([0x30, 12, 2, 1, message[2], answer, 7, 10, 1, 0, 4, 0, 4, 0]))


def kafka(connection, port):
    name = f"{connection.server_sni}".encode()
    brokers = struct.pack(">iih", 1, 0, len(name)) + name + struct.pack(">i", port)
    while True:
        (length,) = struct.unpack(">i", exactly(connection, 4))
        key, version, number = struct.unpack(">hhi", exactly(connection, length)[:8])
        if key == 18:
            body = struct.pack(">hi", 0, 2) + struct.pack(">hhhhhh", 3, 0, 1, 18, 0, 0)
        elif version == 0:
            body = brokers + struct.pack(">i", 0)
        else:  # with a rack and a controller
            body = brokers + struct.pack(">hii", -1, 0, 0)
        connection.sendall(struct.pack(">ii", len(body) + 4, number) + body)


class Played:
    """A TLS server on loopback that speaks a protocol, and counts the octets it gets."""

    def __init__(self, name, speak):
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(RIG / f"{name}.pem", RIG / f"{name}.key")

        def named(connection, host, _):
            connection.server_sni = host

        self._context.sni_callback = named
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._speak, self.octets, self.connections = speak, 0, 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                raw, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(raw,), daemon=True).start()

    def _serve(self, raw):
        server = self

        class Counted(ssl.SSLSocket):
            def recv(self, *arguments):
                data = super().recv(*arguments)
                server.octets += len(data)
                return data

            def recv_into(self, *arguments):
                count = super().recv_into(*arguments)
                server.octets += count
                return count

        self._context.sslsocket_class = Counted
        raw.settimeout(60)
        try:
            with self._context.wrap_socket(raw, server_side=True) as connection:
                if self._speak is kafka:
                    kafka(connection, self.port)
                else:
                    self._speak(connection)
        except (OSError, EOFError):
            pass

    def close(self):
        self._listener.close()


# ------------------------------------------------------------------------------- the recipes

# By a word of the script: the library, its server, and what the script prints of the good one.
RECIPES = {
    "redis": (redis, "True 1"), "pymongo": (mongo, "1.0"), "botocore": (s3, "[]"), "ldap3": (ldap, "True"),
    "aiokafka": (kafka, "set()"),
}  # fmt: skip


def main():
    readme, table = sys.argv[1:]
    scripts = re.findall(r"^```python recipe\n(.*?)^```$", pathlib.Path(readme).read_text(), re.MULTILINE | re.DOTALL)
    found = {}
    for text in scripts:
        assert len([line for line in text.splitlines() if line.strip()]) <= 17, f"a long recipe:\n{text}"
        name = next(name for name in ("pymongo", "botocore", "ldap3", "aiokafka", "redis") if name in text)
        assert name not in found, f"two recipes for {name}"
        found[name] = text
    assert set(found) == set(RECIPES), f"the page has recipes for {sorted(found)}"
    environment = {
        **{key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")},
        "PYTHONPATH": str(HERE / "environment"),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, text in found.items():
            path = pathlib.Path(folder, f"{name}_recipe.py")
            path.write_text(text)
            speak, answer = RECIPES[name]
            for host, violation in [("good", None), ("pinned", "pin-mismatch"), ("expired", "expired"), ("stranger", "no-applicable-rule")]:
                server = Played(host, speak)
                done = subprocess.run(
                    [sys.executable, "-W", "ignore", path, table, f"{host}.rig.example", str(server.port)],
                    capture_output=True, text=True, timeout=120, env=environment)
                server.close()
                said = f"{name}, {host}: status {done.returncode}, {server.octets} octets\n{done.stdout}{done.stderr}"
                assert server.connections > 0, said
                if violation is None:
                    assert (done.returncode, done.stdout) == (0, f"{answer}\n") and server.octets > 0, said
                else:
                    line = rf"hawser: reject {host}\.rig\.example(?::\d+)?: {violation}: \S.*$"
                    assert done.returncode == 1 and done.stdout == "" and server.octets == 0, said
                    # A line of the log for each connection, and what the script says. A thread of
                    # pymongo's may begin a last connection when the program ends.
                    logged = re.findall(line, done.stderr, re.MULTILINE)
                    assert len(logged) > max(1, server.connections - 1), said
            print(f"{name}: a good server and three refused ones came out as they should", flush=True)


main()
