#!/usr/bin/env bash
# The comment that `hawser diff` writes, read by two Markdown readers: cmark-gfm, which GitHub uses,
# and markdown-it. Owners, notes, subjects of certificates, names of files and folders are hostile.
# No element may come of them, nobody may be mentioned, and each text comes back as it was. Needs
# openssl, python3 and the network (PyPI).
#
#   Tests/Integration/diff-markdown.sh [HAWSER]     by default .build-static/release/hawser
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check \
    cmarkgfm markdown-it-py linkify-it-py
"$work/venv/bin/python" "$root/Tests/Integration/diff-markdown.py" "$hawser" "$work"
