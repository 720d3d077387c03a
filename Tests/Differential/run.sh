#!/usr/bin/env bash
# Hawser, libcrypto and swift-certificates over the public vectors: `run.sh CASES…`. Writes
# Tests/Differential/disagreements.md; fails where Hawser is wrong on a hard case.
set -euo pipefail
cases=()
for path in "${@:?folders or files of cases}"; do cases+=("$(realpath "$path")"); done
cd "$(dirname "$0")"
verdicts=$(mktemp)
trap 'rm -f "$verdicts"' EXIT
swift run -c release --package-path ../.. conformance "${cases[@]}" --beside-libcrypto --json "$verdicts"
swift run -c release differential cases "$verdicts" disagreements.md "${cases[@]}"
