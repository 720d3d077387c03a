#!/usr/bin/env bash
# The pages of the command in Debian's Chromium, headless: at 360, 900 and 1,600 pixels, light and
# dark, and on paper. By the DevTools protocol: no message in the console, no request but for the
# page itself, nothing to scroll sideways, and hostile texts are text; reports are filtered, lose
# nothing without scripts, and are split where they are long. The screenshots stay in FOLDER, to be
# looked at. Needs chromium, poppler-utils, openssl, python3 and the network (PyPI).
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

mkdir -p "$work/hostile-unit"
cp "$work/hostile/chain.pem" "$work/hostile-unit/root.pem"
cat >"$work/hostile-unit/policy.yaml" <<'YAML'
hawser: 1
default: deny
anchors:
  bad:
    files: [root.pem]
    owner: "</script><img src=x onerror=alert(1)> ]]> &quot;"
rules:
  web:
    hosts: ["www.hostile.example"]
    anchors: [bad]
    note: "<b>bold</b> <style>*{display:none}</style> `x"
    waivers:
      tls: { minimum-version: tls1.1, reason: "<script>document.title=1</script>", owner: "'\"><svg/onload=alert(1)>", until: 2099-01-01 }
YAML
page hostile-answer-lint lint "$work/hostile-unit"
page hostile-answer-forecast forecast --policy "$work/hostile-unit" --horizon 36500d
page hostile-answer-diff diff none "$work/hostile-unit"
"$hawser" report "$work/hostile-unit" -o "$work/hostile-report.html"
# Two units that a script of the benchmarks makes: one is one page, the other is split.
for rules in 1000 10000; do
    python3 "$root/Tests/Benchmarks/large-unit.py" "$work/unit-$rules" $((rules / 25)) "$rules"
    started=$(date +%s%N)
    "$hawser" report "$work/unit-$rules" --at 2026-06-01 -o "$work/large-$rules.html" 2>/dev/null
    printf 'the report of %s rules: %s files, the largest of %s octets, written in %s ms\n' "$rules" \
        "$(find "$work" -path "*large-$rules*" -name '*.html' | wc -l)" \
        "$(find "$work" -path "*large-$rules*" -name '*.html' -printf '%s\n' | sort -n | tail -n 1)" \
        $((($(date +%s%N) - started) / 1000000))
done
[ "$(stat -c %s "$work/large-1000.html")" -lt 2000000 ] || fail 'the report of 1,000 rules is too large'
[ ! -e "$work/large-1000-pages" ] || fail 'the report of 1,000 rules is split'

"$work/venv/bin/python" "$root/Tests/Integration/pages.py" "$(command -v chromium)" "$work" "$shots"

for name in classic-failures-expired hostile; do
    pdftotext "$shots/$name.pdf" "$work/$name.txt"
    pdftoppm -r 50 -png "$shots/$name.pdf" "$shots/$name-paper"
    # Parts that are folded on the screen are open on paper.
    grep -q 'pin of its key' "$work/$name.txt" || fail "the certificates of $name are folded on paper"
done
for name in waivers-report hostile-report; do
    pdftotext "$shots/$name.pdf" "$work/$name.txt"
    pdftoppm -r 50 -png "$shots/$name.pdf" "$shots/$name-paper"
    grep -q 'pin of its key' "$work/$name.txt" && grep -q 'such as' "$work/$name.txt" ||
        fail "$name is folded on paper"
done
printf 'on paper: every certificate and every class of hosts is unfolded\n'
