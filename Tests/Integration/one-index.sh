#!/usr/bin/env bash
# Receipts, reports and disagreements in one table of DuckDB, without a cast: the same columns at
# the same places, of the same types. Every line fits its schema, its members are in the schema's
# order, and a second run writes the same octets. Needs python3 and the network (PyPI).
#
#   Tests/Integration/one-index.sh [HAWSER [RECORD-DECISIONS]]
#
# By default .build-static/release/hawser and .build/debug/record-decisions.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
recorder=$(realpath "${2:-$root/.build/debug/record-decisions}")
for executable in "$hawser" "$recorder"; do
    [ -x "$executable" ] || { echo "there is no executable $executable" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check duckdb jsonschema
mkdir "$work/first" "$work/second"
"$recorder" "$work/first"
(cd / && env -i TZ=Asia/Tokyo LC_ALL=C "$recorder" "$work/second")
for name in receipts reports disagreements; do
    cmp "$work/first/$name.jsonl" "$work/second/$name.jsonl" || fail "two runs write other $name"
done
printf 'two runs: the same octets\n'
for name in receipt report; do "$hawser" schema "$name" > "$work/$name.schema.json"; done
cd "$work"
"$work/venv/bin/python" "$root/Tests/Integration/one-index.py"
