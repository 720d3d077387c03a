"""What a wheel is besides its contents: the list of its members with their digests, and the archive.

Two scripts write wheels: `build.py` beside this file and `../python/build.py`. The same members give
the same bytes: no clock, no path and no user's name goes in. Python's zlib packs them; another version
of it may pack the same contents into other bytes.
"""

import base64
import hashlib
import io
import zipfile


def record(members, path):
    """The RECORD file: each member's digest and size, its own left out."""

    def line(name, octets):
        digest = base64.urlsafe_b64encode(hashlib.sha256(octets).digest()).rstrip(b"=").decode()
        return f"{name},sha256={digest},{len(octets)}\n"

    return "".join(line(name, octets) for name, octets, _ in members) + f"{path},,\n"


def pack(members):
    """The members as a ZIP archive that depends on nothing else: fixed date, owner's system and modes."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for name, octets, mode in members:
            member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            member.create_system = 3
            member.external_attr = (0o100000 | mode) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(member, octets, compresslevel=9)
    return archive.getvalue()
