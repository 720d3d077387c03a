#!/usr/bin/env bash
# `hawser run` and policies with rules for a port: direct connections, and through proxies by
# CONNECT and SOCKS, in clear and inside TLS.
#
# 1. The port that was asked for decides, and not the proxy's: curl, Ruby, Python and asyncio.
# 2. Where it is not known and may decide, the connection is refused (`port-unknown`); where it
#    decides nothing, it is judged.
# 3. The drop-in of C says the same where its program names no port.
# 4. A second ClientHello, after HelloRetryRequest or of a renegotiation, is for the same port.
#
# Needs the packages curl gcc openssl python3 ruby, and Python 3.11 for start_tls of asyncio.
#
#   Tests/Integration/run-ports.sh [HAWSER]     by default .build/release/hawser
#
# See run/start.sh for the variables.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
source "$root/Tests/Integration/run/start.sh"
source "$root/Tests/Integration/rig.sh"
authority
for name in tunnel strict free proxy; do certificate "$name" "$name.rig.example" -1 20; done
spare_key offline
spare_key spare
record tunnel strict free
: > proxies.txt
python3 "$helpers/proxies.py" proxy > proxies.txt 2>&1 &
children+=($!)
for _ in $(seq 200); do
    if read -r connect socks inside < proxies.txt && [ -n "$inside" ]; then break; fi
    read -r -t 0.05 _ <> <(:) || true
done
[ -n "${inside:-}" ] || fail "no proxies: $(cat proxies.txt)"
# At the server's port `tunnel` alone is accepted, and `strict` at the ports of proxies and at 443.
rig_policy > policy.yaml <<POLICY
  tunnel: { hosts: ["tunnel.rig.example:$https"], anchors: [rig] }
  strict: { hosts: ["strict.rig.example"], anchors: [rig], pins: [ours] }
  lax:
    hosts: ["strict.rig.example:443", "strict.rig.example:$connect", "strict.rig.example:$socks", "strict.rig.example:$inside"]
    anchors: [rig]
  free: { hosts: ["free.rig.example", "proxy.rig.example"], anchors: [rig] }
POLICY
"$hawser" compile policy.yaml --output one.table > compile.log 2>&1 || fail "$(cat compile.log)"

python=$(command -v python3)
client() { # WHAT HOST: sets `words`
    local host=$2.rig.example
    words=(curl -sSk -m 20 -o /dev/null "https://$host:$https/" --resolve "$host:$https:127.0.0.1")
    case $1 in
    curl) ;;
    curl-connect) words+=(-x "http://127.0.0.1:$connect") ;;
    curl-asked) words+=(-x "http://a:b@127.0.0.1:$connect" --proxy-anyauth --proxy-header 'X-Ask: yes') ;;
    curl-socks4) words+=(-x "socks4a://127.0.0.1:$socks") ;;
    curl-socks5) words+=(-x "socks5://127.0.0.1:$socks") ;;
    curl-socks5h) words+=(-x "socks5h://127.0.0.1:$socks") ;;
    curl-both) words+=(--preproxy "socks5h://127.0.0.1:$socks" -x "http://127.0.0.1:$connect") ;;
    curl-inside)
        words+=(-x "https://proxy.rig.example:$inside" --proxy-insecure --resolve "proxy.rig.example:$inside:127.0.0.1")
        ;;
    ruby) words=(ruby "$helpers/proxied.rb" "$host" "$https" "$connect") ;;
    urllib) words=("$python" "$helpers/proxied.py" "$host" "$https" "$connect") ;;
    streamed) words=(./streamed "$host" "$https" "$connect") ;;
    asyncio-*) words=("$python" "$helpers/tunnel.py" "${1#asyncio-}" "$host" "$https" "$connect") ;;
    esac
}
judged() { # WHAT HOST: the status in `status`, what the log says of the host in `told`
    status=0
    rm -f log.txt
    client "$1" "$2"
    timeout -k 5 60 "$hawser" run --table one.table --verbose --log log.txt -- "${words[@]}" \
        > output.txt 2> errors.txt || status=$?
    [ -e log.txt ] || fail "$1 $2: $status: no log: $(cat errors.txt)"
    told=$(sed -nE "s/^[^]]*]: ((accepted|refused|would refuse) $2\..*)/\1/p" log.txt)
    case $told in accepted*) wanted=0 ;; *) wanted=1 ;; esac
    recorded 1
    if [ "$wanted" = 0 ]; then
        [ "$status" = 0 ] && [[ $came =~ ^$2\.rig\.example\ [1-9] ]]
    else
        [ "$status" != 0 ] && [ "$came" = "$2.rig.example -" ]
    fi || fail "$1 $2: $status: $came: $(cat log.txt errors.txt output.txt)"
}
proxied=(curl-connect curl-asked curl-socks4 curl-socks5 curl-socks5h curl-both ruby urllib asyncio-proxy)
for what in curl asyncio-direct "${proxied[@]}"; do
    judged "$what" tunnel
    [ "$told" = "accepted tunnel.rig.example:$https" ] || fail "$what tunnel: $told: $(cat log.txt)"
    judged "$what" strict
    [[ $told = "refused strict.rig.example:$https: pin-mismatch"* ]] || fail "$what strict: $told: $(cat log.txt)"
    judged "$what" free
    [ "$told" = "accepted free.rig.example:$https" ] || fail "$what free: $told: $(cat log.txt)"
