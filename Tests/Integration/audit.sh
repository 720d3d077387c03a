#!/usr/bin/env bash
# `hawser audit` at the scale of a fleet: many rows of public vectors and minted chains, equal to
# the library's verdicts row by row, the same octets with one thread and two, with memory that does
# not grow; chains that real CAs serve for their revoked test sites; two policies of a fleet.
#
#   Tests/Integration/audit.sh [HAWSER [AUDIT-ROWS [ROWS]]]
#
# By default the executables of .build-static/release, and 1,000,000 rows. KEEP names a folder to
# leave the rows in.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
maker=$(realpath "${2:-$root/.build-static/release/audit-rows}")
rows=${3:-1000000}
for executable in "$hawser" "$maker"; do
    [ -x "$executable" ] || { echo "there is no executable $executable" >&2; exit 2; }
done
work=${KEEP:-$(mktemp -d)}
mkdir -p "$work"
[ -n "${KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
shared=$(realpath "$root/../shared" 2>/dev/null || true)

vectors=()
for file in "$shared"/conformance/cases/{limbo,pkits,bettertls-pathbuilding}.ndjson; do
    if [ -f "$file" ]; then vectors+=("$file"); else echo "skipped: no vectors at $file"; fi
done
fleet=("$work" "$rows" $((rows / 10)) 20261124 ${vectors[@]+"${vectors[@]}"})
"$maker" make "${fleet[@]}"
cd "$work"
head -n 50000 rows.ndjson > few.ndjson
measured() { # NAME ARGUMENT...: runs an audit; NAME.peak has its peak of memory and its CPU seconds
    local name=$1
    shift
    python3 "$root/Tests/Integration/peak.py" "$name.peak" \
        "$hawser" audit --table fleet.table --certificates ca.pem --summary "$name.json" "$@" 2> "$name.err"
}
measured few few.ndjson --jobs 2 -o few.out || fail "few rows: $(cat few.err)"
measured two rows.ndjson --jobs 2 -o two.out || fail "two jobs: $(cat two.err)"
measured one rows.ndjson --jobs 1 -o one.out || fail "one job: $(cat one.err)"
cmp one.out two.out || fail 'one job and two write other octets'
rm one.out
"$maker" check two.out "${fleet[@]}"
python3 - <<'PY'
import json

few, two, one = (json.load(open(f"{name}.json")) for name in ("few", "two", "one"))
used = {name: open(f"{name}.peak").read().split() for name in ("few", "two", "one")}
peaks = {name: int(memory) for name, (memory, _) in used.items()}
same = [key for key in one if key != "run" and one[key] != two[key]]
assert not same, same
assert two["rows"] == two["accepted"] + two["rejected"] and not two["errors"], two["errors"]
ratio = peaks["two"] / peaks["few"]
print(f"peak memory: {peaks['few']} kB at {few['rows']} rows, {peaks['two']} kB at {two['rows']} rows: {ratio:.2f}")
assert ratio <= 1.2, ratio
for name, summary in (("one", one), ("two", two)):
    run, cpu = summary["run"], float(used[name][1])
    share = run["millisecondsInSignatures"] / (run["milliseconds"] * run["jobs"])
    print(
        f"{run['jobs']} jobs: {run['rowsPerSecond']} rows a second, and {run['rows'] / cpu:.0f} a second of CPU; "
        f"{run['newSignatures']} new signatures, {run['newSignaturesPerSecond']} a second, {run['rows'] / run['newSignatures']:.2f} "
        f"rows for each; {share:.0%} of the threads' time in them")
PY

# Rows that nobody should write, among others.
HAWSER=$hawser python3 "$root/Tests/Integration/audit-hostile.py" "$work" "${SEED:-$RANDOM}"

# Revoked sites: without evidence the status is not known, and never good.
if [ -f "$shared/revoked-sites/sites.ndjson" ]; then
    HAWSER=$hawser python3 "$root/Tests/Integration/audit-revoked.py" "$shared/revoked-sites" "$work/sites"
else
    echo 'skipped: no revoked sites beside the checkout'
fi
mkdir -p twins && "$maker" twins twins 76
HAWSER=$hawser python3 "$root/Tests/Integration/audit-twins.py" twins

# Two policies of a fleet: the flips are those that `diff --chains` names.
HAWSER=$hawser python3 "$root/Tests/Integration/audit-compare.py" "$root/policies/iot-fleet" "$work/compare"
printf '%s rows\n' "$rows"
