#!/usr/bin/env bash
# Hawser, libcrypto and swift-certificates over the public vectors: `run.sh CASES…`. Fails where
# Hawser is wrong on a hard case. Reports where the table differs from disagreements.md, which
# `UPDATE_GOLDEN=1` writes: another libcrypto or swift-certificates disagrees on other vectors.
set -euo pipefail
cases=()
for path in "${@:?folders or files of cases}"; do cases+=("$(realpath "$path")"); done
cd "$(dirname "$0")"
verdicts=$(mktemp)
table=$(mktemp)
trap 'rm -f "$verdicts" "$table"' EXIT
swift run -c release --package-path ../.. conformance "${cases[@]}" --beside-libcrypto --json "$verdicts"
swift run -c release differential cases "$verdicts" "$table" "${cases[@]}"
if [ "${UPDATE_GOLDEN:-}" = 1 ]; then
    cat "$table" > disagreements.md
elif ! diff disagreements.md "$table"; then
    echo 'the table is another than disagreements.md: `UPDATE_GOLDEN=1 Tests/Differential/run.sh CASES...` writes it'
fi
