#!/usr/bin/env python3
"""Writes the facts of a release into a linked file, and removes what depends on the folder of the build.

Usage: finish.py COMMIT TOOLCHAIN FILE...     each FILE is changed in place

The sections `.hawser.commit` and `.hawser.toolchain` (Sources/CVersion/version.c) get the two texts; a
file without them, such as a C library, stays without. `.swift_modhash` has digests of the compiler's
command lines, which name folders; its octets become zero. Only contents change, no size and no address.
"""

import pathlib
import struct
import sys

SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
NO_BITS = 8  # SHT_NOBITS


class Refused(Exception):
    """Why a file could not be finished."""


def sections(octets):
    """The sections of a 64-bit little-endian ELF file that have contents: name, offset, size."""
    if octets[:6] != b"\x7fELF\x02\x01" or len(octets) < 64:
        raise Refused("not a 64-bit little-endian ELF file")
    (table,) = struct.unpack_from("<Q", octets, 40)
    size, count, names = struct.unpack_from("<HHH", octets, 58)
    if size != SECTION_HEADER.size or table + size * count > len(octets):
        raise Refused("its section headers are cut short")
    headers = [SECTION_HEADER.unpack_from(octets, table + index * size) for index in range(count)]
    texts = headers[names][4]
    for header in headers:
        end = octets.index(b"\0", texts + header[0])
        if header[1] != NO_BITS:
            yield octets[texts + header[0] : end].decode(), header[4], header[5]


def finished(octets, commit, toolchain):
    """The octets of the finished file."""
    result = bytearray(octets)
    written = {".hawser.commit": commit, ".hawser.toolchain": toolchain, ".swift_modhash": ""}
    for name, offset, size in sections(octets):
        if name in written:
            text = written[name].encode()
            if text and len(text) >= size:
                raise Refused(f"`{written[name]}` is too long for {name}")
            result[offset : offset + size] = text.ljust(size, b"\0")
    return bytes(result)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__.split("\n\n")[1])
    commit, toolchain, *paths = sys.argv[1:]
    for path in map(pathlib.Path, paths):
        try:
            path.write_bytes(finished(path.read_bytes(), commit, toolchain))
        except Refused as refusal:
            sys.exit(f"{path}: {refusal}")


main()
