"""Writes the real chains among the public vectors as cases, in the form of VerdictCase.swift.

online.py VECTORS FOLDER [HOST...]: `online-HOST.case` each, of these hosts or of all.
"""

import base64
import datetime
import json
import pathlib
import sys


def octets(lists):
    """Each list and each certificate preceded by its length."""
    def length(count):
        return count.to_bytes(4, "little")
    return b"".join(length(len(certificates)) + b"".join(length(len(der)) + der for der in certificates)
                    for certificates in lists)


def case(vector):
    der = base64.b64decode
    seconds = int(datetime.datetime.fromisoformat(vector["validation_time"].replace("Z", "+00:00")).timestamp())
    host = vector["expected_peer_name"]["value"]
    line = f"evaluate {host} {host} {seconds} 0".encode()
    chain = [vector["peer_certificate"], *vector["untrusted_intermediates"]]
    return len(line).to_bytes(4, "little") + line + octets(
        [[der(text) for text in vector["trusted_certs"]], [der(text) for text in chain]])


def main():
    vectors, folder, hosts = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    with open(vectors / "limbo.ndjson") as lines:
        for line in lines:
            if '"online::' not in line:
                continue
            vector = json.loads(line)
            host = vector["id"].removeprefix("online::")
            if not hosts or host in hosts:
                (folder / f"online-{host}.case").write_bytes(case(vector))


main()