done
printf 'ok  the port that was asked for decides: directly, and by %s ways through proxies\n' "${#proxied[@]}"

# A request that goes through a stream of the C library is not seen, and that something was sent is.
gcc -O1 -Wall -Wextra -Werror "$helpers/streamed.c" -o streamed -lssl -lcrypto

unknown='port-unknown: the policy may decide this host by another rule at another port, and which port the connection is for is not known'
for what in asyncio-relay streamed curl-inside; do
    for name in tunnel strict; do
        judged "$what" "$name"
        [[ $told = "refused $name.rig.example: $unknown"* ]] || fail "$what $name: $told: $(cat log.txt)"
    done
    judged "$what" free
    [ "$told" = 'accepted free.rig.example:443' ] || fail "$what free: $told: $(cat log.txt)"
    grep -q 'notice: the port of free.rig.example is not known' log.txt || fail "$what free: $(cat log.txt)"
done
grep -q ": accepted proxy.rig.example:$inside\$" log.txt || fail "the proxy itself: $(cat log.txt)"
rm -f log.txt
client asyncio-relay strict
timeout 60 "$hawser" run --table one.table --report-only --log log.txt -- "${words[@]}" || fail "$(cat log.txt)"
recorded 1
[[ $came =~ ^strict\.rig\.example\ [1-9] ]] || fail "--report-only: $came"
grep -q ": would refuse strict.rig.example: $unknown" log.txt || fail "--report-only: $(cat log.txt)"
printf 'ok  a port that is not known: refused where it may decide, judged where it decides nothing\n'

# ----------------------------------------------------------------------------------- 3. the drop-in

gcc -O1 -Wall -Wextra -Werror -I"$dist/include" "$helpers/attached.c" -o attached -L"$dist/lib" -lhawser_openssl -lhawser -lssl -lcrypto
export LD_LIBRARY_PATH=$dist/lib
attached() { # HOST PORT DEFAULT: what it prints in `told`
    told=$(./attached one.table "$1.rig.example" "$https" "$2" "$3" || true)
    recorded 1
}
attached strict 0 0
[[ $told = "$unknown: hawser_openssl_set_host and \`default_port\` say it"* ]] || fail "the drop-in: $told"
attached strict 0 443
[ "$told" = accepted ] || fail "the drop-in, default_port 443: $told"
attached strict "$https" 0
[[ $told = pin-mismatch* ]] || fail "the drop-in, set_host: $told"
attached free 0 0
[ "$told" = accepted ] || fail "the drop-in, free: $told"
printf 'ok  the drop-in without a port: refused where it may decide, judged where it decides nothing\n'

# ---------------------------------------------------------------------------- 4. the second hello

second() { # OPTION...: a server at `port`, and a table for its port
    openssl s_server -accept 127.0.0.1:0 -cert tunnel.pem -key tunnel.key "$@" > openssl.txt 2>&1 \
        < <(tail -f /dev/null --pid=$$) &
    children+=($!)
    port=$(port_of openssl.txt)
    mkdir -p ported
    cp root.pem ported
    cat > ported/policy.yaml <<POLICY
hawser: 1
default: deny
anchors:
  rig: { files: [root.pem] }
rules:
  tunnel: { hosts: ["tunnel.rig.example:$port"], anchors: [rig] }
POLICY
    "$hawser" compile ported/policy.yaml --output ported.table > compile.log 2>&1 || fail "$(cat compile.log)"
    rm -f log.txt
}
strictly() { timeout -k 5 30 "$hawser" run --table ported.table --strict --verbose --log log.txt -- "$@" > output.txt 2>&1; }
accepted() { # COUNT
    [ "$(grep -c ": accepted tunnel.rig.example:$port\$" log.txt)" = "$1" ] && [ "$(wc -l < log.txt)" = "$1" ]
}
second -tls1_3 -groups P-384 -www -msg
strictly curl -sSk -o /dev/null "https://tunnel.rig.example:$port/" --resolve "tunnel.rig.example:$port:127.0.0.1" \
    || fail "HelloRetryRequest, curl: $(cat output.txt log.txt)"
strictly "$python" "$helpers/tunnel.py" direct tunnel.rig.example "$port" 0 \
    || fail "HelloRetryRequest, asyncio: $(cat output.txt log.txt)"
accepted 2 || fail "HelloRetryRequest: $(cat log.txt)"
[ "$(grep -c '^<<< .*ClientHello' openssl.txt)" = 4 ] || fail 'the server asked for no second hello'
second -tls1_2 -client_renegotiation
# Each line is read by itself: `R` renegotiates.
(for line in R hello Q; do sleep 1 && echo "$line"; done) \
    | strictly openssl s_client -connect "127.0.0.1:$port" -servername tunnel.rig.example \
    || fail "a renegotiation: $(cat output.txt log.txt)"
accepted 2 || fail "a renegotiation: $(cat log.txt output.txt)"
grep -q hello openssl.txt || fail "a renegotiation: $(cat openssl.txt)"
printf 'ok  the second hello of a connection is for the same port\n'
