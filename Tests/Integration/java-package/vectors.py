#!/usr/bin/env python3
"""Writes public vectors as files for Vectors.java: a table, the host, the instant and the chain of each.

Usage: vectors.py HAWSER CASES FOLDER       CASES is a limbo.ndjson

The anchors of a case are its policy. CRLs and demands of a case are left out: a handshake does not carry
them, and the verdicts of two ways are compared, not those that the suite expects.
"""

import base64
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import textwrap


def pem(octets):
    return "-----BEGIN CERTIFICATE-----\n" + "\n".join(textwrap.wrap(octets, 64)) + "\n-----END CERTIFICATE-----\n"


def write(hawser, case, folder):
    """Whether the case could be written: its anchors have to be anchors for Hawser."""
    name = re.sub(r"[^a-z0-9-]+", "_", case["id"].lower())
    unit = folder / name
    unit.mkdir()
    (unit / "anchors.pem").write_text("".join(map(pem, case["trusted_certs"])))
    (unit / "policy.yaml").write_text(
        "hawser: 1\nanchors:\n  vector: { files: [anchors.pem] }\ndefault: { anchors: [vector] }\n"
    )
    run = subprocess.run([hawser, "compile", unit, "-o", folder / f"{name}.table"], capture_output=True, text=True)
    if run.returncode:
        return f"{case['id']}: {run.stdout.splitlines()[0] if run.stdout else run.stderr}"
    chain = [case["peer_certificate"], *case["untrusted_intermediates"]]
    lines = [case["expected_peer_name"]["value"], case["validation_time"] or "2026-01-01T00:00:00Z", *chain]
    for octets in chain:
        base64.b64decode(octets, validate=True)
    (folder / f"{name}.case").write_text("".join(f"{line}\n" for line in lines))
    return None


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    hawser, cases, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    with open(cases, encoding="utf-8") as file:
        wanted = [case for case in map(json.loads, file) if case["validation_kind"] == "SERVER" and case["expected_peer_name"]]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        left = [one for one in pool.map(lambda case: write(hawser, case, folder), wanted) if one]
    for one in left:
        print("no policy:", one)
    print(f"{len(wanted) - len(left)} of {len(wanted)} vectors have a policy")


main()
