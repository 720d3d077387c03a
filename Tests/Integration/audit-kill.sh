#!/usr/bin/env bash
# `hawser audit --checkpoint`, ended by kill -9 at random moments and begun again: rows and receipts
# equal the rows and receipts of an undisturbed run, byte for byte. Prints its seed; SEED gives
# another.
#
#   Tests/Integration/audit-kill.sh [HAWSER [AUDIT-ROWS [KILLS]]]
#
# By default the executables of .build-static/release, and 50 kills.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
maker=$(realpath "${2:-$root/.build-static/release/audit-rows}")
kills=${3:-50}
for executable in "$hawser" "$maker"; do
    [ -x "$executable" ] || { echo "there is no executable $executable" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/first" "$work/second"
"$maker" make "$work/first" "${ROWS:-60000}" 5000 1
"$maker" make "$work/second" 20000 5000 2
cp "$work/second/rows.ndjson" "$work/first/more.ndjson"
HAWSER=$hawser python3 "$root/Tests/Integration/audit-kill.py" "$work/first" "$kills" "${SEED:-$RANDOM}"
