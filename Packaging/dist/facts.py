#!/usr/bin/env python3
"""Prints what a release was built from, as JSON: for the bills of materials and the provenance.

Usage: facts.py VERSION COMMIT TOOLCHAIN PACKAGES      SOURCE_DATE_EPOCH is the date of the commit

PACKAGES is a Package.resolved. The libraries of the system are those that the linker takes; their
versions are dpkg's.
"""

import json
import os
import pathlib
import platform
import subprocess
import sys
import zlib

# The packages whose contents go into static programs, the programs that make the files, and the
# names under which dpkg knows them.
LIBRARIES = {
    "openssl": "libssl-dev",
    "libyaml": "libyaml-dev",
    "glibc": "libc6-dev",
    "gcc": "libstdc++-12-dev",
}
TOOLS = ["binutils", "gcc", "dpkg-dev", "dpkg", "gzip", "xz-utils", "rpm", "python3"]


def installed(package):
    """The version, the architecture, the source package and its version of a Debian package."""
    form = "${Version}\t${Architecture}\t${source:Package}\t${source:Version}\n"
    run = subprocess.run(["dpkg-query", "-W", "-f", form, package], capture_output=True, text=True)
    if run.returncode:
        return None
    version, architecture, source, number = run.stdout.splitlines()[0].split("\t")
    return {"package": package, "version": version, "architecture": architecture, "source": source, "source-version": number}


def packages(path):
    with open(path, encoding="utf-8") as file:
        pins = json.load(file)["pins"]
    return [
        {
            "name": pin["identity"],
            "version": pin["state"]["version"],
            "revision": pin["state"]["revision"],
            "location": pin["location"].removesuffix(".git"),
        }
        for pin in sorted(pins, key=lambda pin: pin["identity"])
    ]


def gcc_library():
    """The package of libstdc++ that the C compiler links."""
    version = subprocess.run(["gcc", "-dumpversion"], capture_output=True, text=True, check=True).stdout
    return f"libstdc++-{version.split('.')[0].strip()}-dev"


def printed(*command):
    """The line that a program prints. Its own message stands on standard error when it fails."""
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"facts.py: {pathlib.Path(command[0]).name} ended with {run.returncode}")
    return run.stdout.strip()


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__.split("\n\n")[1])
    version, commit, toolchain, resolved = sys.argv[1:]
    libraries = {}
    for name, package in {**LIBRARIES, "gcc": gcc_library()}.items():
        libraries[name] = installed(package)
        if libraries[name] is None:
            sys.exit(f"facts.py: Debian's {package} is not installed")
    facts = {
        "version": version,
        "commit": commit,
        "date": int(os.environ["SOURCE_DATE_EPOCH"]),
        "machine": platform.machine(),
        "toolchain": toolchain,
        "packages": packages(resolved),
        "libraries": libraries,
        "tools": [found for found in map(installed, TOOLS) if found],
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
        "node": printed(os.environ.get("NODE", "node"), "--version"),
        "npm": printed("npm", "--version"),
        "jdk": printed(sys.executable, pathlib.Path(__file__).parents[1] / "java/build.py", "--jdk"),
    }
    json.dump(facts, sys.stdout, indent=2, sort_keys=True)
    print()


main()
