#!/usr/bin/env python3
"""Writes the jars of `hawser-tls` for the JVM: classes, sources, javadoc, and the POM.

Usage: build.py [DIST [FOLDER]]     what Packaging/c/build.sh has built, by default .build-c/dist, and where
                                    the jars go (by default the current folder)
       build.py --jdk               prints the version of the JDK that is taken

It needs a JDK of 22 or later: the one of JAVA_HOME, else the newest below /usr/lib/jvm. The jar of classes
serves Java 17 (`hawser serve`) and Java 22 (libhawser by the foreign function interface), and has
`libhawser.so.0` for this machine inside. The same library and the same JDK give the same bytes.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "Packaging" / "wheel"))
sys.path.insert(0, str(ROOT / "Packaging" / "dist"))
from archive import pack  # noqa: E402
import versions  # noqa: E402

NAME = "hawser-tls"
MODULE = "hawser.tls"
LEAST, NATIVE = 17, 22
# The architectures as ELF numbers them and as the library's folder in the jar is named.
MACHINES = {62: "x86_64", 183: "aarch64"}


class Refused(Exception):
    """Why the jars could not be made."""


def feature(home):
    """The number of a JDK, such as 25; 0 where there is none."""
    if not (home / "bin/javac").exists() or not (home / "bin/javadoc").exists():
        return 0
    found = re.search(r'^JAVA_VERSION="(\d+)', (home / "release").read_text(encoding="utf-8"), re.MULTILINE)
    return int(found.group(1)) if found else 0


def jdk():
    """The folder of a JDK that is new enough."""
    named = os.environ.get("JAVA_HOME")
    homes = [pathlib.Path(named)] if named else sorted(pathlib.Path("/usr/lib/jvm").glob("*/"))
    best = max(homes, key=feature, default=None)
    if best is None or feature(best) < NATIVE:
        raise Refused(f"no JDK of {NATIVE} or later was found in {named or '/usr/lib/jvm'}: set JAVA_HOME")
    return best


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"{pathlib.Path(command[0]).name} failed:\n{done.stdout}{done.stderr}")


def machine(octets):
    if octets[:6] != b"\x7fELF\x02\x01" or len(octets) < 64:
        raise Refused("the library is not a 64-bit little-endian ELF file")
    number = int.from_bytes(octets[18:20], "little")
    if number not in MACHINES:
        raise Refused(f"the library's machine is {number}; jars are built for {sorted(MACHINES)}")
    return MACHINES[number]


def tree(folder, below=""):
    """The files of a folder as members, in order."""
    paths = sorted((path for path in folder.rglob("*") if path.is_file()), key=lambda path: path.relative_to(folder).as_posix())
    return [(below + path.relative_to(folder).as_posix(), path.read_bytes(), 0o644) for path in paths]


def manifest(*fields):
    lines = ["Manifest-Version: 1.0", *(f"{name}: {value}" for name, value in fields)]
    return ("META-INF/MANIFEST.MF", "".join(f"{line}\r\n" for line in [*lines, ""]).encode(), 0o644)


def jars(dist):
    """Each file's name and octets."""
    library = dist / "lib/libhawser.so.0"
    if not library.exists():
        raise Refused("lib/libhawser.so.0 is missing: run Packaging/c/build.sh")
    number = versions.version()
    home = jdk()
    pom = (HERE / "pom.xml").read_bytes()
    sources = sorted((HERE / "src/main/java").rglob("*.java"))
    native = sorted((HERE / "src/main/java22").rglob("*.java"))
    strict = ["-Xlint:all", "-Werror", "-proc:none", "-encoding", "UTF-8"]
    with tempfile.TemporaryDirectory() as scratch:
        base, later, pages = (pathlib.Path(scratch, name) for name in ("base", "later", "pages"))
        run(home / "bin/javac", *strict, "--release", LEAST, "--module-version", number, "-d", base, *sources)
        run(home / "bin/javac", *strict, "--release", NATIVE, "-cp", base, "-d", later, *native)
        run(
            home / "bin/javadoc", "-quiet", "-notimestamp", "-Xdoclint:all", "-Werror", "--release", LEAST, "-encoding", "UTF-8",
            "-windowtitle", "Hawser for the JVM", "-doctitle", f"Hawser for the JVM {number}", "-d", pages, *sources,
        )  # fmt: skip
        classes, later_classes, documents = tree(base), tree(later, f"META-INF/versions/{NATIVE}/"), tree(pages)
    octets = library.read_bytes()
    about = [("Implementation-Title", NAME), ("Implementation-Version", number)]
    licences = [
        ("META-INF/LICENSE", (ROOT / "LICENSE").read_bytes(), 0o644),
        ("META-INF/THIRD-PARTY.md", (HERE / "THIRD-PARTY.md").read_bytes(), 0o644),
    ]
    text = [
        *tree(HERE / "src/main/java"),
        *tree(HERE / "src/main/java22", f"META-INF/versions/{NATIVE}/"),
    ]
    members = [
        manifest(*about, ("Multi-Release", "true")),
        *licences,
        (f"META-INF/maven/hawser/{NAME}/pom.xml", pom, 0o644),
        *classes,
        *later_classes,
        (f"hawser/tls/native/linux-{machine(octets)}/libhawser.so.0", octets, 0o755),
    ]
    stem = f"{NAME}-{number}"
    return {
        f"{stem}.jar": pack(members),
        f"{stem}-sources.jar": pack([manifest(*about, ("Multi-Release", "true")), licences[0], *text]),
        f"{stem}-javadoc.jar": pack([manifest(*about), licences[0], *documents]),
        f"{stem}.pom": pom,
    }


def stated(home):
    """The version that a JDK states, such as `25.0.3+9-LTS`."""
    release = (home / "release").read_text(encoding="utf-8")
    found = re.search(r'^JAVA_RUNTIME_VERSION="([^"]+)"', release, re.MULTILINE)
    return found.group(1) if found else str(feature(home))


def main():
    if len(sys.argv) > 3:
        sys.exit(__doc__.split("\n\n")[1])
    if sys.argv[1:] == ["--jdk"]:
        try:
            print(stated(jdk()))
        except Refused as refusal:
            sys.exit(f"build.py: {refusal}")
        return
    dist = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".build-c/dist"
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".")
    try:
        made = jars(dist.resolve())
    except Refused as refusal:
        sys.exit(f"build.py: {refusal}")
    folder.mkdir(parents=True, exist_ok=True)
    for name, octets in made.items():
        (folder / name).write_bytes(octets)
        print(folder / name)


main()
