#!/usr/bin/env bash
# The history of a real policy: `hawser diff` on every two neighbouring commits that touched
# `policies/`, beside a comparison of what `show` prints of a host for every pattern and port of
# both sides. The two must agree on whether a unit decides anything otherwise. Needs git with the
# whole history, and python3.
#
#   Tests/Integration/history-of-policies.sh [HAWSER [COMMITS]]
#
# By default .build/release/hawser and the last 40 commits; all of them with HAWSER_FULL=1. Looks at
# more where these have no changed policy, or no unchanged one.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
commits=${2:-40}
[ "${HAWSER_FULL:-}" = 1 ] && commits=1000000
exec python3 "$root/Tests/Integration/history-of-policies.py" "$hawser" "$root" "$commits"
