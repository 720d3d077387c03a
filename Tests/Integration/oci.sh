#!/usr/bin/env bash
# `Packaging/oci`: a signed table pushed to a registry on loopback, pulled by its digest, and opened
# by its publisher's key; another digest, a tag, a table that the registry changed, and another key
# are refused. Needs Debian's docker-registry, openssl, python3 and the network (PyPI: oras).
#
#   Tests/Integration/oci.sh [HAWSER]     by default .build-static/release/hawser
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
venv=${VENV:-$work/venv}
if [ -z "${VENV:-}" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check oras
fi
cd "$work"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > registry.yml <<YML
version: 0.1
storage: { filesystem: { rootdirectory: $work/registry } }
http: { addr: 127.0.0.1:$port }
YML
docker-registry serve registry.yml > registry.log 2>&1 &
server=$!
python3 - "$port" <<'PY'
import socket, sys
for _ in range(10_000_000):
    try:
        socket.create_connection(("127.0.0.1", int(sys.argv[1]))).close()
        break
    except ConnectionRefusedError:
        pass
else:
    sys.exit("no registry answers")
PY
for name in publisher stranger; do
    openssl genpkey -algorithm ed25519 -out "$name.key"
    openssl pkey -in "$name.key" -pubout -out "$name.pem"
done
"$hawser" compile "$root/policies/bank" -o bank.table --revision 7 --sign-key publisher.key > compiled.txt
publish() { INSECURE=1 "$venv/bin/python" "$root/Packaging/oci/publish.py" "$@"; }
place=$(publish push "127.0.0.1:$port/hawser/bank:7" bank.table | tail -n 1)
[[ $place = 127.0.0.1:$port/hawser/bank@sha256:* ]] || fail "push printed $place"
publish pull "$place" pulled > pulled.txt
cmp bank.table pulled/bank.table || fail 'another table came back'
"$hawser" inspect pulled/bank.table --trusted-key publisher.pem > inspected.txt || fail 'the publisher is not trusted'
if "$hawser" inspect pulled/bank.table --trusted-key stranger.pem 2> refused.txt; then fail 'a stranger is trusted'; fi
grep -q 'refused' refused.txt || fail "$(cat refused.txt)"
printf 'pushed, pulled by its digest, opened by the key of its publisher and by no other\n'

if publish pull "127.0.0.1:$port/hawser/bank:7" other 2> tag.txt; then fail 'a tag was pulled'; fi
grep -q 'by its digest' tag.txt || fail "$(cat tag.txt)"
zeros=$(printf '0%.0s' {1..64})
if publish pull "127.0.0.1:$port/hawser/bank@sha256:$zeros" other 2> absent.txt; then fail 'a digest that nobody has was pulled'; fi
# A registry that hands out other octets under the same names.
blob=$(sha256sum bank.table | cut -d ' ' -f 1)
stored=$work/registry/docker/registry/v2/blobs/sha256/${blob:0:2}/$blob/data
[ -f "$stored" ] || fail "the registry keeps the table elsewhere than $stored"
printf 'x' | dd of="$stored" bs=1 seek=100 conv=notrunc status=none
if publish pull "$place" other 2> changed.txt; then fail 'a changed table was pulled'; fi
grep -q "the registry's table is sha256:" changed.txt || fail "$(cat changed.txt)"
[ ! -e other/bank.table ] || fail 'a changed table was written'
printf 'a tag, another digest and a table that the registry changed are refused\n'
