"""What a package's libraries need of a machine, read from the ELF files with readelf.

Two scripts write packages with `libhawser.so.0` inside: `../python/build.py` and `../node/build.py`.
"""

import re
import struct
import subprocess

MACHINES = {62: "x86_64", 183: "aarch64"}

# What a machine must have. Everything else that a library asks for would be a surprise.
SYSTEM = re.compile(r"lib(c|m|gcc_s|stdc\+\+|crypto|ssl)\.so\.\d+|ld-linux\S*")


class Refused(Exception):
    """Why the package could not be made."""


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def machine(octets):
    if octets[:6] != b"\x7fELF\x02\x01" or len(octets) < 64:
        raise Refused("the library is not a 64-bit little-endian ELF file")
    (number,) = struct.unpack_from("<H", octets, 18)
    if number not in MACHINES:
        raise Refused(f"the library's machine is {number}; packages are built for {sorted(MACHINES)}")
    return MACHINES[number]


def needed(path):
    """The libraries that a library names."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-Wd", path))


def newest(path, prefix):
    """The newest version of a family of symbol versions, such as GLIBC_2.34, that a library asks for."""
    found = {
        tuple(map(int, number.split("."))) for number in re.findall(rf"Name: {prefix}_([0-9.]+)", run("readelf", "-WV", path))
    }
    return ".".join(map(str, max(found))) if found else None


def needs(paths):
    """What a package needs of a machine, read from its libraries: names and least versions."""
    for path in paths:
        for name in needed(path):
            if not SYSTEM.fullmatch(name) and name != "libhawser.so.0":
                raise Refused(f"{path.name} needs {name}")
    least = {
        name: max((newest(path, prefix) or "0" for path in paths), key=lambda text: tuple(map(int, text.split("."))))
        for name, prefix in [("glibc", "GLIBC"), ("libstdc++", "GLIBCXX"), ("libcrypto.so.3", "OPENSSL")]
    }
    return {name: number for name, number in least.items() if number != "0"}
