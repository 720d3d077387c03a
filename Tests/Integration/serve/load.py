"""Load on `hawser serve`, and what may not happen under it.

    load.py rate SOCKET RATE SECONDS CONNECTIONS ACCEPT REJECT
        asks RATE times a second, evenly, for an accept and a reject in turn; every answer must be
        the right one. Prints how many, and the times that they took.
    load.py kills FOLDER COUNT CLIENTS ACCEPT REJECT -- COMMAND...
        kills the server COUNT times while CLIENTS ask, and starts it again. A client may find
        nobody, or lose its answer; it never gets a wrong one.
    load.py stops FOLDER COUNT CLIENTS ACCEPT REJECT -- COMMAND...
        the same with SIGTERM: and no answer that has begun is cut off.

ACCEPT and REJECT are files with the bodies of two questions.
"""

import os
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(__file__))
from server import Ended, Raw, Server, request


def rate(path, wanted, seconds, connections, accept, reject):
    wanted, seconds, connections = int(wanted), int(seconds), int(connections)
    questions = [
        (request(open(accept, "rb").read()), 200, b'"verdict":"accept"'),
        (request(open(reject, "rb").read()), 403, b'"verdict":"reject"'),
    ]
    times, errors = [], []
    begin = time.monotonic() + 0.2

    def client(number):
        raw = Raw(path)
        own = []
        for turn in range(number, wanted * seconds, connections):
            due = begin + turn / wanted
            wait = due - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            octets, status, verdict = questions[turn % 2]
            start = time.monotonic()
            try:
                raw.send(octets)
                answer = raw.receive()
            except OSError as error:
                errors.append(repr(error))
                return
            except Ended as error:
                errors.append(repr(error))
                return
            own.append(time.monotonic() - start)
            if answer[0] != status or verdict not in answer[1]:
                errors.append(repr(answer))
                return
        times.extend(own)
        raw.close()

    threads = [threading.Thread(target=client, args=(n,)) for n in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - begin
    if errors:
        raise SystemExit(f"{len(errors)} errors, the first: {errors[0]}")
    times.sort()
    micro = [round(times[int(len(times) * part)] * 1e6) for part in (0.5, 0.99, 0.999)]
    print(
        f"{len(times)} requests in {took:.1f} s, {len(times) / took:.0f} a second, no error; "
        f"microseconds: median {micro[0]}, 99 % {micro[1]}, 99.9 % {micro[2]}")
    if len(times) / took < 0.99 * wanted:
        raise SystemExit(f"wanted {wanted} a second")


def interrupted(isKill, folder, count, clients, accept, reject, command):
    path = os.path.join(folder, "hawser.sock")
    questions = [
        (request(open(accept, "rb").read()), 200, b'"verdict":"accept"'),
        (request(open(reject, "rb").read()), 403, b'"verdict":"reject"'),
    ]
    lock = threading.Lock()
    counts = {"right": 0, "nobody": 0, "lost": 0, "cut": 0, "wrong": 0}
    done = threading.Event()

    def note(word):
        with lock:
            counts[word] += 1

    def client(number):
        turn = number
        raw = None
        while not done.is_set():
            octets, status, verdict = questions[turn % 2]
            turn += 1
            try:
                raw = raw or Raw(path)
            except OSError:
                note("nobody")
                continue
            try:
                raw.send(octets)
                answer = raw.receive()
            except Ended as error:
                note("cut" if error.octets else "lost")
                raw = None
                continue
            except OSError:
                note("lost")
                raw = None
                continue
            right = answer[0] == status and verdict in answer[1]
            # A server that stops may say so.
            note("right" if right else "lost" if answer[0] == 503 else "wrong")

    server = Server(command, folder)
    threads = [threading.Thread(target=client, args=(n,)) for n in range(int(clients))]
    for thread in threads:
        thread.start()
    for _ in range(int(count)):
        # Until a hundred more were answered, so that every server judges.
        with lock:
            before = counts["right"]
        while True:
            with lock:
                if counts["right"] >= before + 100:
                    break
            time.sleep(0.001)
        if isKill:
            server.kill()
        elif server.stop() != 0:
            raise SystemExit("a server that was told to stop did not end well")
        server = Server(command, folder)
    done.set()
    for thread in threads:
        thread.join()
    status = server.stop()
    print(f"{count} {'kills' if isKill else 'stops'}: {counts}")
    if counts["wrong"] or status != 0 or (not isKill and counts["cut"]):
        raise SystemExit("an answer was wrong or cut off")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["rate", *words]:
            rate(*words)
        case ["kills" | "stops" as what, folder, count, clients, accept, reject, "--", *command]:
            interrupted(what == "kills", folder, count, clients, accept, reject, command)
        case _:
            raise SystemExit(__doc__)
