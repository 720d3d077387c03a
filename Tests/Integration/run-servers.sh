#!/usr/bin/env bash
# `hawser run` under nginx and HAProxy, unchanged, as they connect to their upstreams; and under
# clients that send no server name.
#
# 1. nginx with `proxy_ssl_server_name on` and HAProxy with `sni`, several processes each: good
#    upstreams are answered, the others get no octet; through a reload too.
# 2. Without a server name nothing is answered, and the line says what may be done.
# 3. With --names-from-lookups the one name that was looked up for an address is judged, and the log
#    says so; where two names have the address, nothing is answered.
# 4. A log that a worker may not open, DTLS, an external pre-shared key: as Packaging/run/README.md
#    says.
#
# Needs the packages curl gcc haproxy nginx openssl python3 redis-tools.
#
#   Tests/Integration/run-servers.sh [HAWSER]     by default .build/release/hawser
#
# See run/start.sh for the variables.
set -euo pipefail
export PATH=$PATH:/usr/sbin
root=$(cd "$(dirname "$0")/../.." && pwd)
source "$root/Tests/Integration/run/start.sh"
source "$root/Tests/Integration/rig.sh"
authority
names=(good pinned expired)
for name in good pinned; do certificate "$name" "$name.rig.example" -1 20; done
certificate expired expired.rig.example -40 -10
spare_key offline
spare_key spare
rig_policy > policy.yaml <<POLICY
  good: { hosts: ["good.rig.example", "expired.rig.example"], anchors: [rig] }
  pinned: { hosts: ["pinned.rig.example"], anchors: [rig], pins: [ours] }
