#!/usr/bin/env python3
"""Writes the tree of a repository of hooks that installs the wheel of a release: mirror.py DIST ADDRESS OUT

pre-commit builds a hook of `language: swift` from source, for minutes and with a toolchain. A repository
with this tree brings the wheel: it has the hooks of `.pre-commit-hooks.yaml` that run the command on the PATH,
as `language: python`. DIST is the folder of a release, with SHA256SUMS; ADDRESS the folder on the web
where its wheels are; OUT must not exist. The version and the digest of each wheel are in the tree, so that
another wheel at that address is not installed. pip asks no index.

A release of the mirror is one commit, with the tag of the release: `git init`, `git add`, `git commit`,
`git tag vVERSION` in OUT, or the same over the tree of the release before.
"""

import hashlib
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WHEEL = re.compile(r"hawser_cli-([0-9.]+(?:(?:a|b|rc)[0-9]+)?)-py3-none-\S*_(x86_64|aarch64)\.whl")
HEADER = """\
# The hooks of Hawser, with the command in a wheel that pre-commit installs: no toolchain, and
# nothing on the PATH. Made of `.pre-commit-hooks.yaml` of Hawser's own repository.
"""


class Refused(Exception):
    """Why the tree could not be written."""


def wheels(dist):
    """The version, and the name and digest of the wheel for each machine."""
    found = {}
    versions = set()
    for line in (dist / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ", 1)
        match = WHEEL.fullmatch(name)
        if not match:
            continue
        if not re.fullmatch("[0-9a-f]{64}", digest) or hashlib.sha256((dist / name).read_bytes()).hexdigest() != digest:
            raise Refused(f"{name} is not the file that SHA256SUMS lists")
        if match[2] in found:
            raise Refused(f"SHA256SUMS lists two wheels for {match[2]}")
        found[match[2]] = name, digest
        versions.add(match[1])
    if len(versions) != 1:
        raise Refused(f"SHA256SUMS lists wheels of {len(versions)} versions")
    return versions.pop(), found


def hooks(text):
    """The hooks that end in `-system`, without that word, as hooks of Python."""
    blocks = re.split(r"(?m)^(?=- id: )", text)[1:]
    made = []
    for block in blocks:
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        match = re.fullmatch(r"- id: (hawser-[a-z-]+)-system", lines[0])
        if not match:
            continue
        if "  language: system" not in lines:
            raise Refused(f"{match[1]}-system is not of `language: system`")
        lines[0] = f"- id: {match[1]}"
        made.append("\n".join(lines).replace("  language: system", "  language: python"))
    if not made:
        raise Refused(".pre-commit-hooks.yaml has no hook that runs the command on the PATH")
    return HEADER + "\n".join(made) + "\n"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.splitlines()[0])
    dist, address, out = pathlib.Path(sys.argv[1]), sys.argv[2].rstrip("/"), pathlib.Path(sys.argv[3])
    try:
        if not re.fullmatch(r"(https|file)://[A-Za-z0-9._~/:%+@-]+", address):
            raise Refused(f"{address} is not an address")
        version, found = wheels(dist)
        text = hooks((ROOT / ".pre-commit-hooks.yaml").read_text())
    except (Refused, OSError, ValueError) as refusal:
        sys.exit(f"mirror.py: {refusal}")
    needs = [f"hawser-cli @ {address}/{name}#sha256={digest} ; platform_machine == '{machine}'"
             for machine, (name, digest) in sorted(found.items())]  # fmt: skip
    out.mkdir(parents=True)
    (out / ".pre-commit-hooks.yaml").write_text(text)
    (out / "requirements.txt").write_text("".join(need + "\n" for need in needs))
    (out / "VERSION").write_text(version + "\n")
    for name in ["backend.py", "pyproject.toml"]:
        shutil.copy(HERE / name, out)
    readme = (HERE / "MIRROR.md").read_text()
    (out / "README.md").write_text(readme.replace("VERSION", version))
    shutil.copy(ROOT / "LICENSE", out)
    print(f"{out}: hawser {version} for {' and '.join(sorted(found))}")


main()
