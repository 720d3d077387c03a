#!/usr/bin/env python3
"""CRLite filters about the certificates of a rig, made now.

    filters.py timestamp                                prints a line for the extensions of a
                                                        certificate: a timestamp of a day ago
    filters.py fill FOLDER ISSUER.pem {good,revoked}    puts a filter and then its index into the
                                                        folder, each by rename: all certificates of
                                                        the issuer are good, or all are revoked
"""

import hashlib
import os
import pathlib
import subprocess
import sys
import time

LOG = hashlib.sha256(b"the log of the rig").digest()
DAY = 86_400_000
NOW = int(time.time() * 1_000)


def timestamp() -> str:
    """RFC 6962 section 3.3, with a signature that nobody verifies."""
    signed = b"\0" + LOG + (NOW - DAY).to_bytes(8, "big") + b"\0\0" + b"\4\3\0\1\0"
    listed = len(signed).to_bytes(2, "big") + signed
    octets = len(listed).to_bytes(2, "big") + listed
    return "1.3.6.1.4.1.11129.2.4.2=DER:" + (b"\4" + bytes([len(octets)]) + octets).hex(":")


def covered() -> bytes:
    """The times that the filter covers: up to an hour ago."""
    return (NOW - 100 * DAY).to_bytes(8, "big") + (NOW - DAY // 24).to_bytes(8, "big")


def filter_of(issuer: bytes, is_revoked: bool) -> bytes:
    """Format 4. A block without rows has no member; where it is inverted, all are revoked."""
    numbers = bytes(4) + bytes(1) + bytes(4) + bytes(4) + bytes(4)
    entry = issuer + numbers + bytes([is_revoked]) + bytes(2)
    logs = (1).to_bytes(2, "big") + LOG + covered()
    return b"\4\0" + logs + (1).to_bytes(4, "big") + entry + bytes(1) + bytes(4)


def index_of(name: str) -> bytes:
    head = b"upkiidx1" + (1).to_bytes(2, "big") + (1).to_bytes(4, "big") + name.encode().ljust(32, b"\0")
    place = len(head) + 42
    return head + LOG + place.to_bytes(8, "big") + (1).to_bytes(2, "big") + bytes(2) + covered()


def put(folder: pathlib.Path, name: str, octets: bytes) -> None:
    new = folder / f"new-{os.getpid()}"
    new.write_bytes(octets)
    new.chmod(0o644)
    new.rename(folder / name)


def fill(folder: pathlib.Path, certificate: str, state: str) -> None:
    key = subprocess.run(
        ["openssl", "x509", "-in", certificate, "-noout", "-pubkey"], check=True, capture_output=True).stdout
    key = subprocess.run(
        ["openssl", "pkey", "-pubin", "-outform", "DER"], input=key, check=True, capture_output=True).stdout
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    name = f"{state}.filter"
    put(folder, name, filter_of(hashlib.sha256(key).digest(), {"good": False, "revoked": True}[state]))
    put(folder, "index.bin", index_of(name))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["timestamp"]:
            print(timestamp())
        case ["fill", folder, certificate, state]:
            fill(pathlib.Path(folder), certificate, state)
        case _:
            sys.exit(__doc__)
