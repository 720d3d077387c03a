#!/usr/bin/env python3
"""Writes the npm package `hawser-tls`, with Node, npm and a C compiler.

Usage: build.py [DIST [FOLDER]]     what Packaging/c/build.sh has built, by default .build-c/dist, and where
                                    the package goes (by default the current folder)

The package has its scripts, `libhawser.so.0` and the addon, which is compiled here (CC, by default cc) with the
headers of the Node that is found (NODE, by default node; NODE_INCLUDE where its headers stand elsewhere). Nothing is
downloaded. The addon uses only Node-API, so one build serves every later version of Node. The same libraries and
tools give the same bytes.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCES = HERE / "hawser-tls"
sys.path[:0] = [str(ROOT / "Packaging" / "wheel"), str(ROOT / "Packaging" / "dist")]
from libraries import Refused, machine, needs, run  # noqa: E402
from versions import version  # noqa: E402

CPUS = {"x86_64": "x64", "aarch64": "arm64"}


def headers():
    """The folder that has Node's headers."""
    if "NODE_INCLUDE" in os.environ:
        found = pathlib.Path(os.environ["NODE_INCLUDE"])
    else:
        node = run(os.environ.get("NODE", "node"), "-p", "process.execPath").strip()
        found = pathlib.Path(node).parents[1] / "include" / "node"
    if not (found / "node_api.h").exists():
        raise Refused(f"{found} has no node_api.h: install Node's headers, or name their folder by NODE_INCLUDE")
    return found


def libcrypto_names(library):
    """The functions of libcrypto that a library calls, for the addon's look at the program's."""
    names = sorted(set(re.findall(r"^ +U (\w+)@OPENSSL_", run("nm", "-D", "--undefined-only", library), re.MULTILINE)))
    if not names:
        raise Refused(f"{library.name} calls no function of libcrypto")
    listed = "".join(f'    "{name}",\n' for name in names)
    return f"/* Written by build.py. */\nstatic const char *const LIBCRYPTO_NAMES[] = {{\n{listed}}};\n"


def compile_addon(dist, folder, built):
    """Compiles the addon. Only what Node looks for is exported."""
    exports = folder / "exports.map"
    exports.write_text("{ global: napi_register_module_v1; node_api_module_get_api_version_v1; local: *; };\n")
    (folder / "libcrypto_names.h").write_text(libcrypto_names(dist / "lib/libhawser.so.0"))
    subprocess.run(
        [
            os.environ.get("CC", "cc"), "-shared", "-std=gnu11", "-O2", "-g0", "-fPIC", "-fvisibility=hidden", "-Wall",
            "-Wextra", "-Werror", f"-I{folder}", f"-isystem{headers()}", f"-I{dist / 'include'}", SOURCES / "native.c",
            f"-L{dist / 'lib'}", "-lhawser", "-ldl", f"-Wl,--version-script={exports}", "-Wl,-rpath,$ORIGIN",
            # Threads of the library outlive the worker thread that has loaded it.
            "-Wl,-z,nodelete", "-Wl,--enable-new-dtags", "-Wl,-z,relro,-z,now", "-Wl,-s", "-Wl,--build-id=none",
            "-Wl,--as-needed", "-o", built,
        ],
        check=True,
    )  # fmt: skip
    exported = set(run("nm", "-D", "--defined-only", built).split()[2::3])
    if not {"napi_register_module_v1"} <= exported <= {"napi_register_module_v1", "node_api_module_get_api_version_v1"}:
        raise Refused(f"the addon exports {sorted(exported)}")


def package(dist, folder):
    """Writes the package's folder; returns its path."""
    library = dist / "lib/libhawser.so.0"
    if not library.exists():
        raise Refused("there is no lib/libhawser.so.0: run Packaging/c/build.sh")
    made = folder / "package"
    native = made / "native"
    native.mkdir(parents=True)
    built = native / "hawser.node"
    compile_addon(dist, folder, built)
    required = needs([library, built])
    shutil.copyfile(library, native / "libhawser.so.0")
    described = ", ".join(f"{name} {number} or later" for name, number in required.items())
    (native / "needs.txt").write_text(f"{described}\n")
    for path in [*SOURCES.glob("*.js"), SOURCES / "index.d.ts", HERE / "THIRD-PARTY.md"]:
        shutil.copyfile(path, made / path.name)
    shutil.copyfile(ROOT / "LICENSE", made / "LICENSE")
    shutil.copyfile(HERE / "DESCRIPTION.md", made / "README.md")
    stated = json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))
    cpu = CPUS[machine(library.read_bytes())]
    stated = {"name": stated.pop("name"), "version": version(), **stated, "cpu": [cpu], "libc": ["glibc"]}
    (made / "package.json").write_text(json.dumps(stated, indent=2) + "\n")
    for path in made.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path.parent == native and path.suffix != ".txt" else 0o644)
    return made


def main():
    if len(sys.argv) > 3:
        sys.exit(__doc__.split("\n\n")[1])
    dist = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".build-c/dist"
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    os.umask(0o022)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            made = package(dist.resolve(), pathlib.Path(scratch))
            # npm writes a fixed time, owner and modes into the archive.
            packed = run(
                "npm", "pack", "--silent", "--ignore-scripts", "--offline", "--no-update-notifier", "--cache",
                f"{scratch}/cache", "--pack-destination", folder.resolve(), made)
    except Refused as refusal:
        sys.exit(f"build.py: {refusal}")
    except subprocess.CalledProcessError as failure:
        sys.exit(f"build.py: {failure}\n{failure.stderr or ''}")
    print(folder / packed.split()[-1])


main()
