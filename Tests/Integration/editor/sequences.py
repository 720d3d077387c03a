"""Reads what `record.py` kept of an editor's session.

    sequences.py check HAWSER RECORDING FINALS UNIT   sends each sequence to `hawser lsp`, and compares
                                                      its findings with `lint`'s on the text
                                                      with which the editor ended the sequence
    sequences.py pack RECORDING FINALS MOST           prints the first short sequences, for the suite
                                                      LanguageServerTests: each line has a text, the
                                                      edits of each message, and the last text
"""
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile


def messages(path):
    octets = pathlib.Path(path).read_bytes()
    at = 0
    while at < len(octets):
        end = octets.index(b"\r\n\r\n", at)
        length = next(int(line.split(b":")[1]) for line in octets[at:end].split(b"\r\n")
                      if line.lower().startswith(b"content-length"))
        yield json.loads(octets[end + 4:end + 4 + length])
        at = end + 4 + length


def sequences(recording, finals):
    """The first text, the changes and the last text of each sequence."""
    found = []
    for one in messages(recording):
        params = one.get("params") or {}
        if one.get("method") == "textDocument/didOpen":
            found.append((params["textDocument"]["text"], []))
        elif one.get("method") == "textDocument/didChange":
            found[-1][1].append(params["contentChanges"])
    ends = [pathlib.Path(finals, str(number + 1)).read_bytes().decode() for number in range(len(found))]
    count = len(list(pathlib.Path(finals).iterdir()))
    assert count == len(found), f"{len(found)} documents were opened, and {count} have an end"
    return [(text, changes, sent(text, changes, end)) for (text, changes), end in zip(found, ends)]


def units(text):
    """A text with each unit of UTF-16 as a character: positions count them, and an edit can cut a pair."""
    octets = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(one) for (one,) in struct.iter_unpack("<H", octets))


def joined(text):
    """A text of units as it is saved: half a pair is U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def offset(text, line, character):
    """The place of a position in a text of units, where a line ends with LF, CR LF or CR."""
    at = 0
    for _ in range(line):
        while at < len(text) and text[at] not in "\r\n":
            at += 1
        if at == len(text):
            return at
        at += 2 if text[at:at + 2] == "\r\n" else 1
    while at < len(text) and text[at] not in "\r\n" and character > 0:
        character -= 1
        at += 1
    return at


def sent(text, changes, end):
    """The text at the end as the messages have it. Neovim 0.7.2 ends the last line of each change
    with a line feed, also in a text without a line feed at its end. Where `replace-string` of
    Emacs 28 also changes the case of its replacement, Emacs nests the notices of the two changes,
    and eglot sends a range of a length other than it states. Only after one of these changes
    a text may differ from the editor's."""
    contradicts, text = False, units(text)
    for change in (one for message in changes for one in message):
        if "range" not in change:
            text = units(change["text"])
            continue
        # Neovim writes the keys of an object in another order in each run.
        places = (change["range"][key] for key in ("start", "end"))
        start, stop = (offset(text, place["line"], place["character"]) for place in places)
        # Emacs states the length in characters.
        contradicts = contradicts or change.get("rangeLength") not in (
            None, stop - start, len(joined(text[start:stop])))
        text = text[:start] + units(change["text"]) + text[stop:]
    text = joined(text)
    assert contradicts or text in (end, end + "\n"), f"the messages make {text!r}, and the editor had {end!r}"
    return text


class Server:
    def __init__(self, hawser, at):
        self.process = subprocess.Popen([hawser, "lsp", "--at", at], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.send("initialize", {"capabilities": {}}, 1)
        self.until(lambda one: one.get("id") == 1)
        self.send("initialized", {})

    def send(self, method, params, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def until(self, wanted):
        while True:
            length = int(self.process.stdout.readline().split(b":")[1])
            self.process.stdout.readline()
            one = json.loads(self.process.stdout.read(length))
            if wanted(one):
                return one

    def end(self):
        self.send("shutdown", None, 2)
        self.send("exit", None)
        return self.process.wait()


def place(octets, offset):
    """Line and character by units of UTF-16, where a line ends with LF, CR LF or CR."""
    before = octets[:offset].decode()
    if octets[offset - 1:offset + 1] == b"\r\n" and offset > 0:
        before = before[:-1]
        tail = 1
    else:
        tail = 0
    lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2 + tail


def check(hawser, recording, finals, unit, at="2027-01-15"):
    found = sequences(recording, finals)
    edits = sum(len(changes) for _, changes, _ in found)
    server = Server(hawser, at)
    wrong = told = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch).resolve() / "unit"
        shutil.copytree(unit, folder, ignore=shutil.ignore_patterns(".git", "*.yaml"))
        file = folder / "policy.yaml"
        file.write_bytes(b"hawser: 1\n")
        for text, changes, end in found:
            document = {"uri": file.as_uri(), "version": 0}
            server.send("textDocument/didOpen", {"textDocument": {**document, "languageId": "yaml", "text": text}})
            for version, change in enumerate(changes, 1):
                server.send("textDocument/didChange", {
                    "textDocument": {**document, "version": version}, "contentChanges": change})
            answer = server.until(
                lambda one: one.get("method") == "textDocument/publishDiagnostics"
                and one["params"].get("version") == len(changes))
            server.send("textDocument/didClose", {"textDocument": document})
            got = sorted((one["code"], one["range"]["start"]["line"], one["range"]["start"]["character"],
                          one["range"]["end"]["line"], one["range"]["end"]["character"])
                         for one in answer["params"]["diagnostics"])
            octets = end.encode()
            file.write_bytes(octets)
            answer = subprocess.run([hawser, "lint", "--at", at, "--exit-zero", "--format", "json", "."],
                                    cwd=folder, capture_output=True, check=True)
            file.write_bytes(b"hawser: 1\n")
            wanted = sorted(
                (one["code"], *place(octets, one["primary"]["start"]["offset"]),
                 *place(octets, one["primary"]["end"]["offset"]))
                for one in json.loads(answer.stdout)["diagnostics"] if one["primary"]["file"] == "policy.yaml")
            told += len(wanted)
            if got != wanted:
                wrong += 1
                print(f"another text or other findings:\n{end!r}\n got {got}\n not {wanted}", file=sys.stderr)
    assert server.end() == 0
    print(f"{len(found)} sequences with {edits} messages of edits: {told} findings, "
          f"{wrong} sequences differ from `lint`")
    return wrong == 0


def pack(recording, finals, most):
    def edit(change):
        if "range" not in change:
            return [change["text"]]
        start, end = change["range"]["start"], change["range"]["end"]
        return [start["line"], start["character"], end["line"], end["character"], change["text"]]

    left = int(most)
    for text, changes, end in sequences(recording, finals):
        line = json.dumps([text, [[edit(one) for one in change] for change in changes], end],
                          separators=(",", ":"), ensure_ascii=False)
        if left > 0 and len(line) < 4000:
            left -= 1
            print(line)


if __name__ == "__main__":
    if sys.argv[1] == "check":
        sys.exit(0 if check(*sys.argv[2:]) else 1)
    pack(*sys.argv[2:])
