#!/usr/bin/env bash
# What `hawser audit` takes: CPU time of a row, of a new signature, and of loading a table of a
# million patterns in a child, with the octets of rows and the memory; and what follows for 10^9
# rows (`Packaging/spark/growth.py`). CPU time is counted, so what else runs on the machine counts
# little.
#
#   Tests/Benchmarks/audit.sh [HAWSER [AUDIT-ROWS [ROWS [PATTERNS]]]]
#
# By default the executables of .build-static/release, 200,000 rows and 1,000,000 patterns.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
maker=$(realpath "${2:-$root/.build-static/release/audit-rows}")
for executable in "$hawser" "$maker"; do
    [ -x "$executable" ] || { echo "there is no executable $executable" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$root/Tests/Benchmarks/audit.py" "$hawser" "$maker" "$work" "${3:-200000}" "${4:-1000000}"
