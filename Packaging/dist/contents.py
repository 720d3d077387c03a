"""What stands in the packages: the built tree, and texts of the repository, at their places."""

import pathlib

from archives import Entry, compressed

ROOT = pathlib.Path(__file__).resolve().parents[2]
SYSTEMD = ROOT / "Packaging/systemd"
# The project's addresses. `.example` stands for an address that is not chosen yet: `sign.sh`
# refuses a release that has one.
HOMEPAGE = "https://git.example/hawser"
MAINTAINER = "The Hawser maintainers <maintainers@git.example>"
TRIPLES = {"x86_64": "x86_64-linux-gnu", "aarch64": "aarch64-linux-gnu"}
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}


class Tree:
    """What `build.sh` has built."""

    def __init__(self, folder, facts):
        self.folder = pathlib.Path(folder)
        self.facts = facts
        self.version = facts["version"]
        self.machine = facts["machine"]
        self.date = facts["date"]
        self.triple = TRIPLES[self.machine]
        self.debian = DEBIAN[self.machine]
        self.stem = f"hawser-{self.version}"

    def read(self, path):
        return (self.folder / path).read_bytes()


def installed(tree, programs, prefix="/usr"):
    """The command, its server and what belongs to them, below a prefix; the units name it.

    `programs` is the folder of the tree: static or dynamic.
    """
    completions = {
        "bash": "share/bash-completion/completions/hawser",
        "zsh": "share/zsh/site-functions/_hawser",
        "fish": "share/fish/vendor_completions.d/hawser.fish",
    }
    entries = [
        Entry("bin/hawser", tree.read(f"{programs}/hawser"), 0o755),
        Entry("libexec/hawser/hawser-serve", tree.read(f"{programs}/hawser-serve"), 0o755),
        Entry("share/hawser/policy.schema.json", tree.read("text/policy.schema.json")),
        Entry("lib/sysusers.d/hawser.conf", (SYSTEMD / "hawser.sysusers").read_bytes()),
    ]
    for shell, path in completions.items():
        octets = tree.read(f"text/completions.{shell}")
        # A shell reads the file, and nobody executes it.
        if octets.startswith(b"#!"):
            octets = octets.split(b"\n", 1)[1]
        entries.append(Entry(path, octets))
    for path in SYSTEMD.glob("hawser-serve.*"):
        octets = path.read_bytes().replace(b"ExecStart=/usr/", f"ExecStart={prefix}/".encode())
        entries.append(Entry(f"lib/systemd/system/{path.name}", octets))
    return entries


def manual(tree):
    """The manual page, as Debian and others compress it."""
    return Entry("share/man/man1/hawser.1.gz", compressed(tree.read("text/hawser.1")))


def terms(tree, folder):
    """The licences of everything inside, below a folder of documentation."""
    entries = [
        Entry(f"{folder}/LICENSE", (ROOT / "LICENSE").read_bytes()),
        Entry(f"{folder}/THIRD-PARTY.md", (ROOT / "Packaging/wheel/THIRD-PARTY.md").read_bytes()),
        Entry(f"{folder}/THIRD-PARTY-serve.md", (ROOT / "Packaging/dist/THIRD-PARTY.md").read_bytes()),
    ]
    for path in sorted((tree.folder / "licenses").glob("*/*")):
        entries.append(Entry(f"{folder}/licenses/{path.parent.name}/{path.name}", path.read_bytes()))
    return entries


def below(prefix, entries):
    return [entry._replace(path=f"{prefix}/{entry.path}") for entry in entries]
