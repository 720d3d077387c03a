"""Debian's packages: `hawser`, `libhawser0` and `libhawser-dev`, of programs that use the system's libraries."""

import datetime
import hashlib
import os
import pathlib
import subprocess
import tempfile

from archives import Entry, compressed, write
from contents import HOMEPAGE, MAINTAINER, ROOT, below, installed, manual, terms

COMMAND = """Policy as code for TLS server trust
 A security team writes, in reviewed YAML, which hosts are trusted through
 which anchors, with which pins. The command checks, lints and compares that
 policy, compiles it into the table that services load, and explains why a
 certificate chain is trusted or is not.
 .
 The package contains the server for programs that cannot link the library
 (hawser serve), and the libraries by which programs that use OpenSSL are
 judged without a change (hawser run).
"""
LIBRARY = """Policy as code for TLS server trust: C libraries
 Verdicts on TLS servers by a compiled policy table, for programs in any
 language that calls C, and in place of the certificate verification of
 OpenSSL.
"""
DEVELOPMENT = """Policy as code for TLS server trust: headers for C
 The headers of libhawser and of the part that takes the place of OpenSSL's
 certificate verification, with files for pkg-config.
"""

# The units are not enabled: they need a table first. An upgrade restarts a server that runs, and
# leaves its socket; a removal stops both.
SCRIPTS = {
    "postinst": b"""#!/bin/sh
set -e
if [ "$1" = configure ]; then
    if command -v systemd-sysusers >/dev/null; then systemd-sysusers hawser.conf; fi
    if [ -d /run/systemd/system ]; then
        systemctl --system daemon-reload >/dev/null || true
        if [ -n "$2" ]; then deb-systemd-invoke try-restart hawser-serve.service >/dev/null || true; fi
    fi
fi
""",
    "prerm": b"""#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    deb-systemd-invoke stop hawser-serve.socket hawser-serve.service >/dev/null || true
fi
""",
    "postrm": b"""#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload >/dev/null || true
fi
""",
}

COPYRIGHT = f"""Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: hawser
Source: {HOMEPAGE}

Files: *
Copyright: 2026 The Hawser authors
License: Apache-2.0
"""
# The libraries that are linked into programs, with the files of the packages that have them.
LINKED = """
Files: {files}
Copyright: 2026 The Hawser authors
 2014-2026 Apple Inc. and the Swift project authors
 {projects}
License: Apache-2.0 and Apache-2.0-with-Swift-exception
Comment: Linked inside are the Swift standard library, its runtime,
 libdispatch and FoundationEssentials, and these packages of Swift:
 {packages}.
 THIRD-PARTY.md, THIRD-PARTY-serve.md and the folder licenses beside this file
 have the terms and the notices of each.

License: Apache-2.0-with-Swift-exception
 The Apache License, version 2.0, with this addition:
 .
 As an exception, if you use this Software to compile your source code and
 portions of this Software are embedded into the binary product as a result,
 you may redistribute such product without providing attribution as would
 otherwise be required by Sections 4(a), 4(b) and 4(d) of the License.
"""
LICENSE = """
License: Apache-2.0
 On Debian systems, the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
"""
# Of each package: the files with Swift inside, who wrote the further packages, and these.
EMBEDDED = {
    "hawser": {
        "files": "usr/bin/hawser usr/libexec/hawser/*",
        "projects": "2018-2026 The SwiftLog, SwiftMetrics and SwiftNIO projects",
        "packages": "swift-argument-parser, swift-log, swift-metrics, swift-nio, swift-atomics,\n"
        " swift-collections, swift-system",
    },
    "libhawser0": {
        "files": "usr/lib/*",
        "projects": "2018-2026 The SwiftLog and SwiftMetrics projects",
        "packages": "swift-log, swift-metrics",
    },
}


def copyright(package):
    """The copyright file of a package, in Debian's machine-readable form."""
    linked = LINKED.format(**EMBEDDED[package]) if package in EMBEDDED else ""
    return COPYRIGHT + linked + LICENSE


def documents(tree, package):
    """The documents that every package of Debian has."""
    folder = f"usr/share/doc/{package}"
    day = datetime.datetime.fromtimestamp(tree.date, datetime.timezone.utc).strftime("%a, %d %b %Y %H:%M:%S +0000")
    change = f"hawser ({tree.version}) unstable; urgency=medium\n\n  * Version {tree.version}.\n\n -- {MAINTAINER}  {day}\n"
    return [
        Entry(f"{folder}/copyright", copyright(package).encode()),
        Entry(f"{folder}/changelog.gz", compressed(change.encode())),
    ]


def pkgconfig(tree, name):
    template = (ROOT / f"Packaging/c/{name}.pc.in").read_text(encoding="utf-8")
    values = {"@PREFIX@": "/usr", "@LIBDIR@": f"/usr/lib/{tree.triple}", "@VERSION@": tree.version}
    for word, value in values.items():
        template = template.replace(word, value)
    return template.encode()


def command(tree):
    entries = below("usr", installed(tree, "dynamic"))
    entries.append(manual(tree)._replace(path=f"usr/{manual(tree).path}"))
    for name in ["libhawser_run.so", "libhawser_judge.so"]:
        entries.append(Entry(f"usr/lib/{tree.triple}/hawser/{name}", tree.read(f"c/lib/hawser/{name}")))
    # The licence itself is among Debian's common ones.
    return entries + [entry for entry in terms(tree, "usr/share/doc/hawser") if not entry.path.endswith("/LICENSE")]


def library(tree):
    names = ["libhawser.so.0", "libhawser_openssl.so.0"]
    entries = [Entry(f"usr/lib/{tree.triple}/{name}", tree.read(f"c/lib/{name}")) for name in names]
    return entries + [entry for entry in terms(tree, "usr/share/doc/libhawser0") if not entry.path.endswith("/LICENSE")]


