"""Editors and folders that mean harm, or have bad luck: `hawser lsp` answers, or ends as it should,
and opens no file outside the unit, no connection and no program but git.

    hostile.py HAWSER UNIT SCRATCH
"""
import datetime
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time

HAWSER, UNIT, SCRATCH = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
# The root of the unit begins today.
LATER = str(datetime.date.today() + datetime.timedelta(30))
TRACE = ["strace", "-f", "-qq", "-s", "512", "-e", "trace=execve,open,openat,openat2,socket,connect,readlink"]


# What starts any program: shared libraries, and the settings of libcrypto.
LOADING = re.compile(r"(/usr/lib|/etc)/ssl/openssl\.cnf|/etc/ld\.so|/proc/self|/dev/(null|urandom)"
                     r"|/sys/devices/system/cpu|.*\.so(\.|$)")


def frame(message):
    body = json.dumps(dict(message, jsonrpc="2.0")).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Server:
    def __init__(self, *folders, trace=None, environment=None):
        command = [HAWSER, "lsp", "--at", LATER]
        if trace:
            command = TRACE + ["-o", str(trace)] + command
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=environment or dict(os.environ))
        self.number = 0
        self.kept = []
        self.ask("initialize", {"capabilities": {}, "workspaceFolders": [
            {"uri": pathlib.Path(folder).as_uri(), "name": "x"} for folder in folders]})
        self.notify("initialized", {})

    def write(self, octets):
        self.process.stdin.write(octets)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.write(frame({"method": method, "params": params}))

    def read(self):
        head = self.process.stdout.readline()
        if not head:
            raise EOFError
        length = int(head.split(b":")[1])
        self.process.stdout.readline()
        return json.loads(self.process.stdout.read(length))

    def until(self, wanted):
        while True:
            one = self.read()
            self.kept.append(one)
            if wanted(one):
                return one

    def ask(self, method, params):
        self.number += 1
        number = self.number
        self.write(frame({"id": number, "method": method, "params": params}))
        return self.until(lambda one: one.get("id") == number and "method" not in one)

    def open(self, file, text=None):
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": file.as_uri(), "languageId": "yaml", "version": 1,
            "text": file.read_text() if text is None else text}})

    def change(self, file, text, version):
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": file.as_uri(), "version": version}, "contentChanges": [{"text": text}]})

    def findings(self, file, version=None):
        return self.until(
            lambda one: one.get("method") == "textDocument/publishDiagnostics"
            and one["params"]["uri"] == file.as_uri()
            and version in (None, one["params"].get("version")))["params"]["diagnostics"]

    def codes(self, file, version=None):
        return [one.get("code") for one in self.findings(file, version)]

    def lives(self):
        """Answers after all that came before."""
        assert self.ask("workspace/symbol", {"query": ""}).get("result") is not None

    def end(self):
        self.ask("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(20)


def fresh(name):
    folder = SCRATCH / name / "unit"
    shutil.rmtree(folder.parent, ignore_errors=True)
    shutil.copytree(UNIT, folder)
    return folder


def ok(text):
    print("ok", text, flush=True)


def two_folders():
    one, two = fresh("two-a"), fresh("two-b")
    server = Server(one, two)
    server.open(one / "policy.yaml")
    server.open(two / "policy.yaml")
    server.change(two / "policy.yaml", "hawser: 1\ndefault: nothing\n", 2)
    assert server.codes(two / "policy.yaml", 2) != []
    server.notify("workspace/didChangeWorkspaceFolders", {"event": {
        "added": [], "removed": [{"uri": two.as_uri(), "name": "x"}]}})
    server.lives()
    assert server.end() == 0
    ok("two folders, of which one is closed")


def moved():
    folder = fresh("moved")
    server = Server(folder)
    server.open(folder / "policy.yaml")
    text = (folder / "policy.yaml").read_text()
    server.findings(folder / "policy.yaml", 1)
    other = folder.with_name("elsewhere")
    folder.rename(other)
    server.change(folder / "policy.yaml", text + "# x\n", 2)
    server.findings(folder / "policy.yaml", 2)
    server.lives()
    server.open(other / "policy.yaml")
    assert server.codes(other / "policy.yaml", 1) == []
    assert server.end() == 0
    ok("a unit that is moved while it is open, and opened where it is now")


def becomes_link():
    folder = fresh("link")
    secret = folder.parent / "secret.pem"
    secret.write_bytes((folder / "anchors/root.pem").read_bytes())
    trace = folder.parent / "trace"
    server = Server(folder, trace=trace)
    server.open(folder / "policy.yaml")
    assert server.codes(folder / "policy.yaml", 1) == []
    (folder / "anchors/root.pem").unlink()
    (folder / "anchors/root.pem").symlink_to(secret)
    server.notify("workspace/didChangeWatchedFiles", {
        "changes": [{"uri": (folder / "anchors/root.pem").as_uri(), "type": 2}]})
    server.change(folder / "policy.yaml", (folder / "policy.yaml").read_text() + "# x\n", 2)
    assert any(code for code in server.codes(folder / "policy.yaml", 2)), "a link out of the unit is read"
    hover = server.ask("textDocument/hover", {
        "textDocument": {"uri": (folder / "policy.yaml").as_uri()}, "position": {"line": 5, "character": 12}})
    assert "Editor Root" not in json.dumps(hover)
    # The policy itself: a link to a file outside.
    server.notify("textDocument/didClose", {"textDocument": {"uri": (folder / "policy.yaml").as_uri()}})
    outside = folder.parent / "outside.yaml"
    outside.write_text("hawser: 1\ndefault: deny\n# top secret\n")
    (folder / "teams/shop.policy.yaml").unlink()
    (folder / "teams/shop.policy.yaml").symlink_to(outside)
    server.open(folder / "policy.yaml")
    server.findings(folder / "policy.yaml")
    server.lives()
    assert server.end() == 0
    assert all("top secret" not in json.dumps(one) for one in server.kept)
    found = [line for line in trace.read_text().splitlines() if "secret.pem" in line or "outside.yaml" in line]
    assert all("ENOENT" in line or "ELOOP" in line or "readlink" in line for line in found), found
    ok("a file that becomes a link out of the unit is not followed")


def large():
    folder = fresh("large")
    server = Server(folder)
    rule = '  r%d:\n    hosts: ["h%d.example"]\n    anchors: [system]\n    owner: web\n'
    parts = ["hawser: 1\ndefault: deny\nrules:\n"]
    parts += [rule % (number, number) for number in range(50 * 1024 * 1024 // 76)]
    text = "".join(parts)
    start = time.monotonic()
    server.open(folder / "policy.yaml", text)
    server.findings(folder / "policy.yaml", 1)
    seconds = time.monotonic() - start
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    peak = int(status.split("VmHWM:")[1].split()[0]) // 1024
    file = (folder / "policy.yaml").as_uri()
    for method, params in [
        ("textDocument/semanticTokens/full", {}), ("textDocument/codeLens", {}), ("textDocument/foldingRange", {}),
        ("textDocument/inlayHint", {"range": {"start": {"line": 0, "character": 0},
                                              "end": {"line": 60, "character": 0}}}),
    ]:
        answer = server.ask(method, {"textDocument": {"uri": file}, **params})
        assert "result" in answer, answer
    server.open(folder / "junk.policy.yaml", "\0\u202e{[" * (10 << 20))
    server.findings(folder / "junk.policy.yaml", 1)
    assert server.end() == 0
    ok(f"a file of {len(text) >> 20} MiB: findings after {seconds:.1f} s, at most {peak} MiB; and 40 MiB of junk")


def never_opened():
    folder = fresh("never")
    server = Server(folder)
    file = folder / "policy.yaml"
    server.change(file, "{", 7)
    server.notify("textDocument/didClose", {"textDocument": {"uri": file.as_uri()}})
    server.notify("textDocument/didSave", {"textDocument": {"uri": file.as_uri()}})
    for params in [None, [], 7, "x", {}, {"textDocument": None}, {"textDocument": {"uri": 7}},
                   {"textDocument": {"uri": "file:///../../etc/passwd"}}, {"contentChanges": "x"}]:
        for method in ["didOpen", "didChange", "didClose", "didSave", "hover", "semanticTokens/full"]:
            server.notify("textDocument/" + method, params)
    server.notify("textDocument/didOpen", {"textDocument": {"uri": file.as_uri(), "version": 1, "text": "x"}})
    for change in [{"range": {"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "a"},
                   {"range": {"start": {"line": 9 ** 17, "character": 9 ** 17},
                              "end": {"line": 0, "character": 0}}, "text": "b"},
                   {"range": 7, "text": "c"}, {"text": 7}, 7, None]:
        server.notify("textDocument/didChange", {
            "textDocument": {"uri": file.as_uri(), "version": 2}, "contentChanges": [change]})
    server.lives()
    assert server.end() == 0
    ok("edits of documents that are not open, and messages of other shapes")


def lengths():
    for junk in [b"Content-Length: 3\r\n\r\n{}", b"Content-Length: -3\r\n\r\n{}", b"Content-Length: 9999999999\r\n\r\n",
                 b"Content-Length: 2\r\n\r\n{}{}{}", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\xff" * 9000]:
        server = Server(UNIT)
        server.write(junk)
        server.process.stdin.close()
        server.process.stdout.read()
        code = server.process.wait(20)
        assert code in (1, 2, 3), (junk[:40], code)
    ok("wrong lengths and other streams end the server with a status that is not 0")


def flood():
    folder = fresh("flood")
    server = Server(folder)
    file = folder / "policy.yaml"
    server.open(file)
    position = {"textDocument": {"uri": file.as_uri()}, "position": {"line": 4, "character": 6}}
    methods = ["textDocument/hover", "textDocument/definition", "textDocument/completion",
               "textDocument/references", "textDocument/documentSymbol", "textDocument/semanticTokens/full"]
    count = 20_000
    answers = {}

    def read():
        while len(answers) < count:
            one = server.read()
            if isinstance(one.get("id"), int) and "method" not in one:
                answers[one["id"]] = one

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(100, 100 + count):
        server.write(frame({"id": number, "method": methods[number % len(methods)], "params": position}))
        if number % 2:
            server.write(frame({"method": "$/cancelRequest", "params": {"id": number}}))
        if number % 500 == 0:
            server.change(file, file.read_text() + "# %d\n" % number, number)
    reader.join(240)
    assert len(answers) == count, len(answers)
    codes = {}
    for one in answers.values():
        code = one["error"]["code"] if "error" in one else 0
        codes[code] = codes.get(code, 0) + 1
    assert set(codes) <= {0, -32800, -32801}, codes
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    peak = int(status.split("VmHWM:")[1].split()[0]) // 1024
    assert server.end() == 0
    ok(f"{count} requests, half of them cancelled: each has one answer ({codes.get(0, 0)} results, "
       f"{codes.get(-32800, 0)} cancelled, {codes.get(-32801, 0)} stale), at most {peak} MiB")


def ends():
    server = Server(UNIT)
    server.notify("exit", None)
    assert server.process.wait(20) == 1
    ok("exit without shutdown ends with 1")
    # The editor reads no more: no signal ends the server.
    server = subprocess.Popen([HAWSER, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    server.stdout.close()
    server.communicate(frame({"id": 1, "method": "initialize", "params": {"capabilities": {}}}), 20)
    assert server.returncode == 1, server.returncode
    ok("an editor that reads no more: the server ends with 1")
    # The editor is killed while a text that the server wrote is open.
    folder = fresh("killed")
    script = (
        "import subprocess, sys, time\n"
        f"server = subprocess.Popen({[HAWSER, 'lsp']!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "server.stdin.write(sys.stdin.buffer.read())\n"
        "server.stdin.flush()\n"
        "while b'hawser.rule' not in server.stdout.readline(): pass\n"
        "server.stdout.read(200)\n"
        "print(server.pid, flush=True)\n"
        "time.sleep(60)\n")
    opening = frame({"id": 1, "method": "initialize", "params": {"capabilities": {}}}) + frame(
        {"id": 2, "method": "workspace/executeCommand", "params": {"command": "hawser.rule", "arguments": ["HW211"]}})
    client = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              cwd=folder)
    client.stdin.write(opening)
    client.stdin.close()
    server = int(client.stdout.readline())
    left = list(pathlib.Path(os.environ["TMPDIR"]).glob("hawser-lsp*"))
    assert left, "the text was not written"
    assert all(stat.S_IMODE(one.stat().st_mode) == 0o700 for one in left)
    client.send_signal(signal.SIGKILL)
    client.wait()
    for _ in range(100):
        state = pathlib.Path(f"/proc/{server}/stat")
        if not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            break
        time.sleep(0.1)
    else:
        raise AssertionError("the server lives on")
    left = list(pathlib.Path(os.environ["TMPDIR"]).glob("hawser-lsp*"))
    assert not left, left
    ok("an editor that is killed: the server ends too, and its texts are deleted")


def without_git():
    folder = fresh("no-git")
    server = Server(folder, environment=dict(os.environ, PATH="/nonexistent"))
    server.open(folder / "policy.yaml", (folder / "policy.yaml").read_text().replace("tls1.3", "tls1.2"))
    lenses = server.ask("textDocument/codeLens", {"textDocument": {"uri": (folder / "policy.yaml").as_uri()}})
    titles = [one["command"]["title"] for one in lenses["result"]]
    assert any("decides" in one for one in titles) and not any("weaker" in one for one in titles), titles
    answer = server.ask("workspace/executeCommand", {
        "command": "hawser.diff", "arguments": [(folder / "policy.yaml").as_uri()]})
    assert "git" in answer["error"]["message"], answer
    assert server.end() == 0
    ok("without git: no lines about the last commit, and the command says why")


def quiet():
    """A repository that runs programs wherever git lets it, under strace."""
    folder = fresh("hooks")
    marker = SCRATCH / "hooks" / "ran"
    evil = folder.parent / "evil.sh"
    evil.write_text(f"#!/bin/sh\necho \"$0 $*\" >> {marker}\nexit 0\n")
    evil.chmod(0o755)
    hooks = folder / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ["post-checkout", "post-index-change", "pre-commit", "reference-transaction", "fsmonitor-watchman",
                 "post-merge", "pre-auto-gc"]:
        shutil.copy(evil, hooks / name)
    for key, value in [("core.fsmonitor", evil), ("core.pager", evil), ("diff.external", evil),
                       ("core.hooksPath", hooks), ("core.sshCommand", evil), ("core.editor", evil),
                       ("filter.x.smudge", evil), ("filter.x.clean", evil), ("filter.x.process", evil),
                       ("diff.x.textconv", evil), ("alias.cat-file", f"!{evil}"), ("gpg.program", evil),
                       ("credential.helper", evil), ("log.showSignature", "true"), ("core.askPass", evil),
                       ("remote.origin.url", "https://192.0.2.1/x.git"), ("remote.origin.promisor", "true"),
                       ("remote.origin.partialclonefilter", "blob:none"), ("extensions.partialClone", "origin"),
                       ("uploadpack.packObjectsHook", evil)]:
        subprocess.run(["git", "-C", folder, "config", key, str(value)], check=True)
    (folder / ".gitattributes").write_text("*.yaml filter=x diff=x\n")
    marker.unlink(missing_ok=True)
    trace = folder.parent / "trace"
    server = Server(folder, trace=trace)
    files = [folder / name for name in ["policy.yaml", "teams/shop.policy.yaml", "unit.test.yaml"]]
    for file in files:
        server.open(file)
    weaker = (folder / "policy.yaml").read_text().replace("tls1.3", "tls1.2")
    server.change(folder / "policy.yaml", weaker, 2)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    for file in files:
        document = {"textDocument": {"uri": file.as_uri()}}
        for method, params in [
            ("codeLens", {}), ("documentSymbol", {}), ("foldingRange", {}), ("formatting", {"options": {}}),
            ("inlayHint", {"range": whole}), ("semanticTokens/full", {}), ("semanticTokens/range", {"range": whole}),
            ("codeAction", {"range": whole, "context": {"only": ["source"]}}), ("codeAction", {
                "range": whole, "context": {}}), ("diagnostic", {}),
        ] + [(method, {"position": {"line": line, "character": character}})
             for method in ["hover", "definition", "references", "completion", "prepareRename"]
             for line in range(19) for character in (3, 9, 14)]:
            server.ask("textDocument/" + method, {**document, **params})
    lenses = server.ask("textDocument/codeLens", {"textDocument": {"uri": files[0].as_uri()}})
    assert any("weaker than HEAD" in one["command"]["title"] for one in lenses["result"]), lenses
    answer = server.ask("workspace/executeCommand", {
        "command": "hawser.diff", "arguments": [files[0].as_uri()]})
    assert "tls.minimum-version" in answer["result"]["text"]
    assert server.end() == 0
    assert not marker.exists(), marker.read_text()
    lines = trace.read_text().splitlines()
    programs = {match[1] for line in lines if (match := re.search(r'execve\("([^"]*)".* = 0$', line))}
    assert {os.path.basename(one) for one in programs} - {"git"} == {os.path.basename(HAWSER)}, programs
    sockets = [line for line in lines if re.search(r"\b(socket|connect)\(", line)]
    assert not sockets, sockets[:3]
    # Lines of the server itself: of its process and threads, before any program of another name.
    own = lines[0].split()[0]
    opened = {match[1] for line in lines if line.split()[0] == own
              and (match := re.search(r'\bopen(?:at2?)?\([^"]*"([^"]*)"[^)]*\) = \d', line))}
    absolute = {one for one in opened if one.startswith("/")}
    foreign = {one for one in absolute
               if not (one + "/").startswith(str(folder) + "/")
               and not LOADING.match(one)
               and not one.startswith(os.environ["TMPDIR"])}
    parents = {str(one) for one in folder.parents}
    assert foreign <= parents, foreign - parents
    assert not any(".." in one.split("/") for one in opened), opened
    ok(f"a repository with hooks and filters: none runs; programs run: git; "
       f"{len(opened)} names opened, all of the unit; no socket")


for case in [two_folders, moved, becomes_link, never_opened, lengths, ends, without_git, quiet, flood, large]:
    if len(sys.argv) > 4 and case.__name__ not in sys.argv[4:]:
        continue
    case()
