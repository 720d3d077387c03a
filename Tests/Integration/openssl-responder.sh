#!/usr/bin/env bash
# `openssl ocsp` as responder and `openssl s_server -status_file` for stapling, both on loopback: a
# good answer, a revoked one and an expired one, each fetched and each stapled, and each explained
# by the command. Needs openssl 3 and nothing else.
#
#   Tests/Integration/openssl-responder.sh [HAWSER]     by default .build/release/hawser
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }

scratch=$(mktemp -d)
children=()
finish() {
    for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap finish EXIT
cd "$scratch"
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

source "$root/Tests/Integration/port-of.sh"

# A root, and two certificates with the serial numbers that the responder knows: 1001
# good, 1002 revoked.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -days 30 \
    -subj '/O=Acme/CN=Integration Root' -addext 'basicConstraints=critical,CA:TRUE' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign,digitalSignature' 2>/dev/null
end=$(date -u -d '+20 days' +%y%m%d%H%M%SZ)
past=$(date -u -d '-1 hour' +%y%m%d%H%M%SZ)
{
    printf 'V\t%s\t\t1001\tunknown\t/CN=good.acme.example\n' "$end"
    printf 'R\t%s\t%s,keyCompromise\t1002\tunknown\t/CN=revoked.acme.example\n' "$end" "$past"
} > index.txt
# Answers are good for ten minutes.
openssl ocsp -index index.txt -port 0 -rsigner ca.pem -rkey ca.key -CA ca.pem -nmin 10 > responder.log 2>&1 &
children+=($!)
responder=$(port_of responder.log)

certificate() { # NAME SERIAL
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" \
        -subj "/CN=$1.acme.example" 2>/dev/null
    cat > "$1.ext" <<EXT
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=serverAuth
subjectAltName=DNS:$1.acme.example
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
authorityInfoAccess=OCSP;URI:http://127.0.0.1:$responder/
EXT
    openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -set_serial "0x$2" -days 20 -sha256 \
        -extfile "$1.ext" -out "$1.pem" 2>/dev/null
    openssl ocsp -issuer ca.pem -cert "$1.pem" -url "http://127.0.0.1:$responder/" -CAfile ca.pem \
        -no_nonce -respout "$1.staple" > "$1.asked" 2>&1 || fail "openssl's own client: $(cat "$1.asked")"
}
certificate good 1001
certificate revoked 1002
grep -q 'good.pem: good' good.asked || fail "openssl says otherwise of good"
grep -q 'revoked.pem: revoked' revoked.asked || fail "openssl says otherwise of revoked"

cat > policy.yaml <<'POLICY'
hawser: 1
default: deny
anchors:
  acme:
    files: [ca.pem]
rules:
  responder:
    hosts:
      - "*.acme.example"
    anchors: [acme]
    revocation:
      preset: require
      sources: [stapled, ocsp]
POLICY

later=$(date -u -d '+1 day' +%Y-%m-%dT%H:%M:%SZ)
answers=0
# Asks about a host and expects an exit status, and words in the explanation.
expect() { # WHAT STATUS WORD... -- ARGUMENT...
    local what=$1 status=$2 words=() found=0
    shift 2
    while [ "$1" != -- ]; do words+=("$1"); shift; done
    shift
    "$hawser" explain "$@" --policy policy.yaml --trace > answer.txt 2> errors.txt || found=$?
    [ "$found" = "$status" ] || fail "$what: exit $found, not $status: $(cat answer.txt errors.txt)"
    for word in "${words[@]}"; do
        grep -q -- "$word" answer.txt || fail "$what: nothing of '$word': $(cat answer.txt)"
    done
    answers=$((answers + 1))
    printf 'ok  %-32s %s\n' "$what" "$(head -n 1 answer.txt)"
}

file=(--tls-version tls1.3)
network=(--fetch --allow-network 127.0.0.1 --allow-port "$responder")
expect 'nothing at hand' 1 revocation-undetermined unreachable -- \
    good.acme.example --chain good.pem "${file[@]}"
expect 'good, fetched' 0 'good' -- good.acme.example --chain good.pem "${file[@]}" "${network[@]}"
expect 'revoked, fetched' 1 revoked keyCompromise -- \
    revoked.acme.example --chain revoked.pem "${file[@]}" "${network[@]}"
expect 'expired, fetched' 1 revocation-undetermined stale -- \
    good.acme.example --chain good.pem --at "$later" "${file[@]}" "${network[@]}"

stapling() { # NAME: starts a server that staples, and prints its port
    openssl s_server -accept 127.0.0.1:0 -cert "$1.pem" -key "$1.key" -status_file "$1.staple" -tls1_3 \
        > "server-$1.log" 2>&1 < <(tail -f /dev/null --pid=$$) &
    children+=($!)
}
for name in good revoked; do
    stapling "$name"
    declare "port_$name=$(port_of "server-$name.log")"
done
# shellcheck disable=SC2154
expect 'good, stapled' 0 stapled -- good.acme.example --connect "127.0.0.1:$port_good"
# shellcheck disable=SC2154
expect 'revoked, stapled' 1 revoked keyCompromise -- \
    revoked.acme.example --connect "127.0.0.1:$port_revoked"
expect 'expired, stapled' 1 revocation-undetermined stale -- \
    good.acme.example --connect "127.0.0.1:$port_good" --at "$later"

printf '%s answers as expected\n' "$answers"
