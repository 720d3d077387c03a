#!/usr/bin/env bash
# curl beside `hawser import curl`: a server on loopback, arguments of `--pinnedpubkey` with its
# key, with another key and in spellings that never match, and whether curl connects. The policy of
# each command accepts the server where curl does, and rejects it where curl does, but for `-k`.
# Then the other way: curl with the file of `hawser export` connects where the policy accepts.
# Needs curl and openssl.
#
#   Tests/Integration/curl-pins.sh [HAWSER]     by default .build-static/release/hawser
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
command -v curl >/dev/null || { echo "there is no curl" >&2; exit 2; }
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"

cat >names <<'TEXT'
subjectAltName=DNS:shop.test
extendedKeyUsage=serverAuth
keyUsage=digitalSignature
basicConstraints=CA:FALSE
TEXT
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=Root \
    -addext keyUsage=critical,keyCertSign -keyout root.key -out root.pem 2>/dev/null
openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=shop.test \
    -keyout leaf.key -out leaf.csr 2>/dev/null
openssl x509 -req -in leaf.csr -CA root.pem -CAkey root.key -days 20 -extfile names -out leaf.pem \
    2>/dev/null

openssl x509 -in leaf.pem -noout -pubkey >leaf.pub
openssl x509 -in root.pem -noout -pubkey >root.pub
pin=$(openssl pkey -pubin -in leaf.pub -outform DER | openssl dgst -sha256 -binary | base64)
other=$(openssl pkey -pubin -in root.pub -outform DER | openssl dgst -sha256 -binary | base64)

openssl s_server -accept 127.0.0.1:0 -www -cert leaf.pem -key leaf.key >server.log 2>&1 &
server=$!
port=
for _ in $(seq 100); do
    port=$(sed -n 's/^ACCEPT 127.0.0.1:\([0-9]*\).*/\1/p' server.log)
    [ -z "$port" ] || break
    sleep 0.1
done
[ -n "$port" ] || { echo "the server did not start" >&2; exit 1; }

version=$(curl --version | sed -n '1s/^curl \([0-9.]*\).*/\1/p')
commands=0
try() { # RESULT ARGUMENT...: accept, reject, or open where curl accepts and the policy is stricter
    local wanted=$1 status=0 verdict
    shift
    local words=(--capath /dev/null --cacert root.pem "$@" --connect-to "shop.test:443:127.0.0.1:$port" https://shop.test/)
    curl -q -sS -o /dev/null --max-time 20 "${words[@]}" 2>/dev/null || status=$?
    case $wanted:$status in
    accept:0 | open:0 | reject:90) ;;
    *) echo "curl $*: exit status $status, wanted $wanted" >&2; exit 1 ;;
    esac
    { printf 'curl'; printf " '%s'" "${words[@]}"; echo; } >command.sh
    rm -rf made
    "$hawser" import curl command.sh --curl "$version" --owner web -o made >found.txt 2>&1 || true
    if [ ! -d made ]; then
        # A file that curl does not find is an error of the import, and curl accepts nothing.
        grep -q HX104 found.txt && [ "$wanted" = reject ] && commands=$((commands + 1)) && return
        cat found.txt >&2
        exit 1
    fi
    verdict=accept
    "$hawser" explain shop.test --connect "127.0.0.1:$port" --policy made >verdict.txt 2>&1 || verdict=reject
    [ "$wanted" != open ] || wanted=accept
    [ "$verdict" = "$wanted" ] || { echo "curl $*: the policy says $verdict" >&2; cat made/policy.yaml verdict.txt >&2; exit 1; }
    commands=$((commands + 1))
}

try accept
try accept --pinnedpubkey "sha256//$pin"
try reject --pinnedpubkey "sha256//$other"
try accept --pinnedpubkey "sha256//$other;sha256//$pin"
try reject --pinnedpubkey "sha256//${pin%=}"
try reject --pinnedpubkey "sha256//$pin "
try reject --pinnedpubkey "sha256/$pin"
try reject --pinnedpubkey "SHA256//$pin"
try accept --pinnedpubkey leaf.pub
try reject --pinnedpubkey root.pub
try accept --pinnedpubkey "sha256//$other" --pinnedpubkey "sha256//$pin"
try reject --pinnedpubkey "sha256//$pin" --pinnedpubkey "sha256//$other"
try open -k --pinnedpubkey "sha256//$pin"
try reject -k --pinnedpubkey "sha256//$other"
try accept --tlsv1.3 --pinnedpubkey "sha256//$pin"
case $(printf '%s\n' 8.18 "$version" | sort -V | head -1) in
8.18) try accept --pinnedpubkey "sha256//$pin;" ;;
*) try reject --pinnedpubkey "sha256//$pin;" ;;
esac

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=Other \
    -addext keyUsage=critical,keyCertSign -keyout other.key -out other.pem 2>/dev/null
third=$(openssl x509 -in other.pem -noout -pubkey | openssl pkey -pubin -outform DER |
    openssl dgst -sha256 -binary | base64)
exports=0
exported() { # RESULT CA [PIN PIN]: accept or reject
    local wanted=$1 status=0 result verdict=accept
    rm -rf trust && mkdir trust && cp "$2" trust/ca.pem
    {
        printf 'hawser: 1\ndefault: deny\nanchors:\n  ca:\n    files:\n      - ca.pem\n'
        if [ $# -gt 2 ]; then
            printf 'pins:\n  own:\n    keys:\n      one: { spki: sha256/%s, at: leaf }\n' "$3"
            printf '    backups:\n      two: { spki: sha256/%s, at: leaf }\n' "$4"
        fi
        printf 'rules:\n  shop:\n    hosts:\n      - "shop.test"\n    anchors: [ca]\n'
        [ $# -le 2 ] || printf '    pins: [own]\n'
        printf '    owner: web\n'
    } >trust/policy.yaml
    "$hawser" export --policy trust --to curl --hosts shop.test --output curlrc >export.txt
    curl -q -sS -o /dev/null --max-time 20 --config curlrc \
        --connect-to "shop.test:443:127.0.0.1:$port" https://shop.test/ 2>/dev/null || status=$?
    case $status in
    0) result=accept ;;
    60 | 90) result=reject ;;
    *) echo "curl --config: exit status $status" >&2; cat curlrc >&2; exit 1 ;;
    esac
    "$hawser" explain shop.test --connect "127.0.0.1:$port" --policy trust >verdict.txt 2>&1 ||
        verdict=reject
    [ "$result:$verdict" = "$wanted:$wanted" ] || {
        echo "exported $*: curl $result, the policy $verdict" >&2
        cat trust/policy.yaml curlrc verdict.txt >&2
        exit 1
    }
    exports=$((exports + 1))
}
exported accept root.pem
exported accept root.pem "$pin" "$other"
exported accept root.pem "$other" "$pin"
exported reject root.pem "$other" "$third"
exported reject other.pem "$pin" "$other"
exported reject other.pem
echo "$commands cases and $exports exports with curl $version"
