"""Archives that depend on nothing but their contents: no clock, no user, no umask, one order.

Python's zlib packs them; another version of it may pack the same contents into other bytes.
"""

import gzip
import io
import pathlib
import tarfile
from typing import NamedTuple


class Entry(NamedTuple):
    """A file with its octets, or a symbolic link with its target. The path has no slash in front."""

    path: str
    octets: bytes = b""
    mode: int = 0o644
    target: str = ""


def folders(entries):
    """Every folder above the entries, in order."""
    found = {str(parent) for entry in entries for parent in pathlib.PurePosixPath(entry.path).parents}
    return sorted(found - {"."})


def tar(entries, date):
    """The octets of a tar archive. Everything in it belongs to root and has one date."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:

        def add(path, kind, mode, octets=b"", target=""):
            member = tarfile.TarInfo(path)
            member.type, member.mode, member.mtime = kind, mode, date
            member.size, member.linkname = len(octets), target
            archive.addfile(member, io.BytesIO(octets))

        for folder in folders(entries):
            add(folder, tarfile.DIRTYPE, 0o755)
        for entry in sorted(entries):
            if entry.target:
                add(entry.path, tarfile.SYMTYPE, 0o777, target=entry.target)
            else:
                add(entry.path, tarfile.REGTYPE, entry.mode, entry.octets)
    return packed.getvalue()


def compressed(octets):
    """The octets as gzip compresses them, without a name and a date."""
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=packed, mtime=0) as file:
        file.write(octets)
    return packed.getvalue()


def write(entries, folder):
    """Writes the entries below a folder, with their modes whatever the umask is."""
    folder = pathlib.Path(folder)
    for path in [".", *folders(entries)]:
        (folder / path).mkdir(parents=True, exist_ok=True)
        (folder / path).chmod(0o755)
    for entry in entries:
        path = folder / entry.path
        if entry.target:
            path.symlink_to(entry.target)
        else:
            path.write_bytes(entry.octets)
            path.chmod(entry.mode)