POLICY
"$hawser" compile policy.yaml --output one.table > compile.log 2>&1 || fail "$(cat compile.log)"
record "${names[@]}"
gcc -O1 -Wall -Wextra -Werror -shared -fPIC -o names.so "$helpers/names.c"
chmod 755 "$scratch/rig"
chmod 644 ./*.so one.table

begin() { # OPTION... -- PROGRAM...: starts a server; `server` is its process
    rm -f log.txt
    touch log.txt
    chmod 666 log.txt
    "$hawser" run --table one.table --verbose --log log.txt "$@" > server.txt 2>&1 &
    server=$!
    children+=("$server")
}
end() {
    kill "$server"
    wait "$server" || true
}
answer() { # PORT NAME: the status of its answer
    curl -s -o /dev/null -w '%{http_code}' -m 20 "http://127.0.0.1:$1/$2"
}
await() { # PORT: until something listens there
    for _ in $(seq 200); do
        if curl -s -o /dev/null -m 5 "http://127.0.0.1:$1/nowhere"; then return; fi
        read -r -t 0.05 _ <> <(:) || true
    done
    fail "nobody listens: $(cat server.txt log.txt)"
}
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

nginx() { # SERVERNAME NAMES OPTION...: begins nginx at `port`, with two workers
    port=$(free_port)
    rm -rf nginx
    mkdir -p nginx/a nginx/b nginx/c nginx/d nginx/e
    {
        cat <<NGINX
daemon off;
pid nginx/pid;
error_log nginx/errors info;
worker_processes 2;
$([ "$(id -u)" != 0 ] || echo 'user nobody nogroup;')
events { worker_connections 64; }
http {
  access_log off;
  client_body_temp_path nginx/a; proxy_temp_path nginx/b; fastcgi_temp_path nginx/c;
  uwsgi_temp_path nginx/d; scgi_temp_path nginx/e;
  server {
    listen 127.0.0.1:$port;
    proxy_ssl_server_name $1;
NGINX
        for name in "${names[@]}"; do echo "    location /$name { proxy_pass https://$name.rig.example:$https/; }"; done
        printf '  }\n}\n'
    } > nginx.conf
    export NAMES=$2
    LD_PRELOAD=$PWD/names.so begin "${@:3}" -- nginx -p "$PWD" -c nginx.conf -e nginx/errors
    await "$port"
}
haproxy() { # SNI: begins HAProxy at `port`
    port=$(free_port)
    {
        cat <<HAPROXY
global
  nbthread 2
defaults
  mode http
  timeout connect 10s
  timeout client 10s
  timeout server 10s
  retries 0
frontend here
  bind 127.0.0.1:$port
  use_backend %[path,field(2,/)]
HAPROXY
        for name in "${names[@]}"; do
            printf 'backend %s\n  server it 127.0.0.1:%s ssl verify none%s\n' "$name" "$https" "${1:+ sni str($name.rig.example)}"
        done
    } > haproxy.cfg
    begin -- haproxy -db -f haproxy.cfg
    await "$port"
}
same='good.rig.example=127.0.0.1 pinned.rig.example=127.0.0.1 expired.rig.example=127.0.0.1'

# ---------------------------------------------------------------------------- 1. with a server name

asked() { # WHAT REFUSAL: asks the server for each upstream, some more than once
    local what=$1 name status
    for name in good pinned good expired good; do
        status=$(answer "$port" "$name")
        recorded 1
        if [ "$name" = good ]; then
            [ "$status" = 200 ] && [[ $came =~ ^good\.rig\.example\ [1-9] ]]
        else
            [ "$status" = "$2" ] && [ "$came" = "$name.rig.example -" ]
        fi || fail "$what $name: $status, $came: $(cat log.txt server.txt)"
    done
    [ "$(grep -cE ": accepted good\.rig\.example:$https( \\(resumed\\))?\$" log.txt)" = 3 ] || fail "$what: $(cat log.txt)"
    grep -q ": refused pinned.rig.example:$https: pin-mismatch: " log.txt || fail "$what: $(cat log.txt)"
    grep -q ": refused expired.rig.example:$https: expired: " log.txt || fail "$what: $(cat log.txt)"
}
nginx on "$same"
asked nginx 502
: > log.txt
kill -HUP "$server"
asked 'nginx, reloaded' 502
end
printf 'ok  nginx with proxy_ssl_server_name: three upstreams, before and after a reload\n'
haproxy yes
asked HAProxy 503
end
printf 'ok  HAProxy with sni: three upstreams\n'

# ------------------------------------------------------------------------- 2. without a server name

nothing() { # WHAT REFUSAL WORDS
    local name status
    for name in good pinned; do
        status=$(answer "$port" "$name")
        recorded 1
        { [ "$status" = "$2" ] && [ "$came" = '- -' ]; } || fail "$1 $name: $status, $came: $(cat log.txt)"
    done
    grep -qF -- "$3" log.txt || fail "$1: $(cat log.txt)"
}
nginx off "$same"
nothing nginx 502 "no-verdict: the program names no host for the connection: no server name, and no host to be verified; \`proxy_ssl_server_name on;\`"
end
haproxy ''
nothing HAProxy 503 'at the `server` tells it'
end
redis() { # OPTION... -- ARGUMENT...: the status in `status`
    local options=()
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    status=0
    rm -f log.txt
    LD_PRELOAD=$PWD/names.so timeout 20 "$hawser" run --table one.table --verbose --log log.txt "${options[@]}" -- \
        redis-cli -p "$https" --tls --insecure "${@:2}" ping > output.txt 2>&1 || status=$?
}
export NAMES=$same
redis -- -h good.rig.example
grep -qF '`redis-cli --sni NAME` tells it' log.txt || fail "redis-cli: $(cat log.txt)"
recorded "$(grep -c ': refused' log.txt)"
[ "$(sort -u <<< "$came")" = '- -' ] || fail "redis-cli: $came"
redis -- -h good.rig.example --sni good.rig.example
grep -q ": accepted good.rig.example:$https" log.txt || fail "redis-cli --sni: $(cat log.txt)"
recorded "$(grep -c ': accepted' log.txt)"
[[ $came =~ ^good\.rig\.example\ [1-9] ]] || fail "redis-cli --sni: $came"
printf 'ok  without a server name nothing is answered, and the line says what may be done\n'

# ---------------------------------------------------------------------------- 3. names from lookups

# The recorder listens at 127.0.0.1; the others are reached by a mapped address.
NAMES='good.rig.example=127.0.0.1 pinned.rig.example=127.0.0.2'
nginx off "$NAMES expired.rig.example=127.0.0.2" --names-from-lookups
[ "$(answer "$port" good)" = 200 ] || fail "nginx, a name: $(cat log.txt)"
recorded 1
[[ $came =~ ^-\ [1-9] ]] || fail "nginx, a name: $came"
grep -q 'notice: the program tells TLS no host; it is taken to be good.rig.example' log.txt || fail "$(cat log.txt)"
grep -q ": accepted good.rig.example:$https\$" log.txt || fail "nginx, a name: $(cat log.txt)"
end
nginx off "$same" --names-from-lookups
nothing 'nginx, three names' 502 'no-verdict'
end
NAMES='pinned.rig.example=127.0.0.1'
redis --names-from-lookups -- -h pinned.rig.example
grep -q ": refused pinned.rig.example:$https: " log.txt || fail "redis-cli, a name: $(cat log.txt)"
recorded "$(grep -c ': refused' log.txt)"
[ "$(sort -u <<< "$came")" = '- -' ] || fail "redis-cli, a name: $came"
: > proxies.txt
python3 "$helpers/proxies.py" good > proxies.txt 2>&1 &
children+=($!)
for _ in $(seq 200); do
    if read -r connect _ < proxies.txt && [ -n "$connect" ]; then break; fi
    read -r -t 0.05 _ <> <(:) || true
done
NAMES='good.rig.example=127.0.0.1'
status=0
rm -f log.txt
LD_PRELOAD=$PWD/names.so "$hawser" run --table one.table --names-from-lookups --log log.txt -- python3 -c "
import socket, ssl
proxied = socket.create_connection(('good.rig.example', $connect))
proxied.sendall(b'CONNECT 127.0.0.1:$https HTTP/1.1\\r\\n\\r\\n')
proxied.recv(1000)
ssl._create_unverified_context().wrap_socket(proxied).sendall(b'secret')" > output.txt 2>&1 || status=$?
recorded 1
{ [ "$status" = 1 ] && [ "$came" = '- -' ]; } || fail "the name of a proxy: $status, $came: $(cat log.txt output.txt)"
grep -qF 'the address has no name of its own' log.txt || fail "the name of a proxy: $(cat log.txt output.txt)"
printf 'ok  --names-from-lookups: the one name of an address is judged, and said; no name of a proxy\n'

# ---------------------------------------------------------------------------- 4. what the page says

if [ "$(id -u)" = 0 ]; then
    nginx on "$same"
    chmod 600 log.txt
    [ "$(answer "$port" good)" = 200 ] || fail "a log of root's: $(cat log.txt)"
    recorded 1
    [ ! -s log.txt ] || fail "a log of root's: $(cat log.txt)"
    grep -q ": accepted good.rig.example:$https\$" nginx/errors || fail "a log of root's: $(cat nginx/errors server.txt)"
    end
    printf 'ok  a worker that may not open the log writes to its standard error\n'
fi
openssl_server() { # OPTION...: `port`
    openssl s_server -accept 127.0.0.1:0 "$@" > openssl.txt 2>&1 < <(tail -f /dev/null --pid=$$) &
    children+=($!)
    port=$(port_of openssl.txt)
}
refused() { # WHAT WORDS OPTION...
    local status=0
    rm -f log.txt
    echo secret | timeout 20 "$hawser" run --table one.table --log log.txt -- openssl s_client -quiet \
        -connect "127.0.0.1:$port" -servername good.rig.example "${@:3}" > output.txt 2>&1 || status=$?
    [ "$status" != 0 ] || fail "$1: it went on"
    grep -qF ": refused good.rig.example:$port: no-verdict: $2" log.txt || fail "$1: $(cat log.txt output.txt)"
    ! grep -q secret openssl.txt || fail "$1: the server has got something"
}
openssl_server -dtls -cert good.pem -key good.key
refused DTLS 'the connection is DTLS, and policies judge connections of TLS' -dtls
for version in tls1_2 tls1_3; do
    openssl_server -nocert -psk 1a2b3c -psk_identity it "-$version"
    refused "a pre-shared key, $version" 'the server showed no certificate' -psk 1a2b3c -psk_identity it
    (echo secret && sleep 2) | timeout 20 "$hawser" run --table one.table --report-only -- openssl s_client -quiet \
        -connect "127.0.0.1:$port" -servername good.rig.example -psk 1a2b3c -psk_identity it -verify_return_error \
        > output.txt 2>&1 || true
    grep -q secret openssl.txt || fail "a pre-shared key, $version, --report-only: $(cat output.txt)"
done
printf 'ok  DTLS and an external pre-shared key: refused, and as without it under --report-only\n'
