#!/usr/bin/env python3
"""Checks that every file that states the version states the one of `hawser_version.h`.

Usage: versions.py [--print] [ROOT]     prints the version; or the files that differ, on standard error

A file is named here with a pattern that finds the version in it. A pattern that finds nothing fails
too: then the file has lost its statement, or this list is out of date. The version of the C interface
is a number of its own, and is compared here as well.
"""

import pathlib
import re
import sys

SOURCE = "Sources/CVersion/include/hawser_version.h"
NUMBER = r"(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)"

root = pathlib.Path(__file__).resolve().parents[2]

# Every place that repeats the version. Packages, wheels, npm's archive, pkg-config files and bills
# of materials are not here: the scripts that write them read SOURCE.
STATED = [
    ("grammar/hawser.1", rf'^\.TH HAWSER 1 "" "hawser {NUMBER}"'),
    (".github/CHANGELOG.md", rf"^## {NUMBER}"),
    ("Packaging/wheel/README.md", rf"hawser-cli=={NUMBER}"),
    ("action.yml", rf"^ +HAWSER_VERSION: {NUMBER}$"),
    ("Packaging/java/pom.xml", rf"^  <version>{NUMBER}</version>"),
    ("Packaging/java/README.md", rf"-cp dist/hawser-tls-{NUMBER}\.jar:"),
]
# Places that state the release's line, such as 0.1.
LINES = [
    (".github/SECURITY.md", r"^\| (\d+\.\d+), after its release \|"),
    ("Documentation/install.md", r"Version (\d+\.\d+) brings packages"),
]
# The version of the C interface: its header, and the packages that refuse an older one.
INTERFACE = "Sources/CHawserABI/include/hawser.h", r"^#define HAWSER_ABI_VERSION (\d+)"
INTERFACES = [
    ("Packaging/python/hawser_tls/_library.py", r"^ABI_VERSION = (\d+)"),
    ("Packaging/java/src/main/java22/hawser/tls/NativeBackend.java", r"int ABI_VERSION = (\d+);"),
]
# Files that could state a version of their own, and do not.
SILENT = [
    ("Packaging/go/go.mod", r"^(//.*\bversion|version)"),
    ("Packaging/node/hawser-tls/package.json", r'"version"'),
    ("Package.swift", r'"hawser"[^\n]*version'),
]


def text(path):
    return (root / path).read_text(encoding="utf-8")


def only(path, pattern):
    """The version that a file states; every statement of the pattern counts."""
    found = set(re.findall(pattern, text(path), re.MULTILINE))
    if len(found) != 1:
        raise SystemExit(f"{path}: `{pattern}` finds {sorted(found) or 'nothing'}")
    return found.pop()


def version():
    return only(SOURCE, rf'^#define HAWSER_VERSION "{NUMBER}"$')


def differing():
    wanted = version()
    for path, pattern in STATED:
        # The changelog begins with the newest version.
        found = re.search(pattern, text(path), re.MULTILINE)
        if not found or found.group(1) != wanted:
            yield f"{path} states {found.group(1) if found else 'no version'}, and {SOURCE} {wanted}"
    line = ".".join(wanted.split(".")[:2])
    for path, pattern in LINES:
        if only(path, pattern) != line:
            yield f"{path} states {only(path, pattern)}, and {SOURCE} {wanted}"
    interface = only(*INTERFACE)
    for path, pattern in INTERFACES:
        if int(only(path, pattern)) > int(interface):
            yield f"{path} wants version {only(path, pattern)} of the interface, and {INTERFACE[0]} has {interface}"
    for path, pattern in SILENT:
        if re.search(pattern, text(path), re.MULTILINE):
            yield f"{path} states a version of its own: let it take the one of {SOURCE}"


def main():
    global root
    words = sys.argv[1:]
    printed = words[:1] == ["--print"]
    if printed:
        words.pop(0)
    if len(words) > 1:
        sys.exit(__doc__.split("\n\n")[1])
    if words:
        root = pathlib.Path(words[0])
    if printed:
        print(version())
        return
    faults = list(differing())
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
