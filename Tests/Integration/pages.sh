#!/usr/bin/env bash
# The pages of the command in Debian's Chromium, headless: at 360, 900 and 1,600 pixels, light and
# dark, and on paper. By the DevTools protocol: no message in the console, no request but for the
# page itself, nothing to scroll sideways, and hostile texts are text. The screenshots stay in
# FOLDER, to be looked at. Needs chromium, poppler-utils, openssl, python3 and the network (PyPI).
#
#   Tests/Integration/pages.sh [HAWSER [FOLDER]]   by default .build-static/release/hawser and
#                                                  .build-pages/screenshots
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
shots=${2:-$root/.build-pages/screenshots}
mkdir -p "$shots"
shots=$(realpath "$shots")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check websocket-client

page() { # NAME ARGUMENTS...: writes a page, whatever the verdict
    local name=$1 status=0
    shift
    "$hawser" "$@" --format html >"$work/$name.html" || status=$?
    [ "$status" -le 1 ] || fail "$name ends with $status"
}

bash "$root/policies/pages.sh" "$hawser" "$work/gallery"

# Texts that would be markup, references or a change of direction.
mkdir -p "$work/hostile"
hostile=$'</script><img src=x onerror=alert(1)>]]>&quot;\u202Eabc\u2066\'"'
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -utf8 -batch \
    -subj "/CN=${hostile//\//\\/}" -addext 'subjectAltName=URI:https://x.example/<img src=x onerror=alert(1)>' \
    -keyout "$work/hostile/key.pem" -out "$work/hostile/chain.pem" 2>/dev/null
cat >"$work/hostile/policy.yaml" <<'YAML'
hawser: 1
default: deny
rules:
  web:
    hosts: ["www.hostile.example"]
    anchors: [system]
    owner: "</script><img src=x onerror=alert(1)> ]]> &quot;"
    note: "<b>bold</b> <style>*{display:none}</style> `x"
YAML
page hostile explain www.hostile.example --policy "$work/hostile" --chain "$work/hostile/chain.pem"

"$work/venv/bin/python" "$root/Tests/Integration/pages.py" "$(command -v chromium)" "$work" "$shots"

for name in classic-failures-expired hostile; do
    pdftotext "$shots/$name.pdf" "$work/$name.txt"
    pdftoppm -r 50 -png "$shots/$name.pdf" "$shots/$name-paper"
    # What is folded on the screen is open on paper.
    grep -q 'pin of its key' "$work/$name.txt" || fail "the certificates of $name are folded on paper"
done
printf 'on paper: every certificate is unfolded\n'
