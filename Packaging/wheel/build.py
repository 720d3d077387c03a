#!/usr/bin/env python3
"""Writes a Python wheel that holds the fully static command, only with Python's own library.

Usage: build.py HAWSER [FOLDER]     the executable, and where the wheel goes (by default the current folder)

The wheel has no Python in it: an installer copies `hawser` to the environment's scripts, and that is all.
The same executable gives the same bytes: no clock, no path and no user's name goes in, and members stand in
one order. Python's zlib packs them; another version of it may pack the same contents into other bytes.
An executable that needs a library of the machine that it will run on is refused.
"""

import pathlib
import re
import struct
import subprocess
import sys

from archive import pack, record

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent

# Not `hawser`: on PyPI that is another project's name.
NAME = "hawser-cli"
SUMMARY = "Policy as code for TLS server trust: the command hawser, fully static"

# A static executable needs no libc of the machine, so it runs wherever the oldest tag of
# either family does.
TAGS = {
    62: "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    183: "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
}

LOADED_BY_INTERPRETER = 3  # PT_INTERP
DYNAMIC = 2  # PT_DYNAMIC
NEEDED = 1  # DT_NEEDED


class Refused(Exception):
    """Why the wheel could not be made."""


def platform(octets):
    """The platform tag of an executable: 64-bit little-endian ELF for Linux that loads no library."""
    if octets[:6] != b"\x7fELF\x02\x01" or len(octets) < 64:
        raise Refused("it is no 64-bit little-endian ELF file")
    (machine,) = struct.unpack_from("<H", octets, 18)
    if machine not in TAGS:
        raise Refused(f"its machine is {machine}; wheels are built for {sorted(TAGS)}")
    try:
        require_no_libraries(octets)
    except struct.error:
        raise Refused("its program headers are cut short") from None
    return TAGS[machine]


def require_no_libraries(octets):
    """Looks through the program headers for a dynamic linker and for libraries that it would load."""
    (table,) = struct.unpack_from("<Q", octets, 32)
    size, count = struct.unpack_from("<HH", octets, 54)
    for index in range(count):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", octets, table + index * size)
        if kind == LOADED_BY_INTERPRETER:
            raise Refused("it asks for a dynamic linker; build it with `-Xswiftc -static-executable`")
        if kind == DYNAMIC:
            for tag, _ in struct.iter_unpack("<QQ", octets[offset : offset + length // 16 * 16]):
                if tag == NEEDED:
                    raise Refused("it needs a shared library; build it with `-Xswiftc -static-executable`")


def version(command):
    """What the executable calls itself, so that a wheel cannot say another version than it holds."""
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.fullmatch(r"hawser (\d+(?:\.\d+)+(?:(?:a|b|rc)\d+)?)\n", said)
    if not found:
        raise Refused(f"`--version` says {said!r}, which is no version that a wheel can have")
    return found.group(1)


def metadata(number):
    """The METADATA file: fields, then the page that indexes show."""
    fields = [
        ("Metadata-Version", "2.4"),
        ("Name", NAME),
        ("Version", number),
        ("Summary", SUMMARY),
        ("License-Expression", "Apache-2.0"),
        ("License-File", "LICENSE"),
        ("License-File", "THIRD-PARTY.md"),
        ("Classifier", "Environment :: Console"),
        ("Classifier", "Operating System :: POSIX :: Linux"),
        ("Classifier", "Topic :: Security"),
        ("Classifier", "Topic :: Software Development :: Quality Assurance"),
        ("Requires-Python", ">=3.7"),
        ("Description-Content-Type", "text/markdown"),
    ]
    head = "".join(f"{name}: {value}\n" for name, value in fields)
    return head + "\n" + (HERE / "DESCRIPTION.md").read_text(encoding="utf-8")


def wheel(command):
    """The wheel's file name and its octets."""
    octets = pathlib.Path(command).read_bytes()
    tag = f"py3-none-{platform(octets)}"
    number = version(command)
    stem = f"{NAME.replace('-', '_')}-{number}"
    info = f"{stem}.dist-info"
    # One line for each tag of the set that the file name abbreviates.
    tags = "".join(f"Tag: py3-none-{one}\n" for one in platform(octets).split("."))
    described = f"Wheel-Version: 1.0\nGenerator: hawser {number}\nRoot-Is-Purelib: false\n{tags}"
    members = [
        (f"{stem}.data/scripts/hawser", octets, 0o755),
        (f"{info}/METADATA", metadata(number).encode(), 0o644),
        (f"{info}/WHEEL", described.encode(), 0o644),
        (f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes(), 0o644),
        (f"{info}/licenses/THIRD-PARTY.md", (HERE / "THIRD-PARTY.md").read_bytes(), 0o644),
    ]
    listed = f"{info}/RECORD"
    members.append((listed, record(members, listed).encode(), 0o644))
    return f"{stem}-{tag}.whl", pack(members)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.split("\n\n")[1])
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else ".")
    command = pathlib.Path(sys.argv[1]).resolve()
    try:
        name, octets = wheel(command)
    except Refused as refusal:
        sys.exit(f"{sys.argv[1]}: {refusal}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(octets)
    print(folder / name)


main()
