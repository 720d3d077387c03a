"""A package for distributions with rpm: the static programs, which need no library of the system."""

import os
import pathlib
import subprocess
import tempfile

from archives import write
from contents import HOMEPAGE, below, installed, manual, terms

SPECIFICATION = """
Name: hawser
Version: {version}
Release: 1
Summary: Policy as code for TLS server trust
License: Apache-2.0
URL: {homepage}
Group: Applications/Internet
AutoReqProv: no

%description
A security team writes, in reviewed YAML, which hosts are trusted through
which anchors, with which pins. The command checks, lints and compares that
policy, compiles it into the table that services load, and explains why a
certificate chain is trusted or is not.

%install
cp -a {stage}/. %{{buildroot}}/

%files
{files}
"""

# Nothing of this machine and of this moment, and nothing that the distribution's macros would add.
MACROS = {
    "_buildhost": "localhost",
    "use_source_date_epoch_as_buildtime": "1",
    "clamp_mtime_to_source_date_epoch": "1",
    "source_date_epoch_from_changelog": "0",
    "__os_install_post": "%{nil}",
    "debug_package": "%{nil}",
    "_build_id_links": "none",
    "_binary_payload": "w6.xzdio",
    "_source_filedigest_algorithm": "8",
    "_binary_filedigest_algorithm": "8",
    "_unpackaged_files_terminate_build": "1",
    "_build_name_fmt": "%%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm",
    "vendor": "%{nil}",
    "packager": "%{nil}",
    "optflags": "%{nil}",
    "dist": "%{nil}",
    "distribution": "%{nil}",
}


def package(tree, folder):
    """Writes the package and returns its file name."""
    entries = below("usr", [*installed(tree, "static"), manual(tree), *terms(tree, "share/doc/hawser")])
    own = {"usr/share/doc/hawser", "usr/share/hawser", "usr/libexec/hawser"}
    own |= {str(pathlib.PurePosixPath(entry.path).parent) for entry in entries if "/licenses" in entry.path}
    own.add("usr/share/doc/hawser/licenses")
    lines = [f"%dir %attr(0755, root, root) /{path}" for path in sorted(own)]
    for entry in sorted(entries):
        kind = "%doc " if "/doc/" in entry.path or "/man/" in entry.path else ""
        lines.append(f"{kind}%attr(0{entry.mode:o}, root, root) /{entry.path}")
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        write(entries, work / "stage")
        for path in [work / "stage", *(work / "stage").rglob("*")]:
            os.utime(path, (tree.date, tree.date), follow_symlinks=False)
        specification = SPECIFICATION.format(version=tree.version, homepage=HOMEPAGE, stage=work / "stage", files="\n".join(lines))
        (work / "hawser.spec").write_text(specification.lstrip("\n"))
        macros = {**MACROS, "_topdir": work / "top", "_rpmdir": work / "out", "_dbpath": work / "database", "_tmppath": work}
        run = subprocess.run(
            ["rpmbuild", "-bb", "--quiet", "--target", f"{tree.machine}-linux"]
            + [word for name, value in macros.items() for word in ("--define", f"{name} {value}")]
            + [work / "hawser.spec"],
            env={**os.environ, "SOURCE_DATE_EPOCH": str(tree.date), "HOME": str(work), "LC_ALL": "C"},
            capture_output=True, text=True,
        )  # fmt: skip
        if run.returncode:
            raise SystemExit(f"rpmbuild: {run.stderr}")
        (built,) = (work / "out").rglob("*.rpm")
        file = f"{tree.stem}-1.{tree.machine}.rpm"
        (folder / file).write_bytes(built.read_bytes())
    return file
