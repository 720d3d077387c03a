"""Proxies that connect to a port of 127.0.0.1, whatever the host: proxies.py NAME

Prints three ports: of CONNECT, where the first request of a connection is answered by 407 if it has
the header `X-Ask: yes`; of SOCKS 4 and 5; and of CONNECT inside TLS, with the certificate NAME.pem.
"""
import socket
import socketserver
import ssl
import sys
import threading

CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
CONTEXT.load_cert_chain(f"{sys.argv[1]}.pem", f"{sys.argv[1]}.key")


def exactly(connection, count):
    octets = b""
    while len(octets) < count:
        more = connection.recv(count - len(octets))
        if not more:
            raise EOFError
        octets += more
    return octets


def request(connection):
    """The port of a CONNECT, and whether the client wants to be asked for a password."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += exactly(connection, 1)
    lines = head.decode().split("\r\n")
    return int(lines[0].split()[1].rsplit(":", 1)[1]), "X-Ask: yes" in lines


def connect(connection):
    port, is_asked = request(connection)
    if is_asked:
        connection.sendall(b"HTTP/1.1 407 Asked\r\nProxy-Authenticate: Basic realm=\"a\"\r\nContent-Length: 0\r\n\r\n")
        port, _ = request(connection)
    connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
    return port


def socks(connection):
    if exactly(connection, 1) == b"\x04":
        _, *port = exactly(connection, 3)
        exactly(connection, 4)
        for _ in range(2):
            while exactly(connection, 1) != b"\0":
                pass
        connection.sendall(b"\0\x5a" + bytes(6))
        return int.from_bytes(bytes(port), "big")
    exactly(connection, exactly(connection, 1)[0])
    connection.sendall(b"\5\0")
    kind = exactly(connection, 4)[3]
    exactly(connection, exactly(connection, 1)[0] if kind == 3 else 4)
    port = int.from_bytes(exactly(connection, 2), "big")
    connection.sendall(b"\5\0\0\1" + bytes(6))
    return port


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        begin, is_inside = self.server.kind
        try:
            connection = CONTEXT.wrap_socket(self.request, server_side=True) if is_inside else self.request
            target = socket.create_connection(("127.0.0.1", begin(connection)))
        except (OSError, EOFError):
            return
        thread = threading.Thread(target=self.copy, args=(target, connection))
        thread.start()
        self.copy(connection, target)
        thread.join()

    @staticmethod
    def copy(source, to):
        try:
            while octets := source.recv(65536):
                to.sendall(octets)
        except OSError:
            pass
        try:
            to.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


SERVERS = []
for kind in (connect, False), (socks, False), (connect, True):
    SERVERS.append(Server(("127.0.0.1", 0), Handler))
    SERVERS[-1].kind = kind
    threading.Thread(target=SERVERS[-1].serve_forever, daemon=True).start()
print(*(server.server_address[1] for server in SERVERS), flush=True)
threading.Event().wait()
