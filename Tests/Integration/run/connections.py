"""Compares strace's record of a program with the log of `hawser run`.

connections.py TRACE LOG: every TCP connection to loopback was judged, once, in its order; and every
octet that was sent on one stands in a TLS record, but for libpq's request for TLS. Prints how many
connections were judged.
"""
import re
import sys

TRACE, LOG = sys.argv[1:]
CALL = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+)(?: (\w+))?")
# strace -xx writes the address as it writes every text.
LOOPBACK = re.escape("".join(f"\\x{octet:02x}" for octet in b"127.0.0.1"))
PEER = re.compile(rf'sin_port=htons\((\d+)\), sin_addr=inet_addr\("{LOOPBACK}"\)')
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
SSL_REQUEST = bytes.fromhex("0000000804d2162f")

# A call that another process interrupts stands on two lines.
lines, open_calls = [], {}
for line in open(TRACE):
    process = line.split(None, 1)[0]
    if line.rstrip().endswith("<unfinished ...>"):
        open_calls[process] = line.rstrip()[: -len("<unfinished ...>")]
    elif "resumed>" in line:
        lines.append(open_calls.pop(process, "") + line.split("resumed>", 1)[1])
    else:
        lines.append(line)

# A client that does not block asks a second time how a connection that was begun has ended.
begun = set()
peers, connected, sent = {}, [], 0
for line in lines:
    call = CALL.match(line)
    if call is None:
        continue
    process, name, arguments, result, error = call.groups()
    descriptor = arguments.split(",", 1)[0]
    key = (process, descriptor)
    if name == "connect":
        peer = PEER.search(arguments)
        if peer is None:
            peers.pop(key, None)
        elif key in begun and peers.get(key) == int(peer[1]):
            begun.discard(key)
        else:
            peers[key] = int(peer[1])
            connected.append(int(peer[1]))
        if error in ("EINPROGRESS", "EALREADY"):
            begun.add(key)
    elif name == "close":
        peers.pop(key, None)
        begun.discard(key)
    elif key in peers:
        text = TEXT.search(arguments)
        octets = bytes.fromhex(text[1].replace("\\x", "")) if text else b""
        if not octets or int(result) <= 0:
            continue
        sent += 1
        is_record = octets[0] in (20, 21, 22, 23) and octets[1] == 3
        if not is_record and octets[:8] != SSL_REQUEST:
            sys.exit(f"in clear text to {peers[key]}: {line}")

judged = []
for line in open(LOG):
    verdict = re.match(r"hawser run: \S+: (?:accepted|refused) \S+?:(\d+)", line)
    if verdict is not None:
        judged.append(int(verdict[1]))
if sorted(judged) != sorted(connected):
    sys.exit(f"connected to {connected}, judged {judged}")
if not connected or not sent:
    sys.exit("nothing was seen")
print(len(judged))
