"""`Packaging/dist/versions.py`, and that it notices another version in each file that it knows.

    versions.py
"""

import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "Packaging/dist/versions.py"
specification = importlib.util.spec_from_file_location("versions", SCRIPT)
versions = importlib.util.module_from_spec(specification)
specification.loader.exec_module(versions)

PLACES = versions.STATED + versions.LINES + versions.INTERFACES
FILES = {path for path, _ in PLACES + versions.SILENT} | {versions.SOURCE, versions.INTERFACE[0]}


def said(root):
    run = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
    return run.returncode, run.stderr


status, message = said(ROOT)
if status:
    sys.exit(message)
with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder)
    for path in FILES:
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, copy / path)
    assert said(copy) == (0, ""), said(copy)
    for path, pattern in PLACES:
        text = (ROOT / path).read_text(encoding="utf-8")
        found = re.search(pattern, text, re.MULTILINE)
        start, end = found.span(1)
        for other in ["99.0.1" if "." in found.group(1) else "99", ""]:
            (copy / path).write_text(text[:start] + other + text[end:], encoding="utf-8")
            status, message = said(copy)
            if status == 0 or path not in message:
                sys.exit(f"`{other}` in {path} is not noticed: {message}")
        (copy / path).write_text(text, encoding="utf-8")
    for path, _ in versions.SILENT:
        text = (ROOT / path).read_text(encoding="utf-8")
        (copy / path).write_text(f'{text}\n"version": "99.0.1", "hawser" version\nversion 99\n', encoding="utf-8")
        status, message = said(copy)
        if status == 0 or f"{path} states a version of its own" not in message:
            sys.exit(f"a version in {path} is not noticed: {message}")
        (copy / path).write_text(text, encoding="utf-8")
    source = (ROOT / versions.SOURCE).read_text(encoding="utf-8")
    (copy / versions.SOURCE).write_text(source.replace(versions.version(), "99.0.1"), encoding="utf-8")
    status, message = said(copy)
    missed = [path for path, _ in versions.STATED + versions.LINES if path not in message]
    if missed:
        sys.exit(f"another version in {versions.SOURCE} is not noticed in {missed}")
print(f"{len(PLACES)} places state version {versions.version()}; another one is noticed in each")
