#!/usr/bin/env python3
"""Packs what `build.sh` has built into the files of a release, and writes their digests, bills and provenance.

Usage: pack.py TREE FOLDER     FOLDER is made anew

Needs dpkg-dev, rpm, a C compiler, the headers of Python and of Node, npm, and a JDK of 22 or later. The same tree gives
the same bytes.
"""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import NamedTuple

import bills
import debian
import image
import rpm
from archives import Entry, compressed, tar
from contents import ROOT, Tree, below, installed, terms

sys.path.insert(0, str(ROOT / "Packaging/wheel"))
from archive import pack  # noqa: E402


class File(NamedTuple):
    """A file of the release. `bills.py` has the contents of each kind."""

    name: str
    digest: str
    kind: str


def tarball(tree):
    stem = f"{tree.stem}-linux-{tree.machine}"
    entries = installed(tree, "static", "/usr/local") + terms(tree, "share/doc/hawser")
    entries.append(Entry("share/man/man1/hawser.1", tree.read("text/hawser.1")))
    entries.append(Entry("README.md", (ROOT / "Packaging/dist/TARBALL.md").read_bytes()))
    return f"{stem}.tar.gz", compressed(tar(below(stem, entries), tree.date))


def go_module(tree):
    """The module as a proxy serves it: a ZIP archive whose paths begin with the module and its version."""
    folder = ROOT / "Packaging/go"
    (module,) = [line.split()[1] for line in (folder / "go.mod").read_text().splitlines() if line.startswith("module ")]
    start = f"{module}@v{tree.version}"
    members = [(f"{start}/{path.name}", path.read_bytes(), 0o644) for path in sorted(folder.iterdir()) if path.is_file()]
    members.append((f"{start}/LICENSE", (ROOT / "LICENSE").read_bytes(), 0o644))
    return f"hawser-go-{tree.version}.zip", pack(sorted(members))


def written(folder, script, *inputs):
    """Runs a script of `Packaging` that writes packages and prints their paths; returns their names."""
    command = [sys.executable, ROOT / "Packaging" / script, *inputs, folder]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"pack.py: {script} ended with {run.returncode}")
    return [pathlib.Path(line).name for line in run.stdout.splitlines()]


def java_kind(name):
    """The kind of a file of the JVM package: the jar with the library, the POM, or a jar of texts."""
    if name.endswith(".pom"):
        return "pom"
    return "jar-of-texts" if name.endswith(("-sources.jar", "-javadoc.jar")) else "jar"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    tree_folder, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    facts = json.loads((tree_folder / "facts.json").read_text())
    tree = Tree(tree_folder, facts)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    names = {}
    for kind, (name, octets) in [("tarball", tarball(tree)), ("image", image.image(tree)), ("go", go_module(tree))]:
        (folder / name).write_bytes(octets)
        names[name] = kind
    for kind, name in zip(["deb", "library-deb", "development-deb"], debian.packages(tree, folder)):
        names[name] = kind
    names[rpm.package(tree, folder)] = "rpm"
    scripts = [
        ("wheel/build.py", "static/hawser", lambda name: "command-wheel"),
        ("python/build.py", "c", lambda name: "library-wheel"),
        ("node/build.py", "c", lambda name: "npm"),
        ("java/build.py", "c", java_kind),
    ]
    for script, built, kind in scripts:
        names.update({name: kind(name) for name in written(folder, script, tree_folder / built)})

    def digest(name):
        return hashlib.sha256((folder / name).read_bytes()).hexdigest()

    files = [File(name, digest(name), names[name]) for name in sorted(names)]
    stem = f"{tree.stem}-{tree.machine}"
    documents = {f"{stem}.spdx.json": bills.spdx(facts, files), f"{stem}.cdx.json": bills.cyclonedx(facts, files)}
    for name, document in documents.items():
        (folder / name).write_bytes(bills.text(document))
        files.append(File(name, digest(name), "bill"))
    (folder / f"{stem}.provenance.json").write_bytes(bills.text(bills.provenance(facts, files)))
    sums = [f"{digest(path.name)}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(sums))
    for path in folder.iterdir():
        path.chmod(0o644)
        os.utime(path, (tree.date, tree.date))
    print("".join(f"{path.stat().st_size:>12,}  {path.name}\n" for path in sorted(folder.iterdir())), end="")


main()
