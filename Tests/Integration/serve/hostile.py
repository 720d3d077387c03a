"""Bodies and connections that mean harm, against `hawser serve`, and what they may cost.

    hostile.py FOLDER ACCEPT MAX-KIB -- COMMAND...

COMMAND serves FOLDER/hawser.sock with `--timeout 3 --max-body 1048576 --max-connections 64`. Every
kind of harm gets the answer that it is to get, an honest client beside it is answered, and the
server never has more memory than MAX-KIB.
"""

import os
import random
import sys
import threading

sys.path.insert(0, os.path.dirname(__file__))
from server import Ended, Raw, Server, request

folder, accept, limit, _, *command = sys.argv[1:]
path = os.path.join(folder, "hawser.sock")
honest = request(open(accept, "rb").read())
most = 1 << 20
server = Server(command, folder)


def check(name, answer, *wanted):
    if answer not in wanted:
        raise SystemExit(f"{name}: {answer}, wanted {wanted}")
    print(f"  {name}: {answer}")


def ask(octets, name, *wanted):
    """Sends octets, and wants one of some statuses; None is a connection closed without one."""
    raw = Raw(path)
    status = None
    try:
        raw.send(octets)
        raw.socket.shutdown(1)
    except OSError:
        pass  # An answer may come before everything is sent.
    try:
        status = raw.receive()[0]
    except Ended as error:
        if error.octets:
            raise SystemExit(f"{name}: an answer that is cut off")
    raw.close()
    check(name, status, *wanted)


def still_serves():
    raw = Raw(path)
    raw.send(honest)
    check("an honest client", raw.receive()[0], 200)
    raw.close()


head = (
    b"POST /v1/evaluate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n")
ask(head + b"Content-Length: 99999999999\r\n\r\n", "an announced huge body", 413)
ask(head + b"Content-Length: 99999999999999999999999\r\n\r\n", "a length beyond numbers", 400, 413)
ask(head + b"Content-Length: -1\r\n\r\n", "a negative length", 400)
chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
ask(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 64, "a huge body in chunks", 413, None)
ask(request(b" " * most), "as many blanks as may come", 400)
deep = b'{"host":' + b"[" * (most - 100)
ask(request(deep), "a deep body", 400)
ask(request(b'{"a":' * (most // 6)), "deep objects", 400)
wide = b"{" + b",".join(b'"%d":0' % n for n in range(90_000)) + b"}"
ask(request(wide), "a wide object", 400)
ask(request(b'{"host":"a.example","chain":[' + b'"",' * 300_000 + b'""]}'), "a long list", 400)
ask(request(b'{"host":"' + b"a" * 1_000_000 + b'","chain":[]}'), "a long host", 403)
ask(request(b'{"host":"a.example","chain":["' + b"A" * 1_000_000 + b'"]}'), "a long certificate", 403)
ask(request(b'{"host":"a.example","chain":[' + b",".join([b'"MAA="'] * 1000) + b"]}"),
    "a thousand certificates of nothing", 403)
ask(request(b'{"host":"' + b"\xff" * 100 + b'"}'), "octets that are no UTF-8", 400)
ask(b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n", "a long path", 431, 400)
ask(b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 100_000, "many fields", 431)
ask(b"GET / HTTP/1.1\r\nX: " + b"y" * 1_000_000, "a long field", 431)
ask(bytes(random.Random(7).randrange(256) for _ in range(100_000)), "noise", 400, None)
for cut in (1, 20, 60, len(honest) // 2, len(honest) - 1):
    ask(honest[:cut], f"a request cut after {cut} octets", None, 400)
still_serves()

# Clients that send an octet now and then, and clients that send nothing: each gets its time.
# They hold every connection that there may be, so an honest client waits for one of them to end.
slow = [Raw(path, timeout=60) for _ in range(60)]
for number, raw in enumerate(slow):
    raw.send(honest[: number % 2 * (len(honest) - 10)])
    raw.send(b"")
statuses = []


def wait(raw):
    try:
        statuses.append(raw.receive()[0])
    except Ended:
        statuses.append(None)


threads = [threading.Thread(target=wait, args=(raw,)) for raw in slow]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for raw in slow:
    raw.close()
check("sixty slow clients", sorted(set(map(str, statuses))), ["408"], ["408", "429"])
still_serves()

# More connections than there may be are told so.
many = [Raw(path) for _ in range(100)]
told = {}
for raw in many:
    try:
        raw.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        status = raw.receive()[0]
    except (Ended, OSError):
        status = None
    told[status] = told.get(status, 0) + 1
for raw in many:
    raw.close()
print(f"  a hundred connections at a time: {told}")
if told.get(200, 0) == 0 or told.get(200, 0) > 64 or not set(told) <= {200, 429, 503, None}:
    raise SystemExit("connections beyond the bound")
still_serves()

# A client that asks much and reads nothing is cut off, and its answers are not piled up.
mute = Raw(path)
mute.socket.settimeout(15)
sent = 0
try:
    while sent < 256 << 20:
        mute.send(honest)
        sent += len(honest)
except OSError:
    pass
mute.close()
print(f"  a client that reads nothing: took {sent >> 10} KiB of its requests")
if sent >= 256 << 20:
    raise SystemExit("it was read without end")
still_serves()

peak = server.peak()
print(f"  most memory: {peak} KiB")
if peak > int(limit):
    raise SystemExit(f"more than {limit} KiB")
if server.stop() != 0:
    raise SystemExit("the server did not end well")
