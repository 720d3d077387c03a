"""Servers that begin in clear text, one for each protocol of `--starttls`, in front of a TLS server.

    python3 starttls.py PORT

Prints `NAME PORT` for each. When a client and one of these servers have agreed to begin TLS, every
octet goes to the TLS server on PORT of loopback and back.
"""

import socket
import socketserver
import sys
import threading

LDAP_SUCCESS = bytes.fromhex("300c02010178070a010004000400")


def line(connection):
    text = b""
    while not text.endswith(b"\n"):
        octet = connection.recv(1)
        if not octet:
            raise EOFError
        text += octet
    return text.strip().upper()


def octets(connection, count):
    text = b""
    while len(text) < count:
        more = connection.recv(count - len(text))
        if not more:
            raise EOFError
        text += more
    return text


def smtp(connection):
    connection.sendall(b"220-mail.example ESMTP\r\n220 ready\r\n")
    while True:
        command = line(connection)
        if command.startswith(b"EHLO"):
            connection.sendall(b"250-mail.example\r\n250-PIPELINING\r\n250-STARTTLS\r\n250 8BITMIME\r\n")
        elif command == b"STARTTLS":
            connection.sendall(b"220 go ahead\r\n")
            return
        else:
            connection.sendall(b"502 no\r\n")


def imap(connection):
    connection.sendall(b"* OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n")
    while True:
        tag, command = line(connection).split(b" ", 1)
        if command == b"STARTTLS":
            connection.sendall(tag.lower() + b" OK begin\r\n")
            return
        connection.sendall(b"* CAPABILITY IMAP4rev1 STARTTLS\r\n" + tag.lower() + b" OK done\r\n")


def pop3(connection):
    connection.sendall(b"+OK ready <1@mail.example>\r\n")
    while True:
        command = line(connection)
        if command == b"STLS":
            connection.sendall(b"+OK begin\r\n")
            return
        connection.sendall(b"+OK\r\nSTLS\r\n.\r\n" if command == b"CAPA" else b"-ERR\r\n")


def ldap(connection):
    header = octets(connection, 2)
    if b"1.3.6.1.4.1.1466.20037" not in octets(connection, header[1]):
        raise EOFError
    connection.sendall(LDAP_SUCCESS)


def ftp(connection):
    connection.sendall(b"220-ftp.example\r\n220 ready\r\n")
    if line(connection) != b"AUTH TLS":
        raise EOFError
    connection.sendall(b"234 begin\r\n")


def postgres(connection):
    if octets(connection, 8) != bytes.fromhex("0000000804d2162f"):
        raise EOFError
    connection.sendall(b"S")


def mysql(connection):
    body = (
        b"\x0a8.0.36\0" + b"\x01\0\0\0" + b"12345678" + b"\0" + b"\xff\xff" + b"\x21" + b"\x02\0"
        + b"\xff\xdf" + b"\x15" + bytes(10) + b"123456789012\0" + b"mysql_native_password\0"
    )
    connection.sendall(len(body).to_bytes(3, "little") + b"\0" + body)
    header = octets(connection, 4)
    octets(connection, int.from_bytes(header[:3], "little"))


def copy(source, target):
    try:
        while part := source.recv(1 << 14):
            target.sendall(part)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(dialogue, behind):
    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            try:
                dialogue(self.request)
            except (EOFError, OSError, ValueError):
                return
            with socket.create_connection(("127.0.0.1", behind)) as server:
                back = threading.Thread(target=copy, args=(server, self.request), daemon=True)
                back.start()
                copy(self.request, server)
                back.join()

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever).start()
    print(dialogue.__name__, server.server_address[1], flush=True)


for each in (smtp, imap, pop3, ldap, ftp, postgres, mysql):
    serve(each, int(sys.argv[1]))
