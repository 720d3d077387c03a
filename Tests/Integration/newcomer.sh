#!/usr/bin/env bash
# The way of a newcomer without a toolchain, timed: the wheel is installed in a clean environment,
# the three commands of the README run in an empty repository, and a server on loopback is asked.
# The answer must be a reject with its reason and its line of the policy. Needs openssl and python3.
#
#   Tests/Integration/newcomer.sh [HAWSER]      by default .build-static/release/hawser
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
milliseconds() { echo $((($(date +%s%N) - started) / 1000000)); }

cp "$hawser" "$work/hawser"
python3 "$root/Packaging/wheel/build.py" "$work/hawser" "$work" >/dev/null
python3 -m venv "$work/venv"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -batch -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost -keyout "$work/key.pem" -out "$work/cert.pem" 2>/dev/null
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
openssl s_server -accept "127.0.0.1:$port" -cert "$work/cert.pem" -key "$work/key.pem" -quiet >/dev/null 2>&1 &
server=$!
for _ in $(seq 100); do
    if (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break; fi
    sleep 0.05
done
mkdir -p "$work/repository/.git"
cd "$work/repository"

started=$(date +%s%N)
"$work/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$work"/hawser_cli-*.whl
installed=$(milliseconds)
PATH=$work/venv/bin:$PATH
count=0
while IFS= read -r line; do
    bash -c "$line" >"$work/output" 2>&1 || { cat "$work/output" >&2; fail "$line"; }
    count=$((count + 1))
done < <(awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/README.md")
[ "$count" = 3 ] || fail "the README has $count commands"
status=0
hawser explain localhost --policy trust --connect "127.0.0.1:$port" >"$work/output" 2>&1 || status=$?
judged=$(milliseconds)
[ "$status" = 1 ] || { cat "$work/output" >&2; fail "the server on loopback: status $status"; }
grep -q '^reject localhost:' "$work/output" || fail 'no reject'
grep -qE 'policy\.yaml:[0-9]+:[0-9]+' "$work/output" || fail 'no line of the policy'
sed -n 1,2p "$work/output"
printf 'from the wheel to an explained reject: %s commands, %s ms, of them %s ms to install\n' \
    $((count + 2)) "$judged" "$installed"
printf 'the README has %s lines\n' "$(wc -l <"$root/README.md")"
