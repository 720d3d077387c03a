"""TLS servers that record what comes: recorder.py RECORD NAME...

One speaks HTTPS and one PostgreSQL's request for TLS before; their ports are printed. Each connection
gets the certificate NAME.pem of its server name NAME.rig.example, else the first name's. When
it ends, a line is appended to RECORD: the server name, and how many octets came after the handshake;
`-` where there was no name, or no handshake came to its end.
"""
import socketserver
import ssl
import sys
import threading

RECORD, NAMES = sys.argv[1], sys.argv[2:]
LOCK = threading.Lock()
CONTEXTS = {}
SSL_REQUEST = bytes.fromhex("0000000804d2162f")


def choose(connection, name, _):
    connection.asked = name
    connection.context = CONTEXTS.get((name or "").split(".")[0], connection.context)


for one in NAMES:
    CONTEXTS[one] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    CONTEXTS[one].load_cert_chain(f"{one}.pem", f"{one}.key")
    CONTEXTS[one].sni_callback = choose


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.settimeout(10)
        name, count = None, "-"
        try:
            if self.server.is_postgres:
                if self.request.recv(8) != SSL_REQUEST:
                    raise OSError("no request for TLS")
                self.request.sendall(b"S")
            tls = CONTEXTS[NAMES[0]].wrap_socket(self.request, server_side=True, do_handshake_on_connect=False)
            tls.asked = None
            try:
                tls.do_handshake()
                count = 0
            finally:
                name = tls.asked
            while octets := tls.recv(65536):
                count += len(octets)
                if self.server.is_postgres:
                    break
                tls.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n")
        except OSError:
            pass
        with LOCK, open(RECORD, "a") as record:
            record.write(f"{name or '-'} {count}\n")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 100


open(RECORD, "w").close()
SERVERS = [Server(("127.0.0.1", 0), Handler) for _ in range(2)]
for is_postgres, server in enumerate(SERVERS):
    server.is_postgres = bool(is_postgres)
    threading.Thread(target=server.serve_forever, daemon=True).start()
print(*(server.server_address[1] for server in SERVERS), flush=True)
threading.Event().wait()
