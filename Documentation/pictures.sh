#!/usr/bin/env bash
# Writes the pictures of the README: a part of the page of `hawser report`, as Chromium shows it,
# light and dark. Needs chromium, python3 and the network (PyPI).
#
#   Documentation/pictures.sh HAWSER [FOLDER]      by default Documentation/pictures
set -euo pipefail
hawser=$(realpath "$1")
cd "$(dirname "$0")/.."
pictures=${2:-Documentation/pictures}
mkdir -p "$pictures"
bash .ci/system-packages chromium python3 python3-venv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check 'websocket-client==1.9.*' 'pillow==12.*'

"$hawser" report policies/bank --at 2026-06-01 -o "$work/report.html"
PYTHONPATH=Tests/Integration "$work/venv/bin/python" - "$(command -v chromium)" "$work/report.html" "$pictures" <<'PYTHON'
import pathlib
import sys

import browser
from PIL import Image

chromium, page, pictures = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
with browser.tab(chromium) as tab:
    for scheme in ["light", "dark"]:
        file = pictures / f"report-{scheme}.png"
        tab.open(page, 900, scheme, scale=2)
        top, height = tab.value("""(() => {
            const card = [...document.querySelectorAll("h2")]
                .find(heading => heading.textContent.startsWith("Who may speak")).closest("section");
            const place = card.getBoundingClientRect();
            return [place.top + scrollY, place.height] })()""")
        tab.picture(file, 900, height + 24, top - 12)
        # Text in few colours: a palette makes the file a third as large.
        Image.open(file).convert("RGB").quantize(128).save(file, optimize=True)
PYTHON
ls -l "$pictures"