def symbols(tree):
    """The functions of the libraries with the version that brought each. `libhawser0.symbols` lists them, and a
    library that exports others is refused: a name that is gone breaks programs, and a new one needs its version.
    """
    text = (ROOT / "Packaging/dist/libhawser0.symbols").read_text(encoding="utf-8")
    listed, library = {}, ""
    for line in text.splitlines():
        if line.startswith(" "):
            listed[library].add(line.split("@")[0].strip())
        else:
            library = line.split()[0]
            listed[library] = set()
    for library, names in listed.items():
        command = ["nm", "-D", "--defined-only", "--extern-only", "--format=posix", tree.folder / "c/lib" / library]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        exported = {line.split()[0] for line in run.stdout.splitlines()}
        if exported != names:
            raise SystemExit(f"{library} and libhawser0.symbols differ in {', '.join(sorted(exported ^ names))}")
    return text.encode()


def development(tree):
    folder = f"usr/lib/{tree.triple}"
    return [
        *(Entry(f"usr/include/{name}", tree.read(f"c/include/{name}")) for name in ["hawser.h", "hawser_openssl.h"]),
        Entry(f"{folder}/libhawser.so", target="libhawser.so.0"),
        Entry(f"{folder}/libhawser_openssl.so", target="libhawser_openssl.so.0"),
        Entry(f"{folder}/libhawser_openssl.a", tree.read("c/lib/libhawser_openssl.a")),
        *(Entry(f"{folder}/pkgconfig/{name}.pc", pkgconfig(tree, name)) for name in ["hawser", "hawser-openssl"]),
    ]


def needed(tree, package, files):
    """The packages whose libraries the files load, with their least versions, as dpkg-shlibdeps finds them."""
    files = [file for file in files if file.octets[:4] == b"\x7fELF"]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "debian").mkdir()
        (work / "debian/control").write_text("Source: hawser\n\nPackage: hawser\nArchitecture: any\n")
        own = f"libhawser0 (= {tree.version})"
        (work / "shlibs").write_text(f"libhawser 0 {own}\nlibhawser_openssl 0 {own}\n")
        paths = []
        for index, file in enumerate(files):
            path = work / f"{index}-{pathlib.PurePosixPath(file.path).name}"
            path.write_bytes(file.octets)
            paths.append(path.name)
        run = subprocess.run(
            ["dpkg-shlibdeps", "-O", "-Lshlibs", f"-l{tree.folder.resolve()}/c/lib", "--warnings=0", *paths],
            cwd=work, capture_output=True, text=True,
        )  # fmt: skip
        if run.returncode:
            raise SystemExit(f"dpkg-shlibdeps: {run.stderr}")
    found = run.stdout.strip().removeprefix("shlibs:Depends=").split(", ")
    return ", ".join(relation for relation in found if relation.split()[0] != package)


def package(tree, name, entries, fields, scripts, folder):
    """Writes a package and returns its file name."""
    entries = entries + documents(tree, name)
    size = sum((len(entry.octets) + 1023) // 1024 for entry in entries)
    described = fields.pop("Description")
    control = {
        "Package": name,
        "Source": "hawser",
        "Version": tree.version,
        "Architecture": tree.debian,
        "Maintainer": MAINTAINER,
        "Installed-Size": size,
        **{field: value for field, value in fields.items() if value},
        "Priority": "optional",
        "Homepage": HOMEPAGE,
        "Description": described.rstrip("\n"),
    }
    if name == "hawser":
        del control["Source"]
    sums = "".join(
        f"{hashlib.md5(entry.octets).hexdigest()}  {entry.path}\n" for entry in sorted(entries) if not entry.target
    )
    texts = {
        "control": "".join(f"{field}: {value}\n" for field, value in control.items()).encode(),
        "md5sums": sums.encode(),
        **scripts,
    }
    described = [Entry(f"DEBIAN/{file}", text, 0o755 if text[:2] == b"#!" else 0o644) for file, text in texts.items()]
    file = f"{name}_{tree.version}_{tree.debian}.deb"
    with tempfile.TemporaryDirectory() as work:
        root = pathlib.Path(work) / "root"
        write(entries + described, root)
        for path in [root, *root.rglob("*")]:
            os.utime(path, (tree.date, tree.date), follow_symlinks=False)
        # One thread: the number of threads shows in what xz writes.
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--threads-max=1", "--build", root, folder / file],
            check=True, stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(tree.date)},
        )  # fmt: skip
    return file


def packages(tree, folder):
    """Writes the three packages and returns their file names."""
    libraries = f"libhawser 0 libhawser0 (>= {tree.version})\nlibhawser_openssl 0 libhawser0 (>= {tree.version})\n"
    return [
        package(
            tree, "hawser", command(tree),
            {
                "Section": "net", "Depends": needed(tree, "hawser", command(tree)),
                "Recommends": "ca-certificates", "Suggests": "git", "Description": COMMAND,
            },
            SCRIPTS, folder,
        ),
        package(
            tree, "libhawser0", library(tree),
            {
                "Section": "libs", "Multi-Arch": "same", "Depends": needed(tree, "libhawser0", library(tree)),
                "Description": LIBRARY,
            },
            {"shlibs": libraries.encode(), "symbols": symbols(tree), "triggers": b"activate-noawait ldconfig\n"}, folder,
        ),
        package(
            tree, "libhawser-dev", development(tree),
            {
                "Section": "libdevel", "Multi-Arch": "same", "Depends": f"libhawser0 (= {tree.version}), libssl-dev",
                "Description": DEVELOPMENT,
            },
            {}, folder,
        ),
    ]  # fmt: skip
