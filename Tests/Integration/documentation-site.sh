#!/usr/bin/env bash
# The documentation as a reader uses it. Runs the console blocks of every page, builds the site,
# checks its links, and opens every page from its file in Debian's Chromium: nothing to scroll
# sideways at 360 pixels, no message, no request for anything from elsewhere. Search must find
# codes, keys and options. Screenshots of three pages stay in FOLDER/screenshots, to be looked at.
# Needs chromium, git, python3 and the network (PyPI).
#
#   Tests/Integration/documentation-site.sh [HAWSER [FOLDER]]
#                          by default .build-static/release/hawser and .build-docs
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
folder=$(realpath -m "${2:-$root/.build-docs}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 "$root/Tests/Integration/console-blocks.py" "$hawser"
bash "$root/Documentation/build.sh" "$hawser" "$folder"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check websocket-client
mkdir -p "$folder/screenshots"
"$work/venv/bin/python" "$root/Tests/Integration/documentation-site.py" \
    "$(command -v chromium)" "$folder/site" "$folder/screenshots"
