#!/usr/bin/env bash
# Hawser, libcrypto and swift-certificates over minted shapes of private PKIs: `private-pki.sh
# [COUNT [SEED]]`. Writes Tests/Differential/private-pki.md; fails where Hawser accepts what must be
# refused, and where a class of disagreement has no reason in private-pki-reasons.json. For such
# classes it prints lines for that file, with shapes of the class in the place of the reason.
set -euo pipefail
cd "$(dirname "$0")"
count=${1:-5000} seed=${2:-15}
# How Hawser is to judge the shapes: as the defaults of the language have it.
judged=(--defaults)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
swift build -c release --package-path ../.. --product conformance
swift build -c release --package-path ../.. --product mint-private-pki
built=$(swift build -c release --package-path ../.. --show-bin-path)
"$built/mint-private-pki" "$count" "$seed" >"$scratch/shapes.ndjson"
# A shape expects only whether it must be refused, so other divergences (status 1) do not count.
"$built/conformance" "$scratch/shapes.ndjson" ${judged[@]+"${judged[@]}"} --beside-libcrypto \
    --json "$scratch/verdicts.json" >"$scratch/report" || [ $? -eq 1 ]
tail -n 6 "$scratch/report"
swift run -c release differential classes private-pki-reasons.json "$scratch/verdicts.json" \
    private-pki.md "$scratch/shapes.ndjson"
