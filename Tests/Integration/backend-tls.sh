#!/usr/bin/env bash
# `hawser export --to backend-tls-policy` and `hawser import backend-tls-policy` beside the CRD of
# the Gateway API: PyPI's jsonschema checks its schema and cel-python its rules. Documents with a
# planted fault are refused for that fault, by the CRD and by the import; files that are exported
# from random policies and from the recipes are accepted; documents that are changed by chance are
# refused by the import where the CRD refuses them. Needs openssl, python3, the network (PyPI), and
# the CRDs of kubernetes-sigs/gateway-api.
#
#   Tests/Integration/backend-tls.sh [HAWSER [FOLDER [SEED]]]
#
# HAWSER is by default .build-static/release/hawser, FOLDER ../shared/packs/gateway-api.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
gateway=$(realpath "${2:-$root/../shared/packs/gateway-api}")
[ -d "$gateway/config/crd" ] || { echo "there are no CRDs in $gateway" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check \
    'cel-python==0.5.*' 'jsonschema==4.*' 'PyYAML==6.*'
for name in one two; do
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 \
        -subj "/CN=$name" -addext keyUsage=critical,keyCertSign -keyout "$work/$name.key" \
        -out "$work/$name.pem" 2>/dev/null
done
"$work/venv/bin/python" "$root/Tests/Integration/backend-tls.py" "$hawser" "$gateway" \
    "$root/policies" "$work" "${3:-$RANDOM}"
