#!/usr/bin/env python3
"""Writes the wheel of `hawser-tls`, with Python's own library and a C compiler.

Usage: build.py [DIST [FOLDER]]     what Packaging/c/build.sh has built, by default .build-c/dist, and where
                                    the wheel goes (by default the current folder)

The wheel has the package, `libhawser.so.0`, and the extension that puts the drop-in for OpenSSL under an
`ssl.SSLContext`, which is compiled here (CC, by default cc) for the limited interface of CPython 3.10 on. It
needs the headers of Python 3.10 or later and of OpenSSL 3. The same libraries and tools give the same bytes.

The tag is `py3-none-linux_x86_64` (or `aarch64`): see README.md, "What the wheel needs".
"""

import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import os

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "Packaging" / "wheel"))
from archive import pack, record  # noqa: E402
from libraries import Refused, machine, needs, run  # noqa: E402

NAME = "hawser-tls"
MODULE = "hawser_tls"
SUMMARY = "Policy as code for TLS server trust: an ssl.SSLContext that a reviewed policy judges"
REQUIRES_PYTHON = ">=3.10"


def version():
    """The version of the command, so that a wheel of the package says which it belongs to."""
    text = (ROOT / "Sources/CVersion/include/hawser_version.h").read_text(encoding="utf-8")
    found = re.search(r'^#define HAWSER_VERSION "([0-9.]+)"$', text, re.MULTILINE)
    if not found:
        raise Refused("Sources/CVersion/include/hawser_version.h states no version")
    return found.group(1)


def compile_extension(dist, folder):
    """Compiles `_attach.abi3.so` with the drop-in inside; only its entry is exported."""
    exports = folder / "exports.map"
    exports.write_text("{ global: PyInit__attach; local: *; };\n")
    built = folder / "_attach.abi3.so"
    include = sysconfig.get_path("include")
    if not pathlib.Path(include, "Python.h").exists():
        raise Refused(f"{include} has no Python.h: install the headers (Debian: python3-dev)")
    subprocess.run(
        [
            os.environ.get("CC", "cc"), "-shared", "-std=gnu11", "-O2", "-g0", "-fPIC", "-fvisibility=hidden", "-Wall",
            "-Wextra", "-Werror", f"-I{include}", f"-I{dist / 'include'}", HERE / MODULE / "_attach.c",
            dist / "lib/libhawser_openssl.a", f"-L{dist / 'lib'}", "-lhawser", "-lssl", "-lcrypto", "-ldl",
            f"-Wl,--version-script={exports}", "-Wl,-rpath,$ORIGIN/lib", "-Wl,--enable-new-dtags", "-Wl,-z,relro,-z,now",
            "-Wl,-s", "-Wl,--build-id=none", "-Wl,--as-needed", "-o", built,
        ],
        check=True,
    )  # fmt: skip
    exported = run("nm", "-D", "--defined-only", built).split()
    if exported[-1:] != ["PyInit__attach"] or len(exported) != 3:
        raise Refused(f"the extension exports {exported[2::3]}")
    return built


def metadata(number, required):
    """The METADATA file: fields, then the page that indexes show."""
    fields = [
        ("Metadata-Version", "2.4"),
        ("Name", NAME),
        ("Version", number),
        ("Summary", SUMMARY),
        ("License-Expression", "Apache-2.0"),
        ("License-File", "LICENSE"),
        ("License-File", "THIRD-PARTY.md"),
        ("Classifier", "Operating System :: POSIX :: Linux"),
        ("Classifier", "Programming Language :: Python :: Implementation :: CPython"),
        ("Classifier", "Topic :: Security"),
        ("Classifier", "Typing :: Typed"),
        ("Requires-Python", REQUIRES_PYTHON),
        *(("Requires-External", f"{name} (>={number})") for name, number in required.items()),
        ("Description-Content-Type", "text/markdown"),
    ]
    head = "".join(f"{name}: {value}\n" for name, value in fields)
    return head + "\n" + (HERE / "DESCRIPTION.md").read_text(encoding="utf-8")


def wheel(dist):
    """The wheel's file name and its octets."""
    library = dist / "lib/libhawser.so.0"
    if not library.exists():
        raise Refused("there is no lib/libhawser.so.0: run Packaging/c/build.sh")
    number = version()
    with tempfile.TemporaryDirectory() as folder:
        extension = compile_extension(dist, pathlib.Path(folder))
        required = needs([library, extension])
        compiled = extension.read_bytes()
    octets = library.read_bytes()
    tag = f"py3-none-linux_{machine(octets)}"
    stem = f"{MODULE}-{number}"
    info = f"{stem}.dist-info"
    sources = sorted((HERE / MODULE).glob("*.py")) + [HERE / MODULE / "py.typed"]
    members = [(f"{MODULE}/{path.name}", path.read_bytes(), 0o644) for path in sources]
    members += [
        (f"{MODULE}/_version.py", f'"""Written by build.py."""\n\n__version__ = "{number}"\n'.encode(), 0o644),
        (f"{MODULE}/_attach.abi3.so", compiled, 0o755),
        (f"{MODULE}/lib/libhawser.so.0", octets, 0o755),
        (f"{MODULE}/lib/needs.txt", f"{', '.join(f'{name} {number} or later' for name, number in required.items())}\n".encode(), 0o644),
        (f"{info}/METADATA", metadata(number, required).encode(), 0o644),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: hawser {number}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), 0o644),
        (f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes(), 0o644),
        (f"{info}/licenses/THIRD-PARTY.md", (HERE / "THIRD-PARTY.md").read_bytes(), 0o644),
    ]
    listed = f"{info}/RECORD"
    members.append((listed, record(members, listed).encode(), 0o644))
    return f"{stem}-{tag}.whl", pack(members)


def main():
    if len(sys.argv) > 3:
        sys.exit(__doc__.split("\n\n")[1])
    dist = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".build-c/dist"
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".")
    try:
        name, octets = wheel(dist.resolve())
    except Refused as refusal:
        sys.exit(f"build.py: {refusal}")
    except subprocess.CalledProcessError as failure:
        sys.exit(f"build.py: {failure}\n{failure.stderr or ''}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(octets)
    print(folder / name)


main()
