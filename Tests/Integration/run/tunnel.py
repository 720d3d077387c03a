"""Asks for a page with TLS over buffers in memory: tunnel.py HOW HOST PORT PROXY

HOW is `direct`; `proxy`, through CONNECT; or `relay`, over a pair of sockets whose other end a thread
hands on to a program of its own, so that nothing tells which port it comes to. Verifies nothing.
"""
import asyncio
import socket
import ssl
import subprocess
import sys

HOW, HOST, PORT, PROXY = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
CONTEXT = ssl._create_unverified_context()
RELAY = """
import socket, sys, threading
near, far = socket.socket(fileno=0), socket.create_connection(("127.0.0.1", int(sys.argv[1])))
def copy(source, to):
    while octets := source.recv(65536):
        to.sendall(octets)
    to.shutdown(socket.SHUT_WR)
threading.Thread(target=copy, args=(far, near), daemon=True).start()
copy(near, far)
"""


async def ask():
    if HOW == "proxy":
        reader, writer = await asyncio.open_connection("127.0.0.1", PROXY)
        writer.write(f"CONNECT {HOST}:{PORT} HTTP/1.1\r\nHost: {HOST}:{PORT}\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        await writer.start_tls(CONTEXT, server_hostname=HOST)
    elif HOW == "relay":
        near, far = socket.socketpair()
        subprocess.Popen([sys.executable, "-c", RELAY, str(PORT)], stdin=far)
        far.close()
        reader, writer = await asyncio.open_connection(sock=near, ssl=CONTEXT, server_hostname=HOST)
    else:
        reader, writer = await asyncio.open_connection("127.0.0.1", PORT, ssl=CONTEXT, server_hostname=HOST)
    writer.write(b"GET / HTTP/1.0\r\n\r\n")
    await reader.read()
    writer.close()


try:
    asyncio.run(ask())
except (ssl.SSLError, ConnectionError) as error:
    sys.exit(str(error))
