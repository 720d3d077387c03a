"""Times and memory of `hawser lsp`: from a typed key to the findings of the new text, for units of
1,000 and 100,000 lines, beside `hawser lint` on the same text; and the memory over 10,000 edits.
The CPU time of the server is printed too: a busy machine changes it less. Fails above a bar.

    python3 Tests/Benchmarks/editor.py HAWSER [LINES...]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time


# Milliseconds from a key to the findings, by the lines of the unit. A unit of 100,000 lines with a
# finding at each rule has none: an editor gets 14,285 findings after each key, and half of the time
# is theirs.
BARS = {1000: 30, 100000: 300}
# How much the memory may grow from 2,000 to 10,000 edits.
GROWTH = 1.1


class Server:
    def __init__(self, hawser):
        self.process = subprocess.Popen(
            [hawser, "lsp", "--at", "2026-06-01"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.send("initialize", {"capabilities": {}}, asks=True)
        self.until(lambda one: one.get("id") == 1)
        self.send("initialized", {})

    def send(self, method, params, asks=False):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if asks:
            self.number += 1
            message["id"] = self.number
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

    def findings(self, version):
        return self.until(
            lambda one: one.get("method") == "textDocument/publishDiagnostics"
            and one["params"].get("version") == version)

    def memory(self):
        """Resident KiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    def cpu(self):
        """Milliseconds of CPU time in all threads, in steps of 10."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 1000 // os.sysconf("SC_CLK_TCK")

    def end(self):
        self.send("shutdown", None, asks=True)
        self.send("exit", None)
        self.process.wait()


def policy(lines, has_findings):
    """A rule with a field of its own for each seven lines. For `preset: none` `lint` has a finding
    (HW510)."""
    head = "hawser: 1\ndefault: deny\nrules:\n"
    field = "transparency: {{ preset: none }}" if has_findings else "keys: {{ rsa-minimum: 3072 }}"
    rule = ('  r{0}:\n    hosts:\n      - "h{0}.example"\n    anchors: [system]\n    profile: ats\n'
            f"    {field}\n    owner: web\n")
    count = (lines - 3) // 7
    return head + "".join(rule.format(number) for number in range(count))


def middle(values):
    return sorted(values)[len(values) // 2]


def measure(hawser, lines, has_findings, folder):
    """The bars that were missed, a sentence each."""
    missed = []
    text = policy(lines, has_findings)
    file = pathlib.Path(folder) / "policy.yaml"
    file.write_text(text)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([hawser, "lint", "--at", "2026-06-01", "--exit-zero", "--format", "concise",
                        str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    lint = middle(times)
    server = Server(hawser)
    server.send("textDocument/didOpen", {"textDocument": {
        "uri": file.as_uri(), "languageId": "yaml", "version": 1, "text": text}})
    told = len(server.findings(1)["params"]["diagnostics"])
    line = text.count("\n") // 2
    line -= (line - 3) % 7
    times = []
    cpu = []
    version = 1
    for key in range(20):
        version += 1
        edit = {"range": {"start": {"line": line, "character": 3},
                          "end": {"line": line, "character": 3 + key % 2}},
                "text": "x" if key % 2 == 0 else ""}
        time.sleep(0.1)  # nobody types faster for long
        before = server.cpu()
        start = time.perf_counter()
        server.send("textDocument/didChange", {
            "textDocument": {"uri": file.as_uri(), "version": version}, "contentChanges": [edit]})
        server.findings(version)
        times.append(time.perf_counter() - start)
        cpu.append(server.cpu() - before)
    print(f"{lines:>7} lines, {told} findings: findings after a key {1000 * middle(times):.1f} ms (least "
          f"{1000 * min(times):.1f}, most {1000 * max(times):.1f}; CPU {sum(cpu) / len(cpu):.1f}), `lint` from "
          f"its start to its end {1000 * lint:.1f} ms", flush=True)
    has_bar = lines in BARS and not (has_findings and lines > 1000)
    if has_bar and 1000 * middle(times) > BARS[lines]:
        missed.append(f"{lines} lines: findings after more than {BARS[lines]} ms")
    if lines <= 1000:
        marks = []
        for edit in range(10000):
            version += 1
            server.send("textDocument/didChange", {
                "textDocument": {"uri": file.as_uri(), "version": version},
                "contentChanges": [{"range": {"start": {"line": line, "character": 3},
                                              "end": {"line": line, "character": 3 + edit % 2}},
                                    "text": "x" if edit % 2 == 0 else ""}]})
            if edit % 10 == 9:
                server.findings(version)
            if edit % 2000 == 1999:
                marks.append(server.memory())
        print(f"          memory after 2,000, 4,000 … 10,000 edits, findings after each tenth: "
              f"{', '.join(str(mark // 1024) for mark in marks)} MiB", flush=True)
        if marks[-1] > GROWTH * marks[0]:
            missed.append("the memory grows")
    server.end()
    return missed


if __name__ == "__main__":
    hawser = os.path.abspath(sys.argv[1])
    missed = []
    for lines in [int(word) for word in sys.argv[2:]] or [1000, 100000]:
        for has_findings in [False, True]:
            with tempfile.TemporaryDirectory() as folder:
                missed += measure(hawser, lines, has_findings, folder)
    for sentence in missed:
        print(f"above the bar: {sentence}")
    sys.exit(1 if missed else 0)
