#!/usr/bin/env bash
# ML-DSA signatures by PyPI's cryptography, a bit changed in half of them, verified by it and by
# Hawser: `mldsa.sh [COUNT [SEED]]`, 100,000 by default. Fails where the two differ. cryptography
# mixes chance into its signatures, so a seed fixes all but these; a difference prints its octets.
set -euo pipefail
cd "$(dirname "$0")"
count=${1:-100000} seed=${2:-21}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check 'cryptography==50.*'
# A kept build of a nested package does not see new files of the root: the plan is made each time.
swift build -c release --package-path MLDSA --disable-build-manifest-caching
verifier=$(swift build -c release --package-path MLDSA --show-bin-path)/mldsa-verify
"$scratch/venv/bin/python" mldsa.py "$verifier" "$count" "$seed"
