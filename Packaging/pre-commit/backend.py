"""Builds the package that pre-commit installs from this repository. It has no files and needs the wheel in
`requirements.txt`. A build backend from an index would have to be fetched."""

import base64
import hashlib
import pathlib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = (HERE / "VERSION").read_text().strip()
    needs = (HERE / "requirements.txt").read_text().splitlines()
    info = f"hawser_pre_commit-{version}.dist-info"
    members = {
        f"{info}/METADATA": "\n".join(
            ["Metadata-Version: 2.1", "Name: hawser-pre-commit", f"Version: {version}", "Requires-Python: >=3.7"]
            + [f"Requires-Dist: {need}" for need in needs]
        )
        + "\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: hawser\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for name, text in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(text.encode())}\n"
    members[f"{info}/RECORD"] = record + f"{info}/RECORD,,\n"
    wheel = f"hawser_pre_commit-{version}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w") as archive:
        for name, text in members.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return wheel
