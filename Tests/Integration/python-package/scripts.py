"""Runs the scripts of the package's README as they are written, in this interpreter's environment:
each against six servers and a seventh over TLS 1.2 and 1.3, with and without an attachment to OpenSSL.

Usage: scripts.py README TABLE [attached|not-attached]...
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from servers import RIG, OpenSSLServer

HERE = pathlib.Path(__file__).resolve().parent

# Of each library, the error that a refused server is.
ERRORS = {
    "urllib": "URLError", "urllib3": "SSLError", "requests": "SSLError", "httpx": "ConnectError",
    "httpx-asyncio": "ConnectError", "aiohttp": "ClientConnectorCertificateError", "asyncio": "RejectError",
}  # fmt: skip

# The server's certificate, its host, and the violation: None for an accept. Where the verdict hangs
# on the staple there is one without it, too.
SERVERS = {
    "good": ("good", None, None),
    "wrong pin": ("pinned", "pin-mismatch", "pin-mismatch"),
    "expired": ("expired", "expired", "expired"),
    "wrong name": ("name", "name-mismatch", "name-mismatch"),
    "revoked by staple": ("revoked", "revoked", "revocation-undetermined"),
    "no rule": ("stranger", "no-applicable-rule", "no-applicable-rule"),
    # The rule takes a staple where one comes, and demands none.
    "revoked, not demanded": ("seen", "revoked", None),
}


def scripts(readme):
    """The scripts of the page, by their imports; at most fifteen lines each."""
    found = {}
    for text in re.findall(r"^```python\n(.*?)^```$", readme.read_text(), re.MULTILINE | re.DOTALL):
        lines = [line for line in text.splitlines() if line.strip()]
        assert len(lines) <= 15, f"a script of {len(lines)} lines:\n{text}"
        name = next(
            name for name, word in [
                ("requests", "requests.Session"), ("urllib3", "urllib3.PoolManager"), ("httpx-asyncio", "httpx.AsyncClient"),
                ("httpx", "httpx.Client"), ("aiohttp", "aiohttp.ClientSession"), ("asyncio", "asyncio.open_connection"),
                ("urllib", "urlopen"),
            ] if word in text
        )  # fmt: skip
        assert name not in found, f"two scripts for {name}"
        found[name] = text
    assert set(found) == set(ERRORS), f"the page has scripts for {sorted(found)}"
    return found


def main():
    readme, table, *modes = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for name, text in scripts(pathlib.Path(readme)).items():
            paths[name] = pathlib.Path(folder, f"{name.replace('-', '_')}_script.py")
            paths[name].write_text(text)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            done = pool.map(lambda version: serve(version, paths, table, modes or ["attached", "not-attached"]), [12, 13])
            counts = list(done)
    print(f"{sum(counts)} connections of {len(paths)} scripts on Python {sys.version.split()[0]} came out as they should")


def serve(version, paths, table, modes):
    count = 0
    for title, (host, attached, not_attached) in SERVERS.items():
        staple = RIG / f"{host}.staple"
        server = OpenSSLServer(host, version, *(["-status_file", staple] if staple.exists() else []))
        try:
            for mode in modes:
                violation = attached if mode == "attached" else not_attached
                for name, path in paths.items():
                    check(server, name, path, table, host, mode, violation, f"{name}, {title}, TLS 1.{version - 10}, {mode}")
                    count += 1
        finally:
            server.close()
    return count


def check(server, name, path, table, host, mode, violation, what):
    environment = {**os.environ, "PYTHONPATH": str(HERE / "environment"), "UNLISTED": "" if mode == "attached" else "1"}
    for proxy in [key for key in environment if key.lower().endswith("_proxy")]:
        del environment[proxy]
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:__main__", path, table, f"https://{host}.rig.example:{server.port}/"],
        capture_output=True, text=True, timeout=120, env=environment)  # fmt: skip
    records, hellos = server.records()
    said = f"{what}: status {done.returncode}, {records} records\n{done.stdout}{done.stderr}"
    assert hellos == 1, f"{what}: {hellos} connections\n{said}"
    if violation is None:
        assert done.returncode == 0 and done.stdout == "200\n" and records > 0, said
    else:
        sentence = re.search(rf"^(\w+): hawser: reject {host}\.rig\.example: {violation}: \S.*", done.stderr, re.MULTILINE)
        assert done.returncode == 1 and done.stdout == "" and sentence and sentence[1] == ERRORS[name], said
        assert records == 0, said
    # What a context that is not attached does not see, it says.
    unseen = "not attached to OpenSSL" in done.stderr and "OCSP staples" in done.stderr
    assert unseen == (mode == "not-attached"), said
    if name == "urllib":
        last = done.stderr.strip().splitlines()[-1:] if violation else ["200" + (", the staple not seen" if unseen else "")]
        print(f"{what}: {last[0]}", flush=True)


main()
