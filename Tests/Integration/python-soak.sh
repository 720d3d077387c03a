#!/usr/bin/env bash
# The Python package under load: 8 threads, 20,000 connections to `openssl s_server` and 200 reloads
# that change the verdicts, both attached and unattached. A policy that was in force during the
# connection has to give each verdict, and memory has to stay flat. Then 300 forks while threads
# judge, open and reload; each child goes on with the parent's policy. Then the cost of a handshake
# beside plain `ssl`, in one run.
#
# Needs openssl 3, a C compiler, python3 of 3.10 or later with its headers, and pkg-config.
#
#   Tests/Integration/python-soak.sh [HAWSER [CONNECTIONS]]   by default .build/release/hawser; the
#                                                             library is built
#
# BUILT=1 takes the library as the last run of Packaging/c/build.sh left it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
if [ -z "${BUILT:-}" ]; then bash "$root/Packaging/c/build.sh"; fi

scratch=$(mktemp -d)
servers=()
trap 'kill "${servers[@]}" 2>/dev/null || true; rm -rf "$scratch"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
source "$root/Tests/Integration/rig.sh"
source "$root/Tests/Integration/port-of.sh"

python3 "$root/Packaging/python/build.py" "$root/.build-c/dist" "$scratch/dist" > /dev/null
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$scratch"/dist/*.whl

mkdir -p "$scratch/rig/one" "$scratch/rig/stricter"
cd "$scratch/rig"
authority
ports=()
soak_servers
for name in offline spare; do spare_key "$name"; done
rig_policy > one/policy.yaml <<POLICY
  good: { hosts: ["good.rig.example"], anchors: [rig] }
  pinned: { hosts: ["pinned.rig.example"], anchors: [rig], pins: [ours] }
POLICY
sed 's/\["good.rig.example"\], anchors: \[rig\]/&, pins: [ours]/' one/policy.yaml > stricter/policy.yaml
for unit in one stricter; do
    cp root.pem ./*.pub "$unit"
    "$hawser" compile "$unit/policy.yaml" --output "$unit/policy.table" > compile.log 2>&1 || fail "$(cat compile.log)"
done
"$scratch/venv/bin/python" "$root/Tests/Integration/python-package/soak.py" \
    one/policy.table stricter/policy.table root.pem "${2:-20000}" "${ports[@]}"
