#!/usr/bin/env bash
# `hawser serve` with real clients, under load, under attack, and by its OpenAPI document.
#
#   Tests/Integration/serve.sh HAWSER [SERVER]      the command, and the server's executable; it is
#                                                   built where it is not given
#
# 1. Its words when it cannot start, as a golden (serve/starts.txt). A folder of CRLite filters that
#    is missing, filled and replaced.
# 2. curl, Python, Java 17, Ruby and PHP get the command's verdicts; explanations and rules equal
#    the command's, octet by octet.
# 3. Other users, by the socket's mode, group and credentials (as root alone); a socket that is
#    handed over; a new table; TCP with a token.
# 4. schemathesis, from PyPI, over TCP by grammar/serve.openapi.json.
# 5. 1,000 requests a second for a minute on two cores, without an error.
# 6. kill -9 and SIGTERM under load, again and again.
# 7. Hostile bodies and connections, with a bound on memory.
# 8. The units of Packaging/systemd, by systemd-analyze.
#
# Before all that, the tests of Sources/Integrations/Serve; SKIP_TESTS=1 leaves them out. QUICK=1
# makes load and schemathesis short. Needs openssl, curl, python3; java, ruby, php, wrk, taskset and
# systemd-analyze are used where they are.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/Tests/Integration/serve
given=$(realpath "${1:?the command}")
server=${2:-}
package=$root/Sources/Integrations/Serve
# A kept build of a nested package does not see new files of the root: the plan is made each time.
nested=(-c release --package-path "$package" --disable-build-manifest-caching)
seconds=60 times=50 examples=200
if [ -n "${QUICK:-}" ]; then seconds=5 times=5 examples=20; fi
if [ -z "${SKIP_TESTS:-}" ]; then
    swift test --disable-xctest "${nested[@]}"
fi
if [ -z "$server" ]; then
    swift build "${nested[@]}" --product hawser-serve
    server=$(swift build "${nested[@]}" --show-bin-path)/hawser-serve
fi
work=$(mktemp -d)
children=()
clean() {
    for child in ${children[@]+"${children[@]}"}; do kill "$child" 2> /dev/null || true; done
    wait
    rm -rf "$work"
}
trap clean EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
step() { printf '== %s\n' "$1"; }
chmod 755 "$work"
mkdir "$work/bin" "$work/run"
cp "$given" "$work/bin/hawser"
cp "$server" "$work/bin/hawser-serve"
hawser=$work/bin/hawser
cd "$work"

# A root, a server's chain, and a table. The certificates are made now, as the clock is the
# server's.
quiet() { "$@" > "$work/openssl.log" 2>&1 || { cat "$work/openssl.log" >&2; fail "$1"; }; }
quiet openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out root.pem \
    -days 30 -subj '/CN=Serve Root' -addext basicConstraints=critical,CA:TRUE \
    -addext keyUsage=critical,keyCertSign,cRLSign
quiet openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout leaf.key -out leaf.csr \
    -subj '/CN=api.serve.example'
printf 'subjectAltName=DNS:api.serve.example\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\nauthorityKeyIdentifier=keyid\n' > leaf.ext
quiet openssl x509 -req -in leaf.csr -CA root.pem -CAkey ca.key -out leaf.pem -days 20 -extfile leaf.ext
mkdir unit
cp root.pem unit/
cat > unit/policy.yaml <<'YAML'
hawser: 1
default: deny
anchors:
  root: { files: [root.pem] }
rules:
  api:
    hosts: ["api.serve.example"]
    owner: platform@serve.example
    anchors: [root]
YAML
printf 'hawser: 1\ndefault: deny\n' > none.yaml
"$hawser" compile unit -o good.table > /dev/null
"$hawser" compile none.yaml -o none.table > /dev/null
cp good.table policy.table
python3 - "$here" <<'PY'
import sys
sys.path.insert(0, sys.argv[1])
from server import question
open("accept.json", "wb").write(question("api.serve.example", "leaf.pem"))
open("reject.json", "wb").write(question("www.serve.example", "leaf.pem"))
PY
socket=$work/run/hawser.sock
openssl rand -base64 32 > token
chmod 600 token

start() { # ARGUMENTS: starts a server in the background, and returns once it is up
    local log=$work/server.log
    : > "$log"
    "$hawser" serve --table policy.table "$@" > "$log" 2>&1 &
    children+=($!)
    pid=$!
    for _ in $(seq 400); do
        grep -q 'listening on' "$log" && return
        kill -0 "$pid" 2> /dev/null || { cat "$log" >&2; fail "the server did not start: $*"; }
        read -r -t 0.05 _ <> <(:) || true
    done
    fail "the server did not come up: $*"
}
stop() {
    kill -TERM "$pid"
    local status=0
    wait "$pid" || status=$?
    [ "$status" -eq 0 ] || { cat "$work/server.log" >&2; fail "the server ended with $status"; }
}
ask() { # FILE PATH [CURL-ARGUMENTS]: prints the status; the body is in answer
    curl --silent --show-error --unix-socket "$socket" -H 'Content-Type: application/json' \
        --data-binary "@$1" -o answer -w '%{http_code}' "${@:3}" "http://localhost$2"
}
same() { [ "$1" = "$2" ] || fail "$3: \`$1\`, wanted \`$2\`"; }

step '1. what it says where it cannot start'
mkdir -m 777 open
printf 'short\n' > short
printf '%s' "$(head -c 48 /dev/zero | tr '\0' a)" > shown
chmod 644 shown
chmod 600 short
printf 'no socket\n' > run/file
{
    while read -r words; do
        status=0
        # shellcheck disable=SC2086
        said=$("$hawser" serve ${words//WORK/$work} 2>&1 < /dev/null) || status=$?
        printf '$ hawser serve %s\nexit %s\n%s\n\n' "$words" "$status" "$said"
    done <<'WORDS'
--table policy.table
--table absent.table --socket WORK/run/a.sock
--table unit/policy.yaml --socket WORK/run/a.sock
--table policy.table --socket run/a.sock
--table policy.table --socket WORK/open/a.sock
--table policy.table --socket WORK/absent/a.sock
--table policy.table --socket WORK/run/file
--table policy.table --socket WORK/run/a.sock --group no-such-group
--table policy.table --socket WORK/run/a.sock --allow-user no-such-user
--table policy.table --group root --tcp 127.0.0.1:0 --token-file token
--table policy.table --tcp 127.0.0.1:8443
--table policy.table --tcp 0.0.0.0:8443 --token-file token
--table policy.table --tcp localhost:8443 --token-file token
--table policy.table --tcp 127.0.0.1:8443 --token-file token --allow-user root
--table policy.table --socket WORK/run/a.sock --token-file token
--table policy.table --tcp 127.0.0.1:http --token-file token
--table policy.table --tcp 127.0.0.1:8443 --token-file shown
--table policy.table --tcp 127.0.0.1:8443 --token-file short
--table policy.table --tcp 127.0.0.1:8443 --token-file absent
--table policy.table --socket WORK/run/a.sock --max-body 12
--table policy.table --socket WORK/run/a.sock --timeout 0
--table policy.table --socket WORK/run/a.sock --stale-after 0
--table policy.table --socket WORK/run/a.sock --warn-when-stale
--table policy.table --socket WORK/run/a.sock --require-state
--table policy.table --socket WORK/run/a.sock --threshold 2
--table policy.table --socket WORK/run/a.sock --trusted-key nobody
--table policy.table --socket WORK/run/a.sock --allow-port 8888
--table policy.table --socket WORK/run/a.sock --fetch --allow-network 10.0.0.1/8
WORDS
} > starts.raw
# The words stand for this run's folder in the golden, and the other way round when they are used.
sed "s#$work#WORK#g" starts.raw > starts.txt
if [ -n "${UPDATE_GOLDEN:-}" ]; then cp starts.txt "$here/starts.txt"; fi
diff -u "$here/starts.txt" starts.txt || fail 'other words than those of serve/starts.txt'
[ ! -e run/a.sock ] || fail 'a start that failed left a socket behind'

step '1b. a folder of CRLite filters'
quiet openssl x509 -req -in leaf.csr -CA root.pem -CAkey ca.key -out filtered.pem -days 20 -extfile <(
    cat leaf.ext
    python3 "$here/../filters.py" timestamp
)
mkdir filtered
cp root.pem filtered/
sed 's/    anchors: \[root\]/&\n    revocation: { preset: require, sources: [crlite], scope: leaf }/' unit/policy.yaml \
    > filtered/policy.yaml
"$hawser" compile filtered -o policy.table > /dev/null
python3 - "$here" <<'PY'
import sys
sys.path.insert(0, sys.argv[1])
from server import question
open("filtered.json", "wb").write(question("api.serve.example", "filtered.pem"))
PY
start --socket "$socket" --crlite-directory filters
grep 'the CRLite filters cannot be asked' server.log | grep -q 'code=not-found' || fail "a folder that is missing is not said: $(cat server.log)"
same "$(ask filtered.json /v1/evaluate)" 403 'filters that are missing'
grep -q '"id":"revocation-undetermined"' answer || fail "filters that are missing: $(cat answer)"
python3 "$here/../filters.py" fill filters root.pem good
same "$(ask filtered.json /v1/evaluate)" 200 'filters without the certificate'
python3 "$here/../filters.py" fill filters root.pem revoked
# A thread reads the new index; until then the former one answers.
for _ in $(seq 200); do
    [ "$(ask filtered.json /v1/evaluate)" = 200 ] || break
    read -r -t 0.05 _ <> <(:) || true
done
same "$(ask filtered.json /v1/explain)" 403 'an explanation of a reject'
grep -q '"id": "revoked"' answer || fail "filters with the certificate: $(cat answer)"
grep -q 'revoked.filter' answer || fail 'the explanation does not name the file'
grep -q "$(sha256sum filters/revoked.filter | cut -d' ' -f1)" answer || fail 'the explanation does not name the digest'
stop
cp good.table policy.table

step '2. real clients'
start --socket "$socket"
same "$(ask accept.json /v1/evaluate)" 200 'curl, a good chain'
same "$(ask reject.json /v1/evaluate)" 403 'curl, another host'
grep -q '"id":"no-applicable-rule"' answer || fail 'the verdict does not say why'
if ask reject.json /v1/evaluate --fail > /dev/null 2> curl.log; then
    fail '`curl --fail` takes a reject for success'
fi
same "$(stat -c %a "$socket")" 660 'the mode of the socket'
at=$(date -u +%Y-%m-%dT%H:%M:%SZ)
for name in accept reject; do
    host=$([ "$name" = accept ] && echo api.serve.example || echo www.serve.example)
    sed "s/^{/{\"time\": \"$at\", /" "$name.json" > dated.json
    ask dated.json /v1/explain > /dev/null
    python3 - "$name" <<'PY' || fail "/v1/explain"
import json
assert json.load(open("answer"))["verdict"] == __import__("sys").argv[1]
PY
    status=0
    "$hawser" explain "$host:443" --table good.table --chain leaf.pem --at "$at" \
        --tls-version tls1.3 --format json > command.json || status=$?
    # The command assumes the TLS parameters that a caller here observed.
    sed 's/"observed"/"assumed"/' dated.json > assumed.json
    ask assumed.json /v1/explain > /dev/null
    python3 - <<'PY' || fail 'an explanation that is not that of the command'
import json
served, printed = json.load(open("answer")), json.load(open("command.json"))
# The command states its assumptions in words, and proves its repairs on the policy's text where it
# has the text. Its additions are not part of the trace.
for document in (served, printed):
    del document["assumptions"]
    for addition in ["commands", "certificates", "pinPlaces"]:
        document.pop(addition, None)
assert served == printed, (served, printed)
PY
    printf '{"host":"%s"}' "$host" > host.json
    same "$(ask host.json /v1/show)" 200 "the rule of $host"
    "$hawser" show "$host" --table good.table --format json 2> /dev/null | diff - answer || fail 'a rule that is not that of the command'
done
clients=(python3)
cat > ask.py <<'PY'
import json, sys
sys.path.insert(0, sys.argv[1])
from server import UnixConnection, question
connection = UnixConnection(sys.argv[2])
connection.request("POST", "/v1/evaluate", question(sys.argv[3], sys.argv[4]), {"Content-Type": "application/json"})
answer = connection.getresponse()
print(answer.status, json.loads(answer.read())["verdict"])
sys.exit(0 if answer.status == 200 else 1)
PY
asked() { # CLIENT HOST
    case $1 in
    python3) python3 ask.py "$here" "$socket" "$2" leaf.pem ;;
    java) java "$here/Ask.java" "$socket" "$2" leaf.pem ;;
    ruby) ruby "$here/ask.rb" "$socket" "$2" leaf.pem ;;
    php) php "$here/ask.php" "$socket" "$2" leaf.pem ;;
    esac
}
for client in java ruby php; do
    if command -v "$client" > /dev/null; then clients+=("$client"); else echo "skipped: no $client"; fi
done
for client in "${clients[@]}"; do
    status=0
    said=$(asked "$client" api.serve.example) || status=$?
    same "$status $said" '0 200 accept' "$client, a good chain"
    status=0
    said=$(asked "$client" www.serve.example) || status=$?
    same "$status $said" '1 403 reject' "$client, another host"
    echo "  $client: 200 accept, 403 reject"
done

step '3. a new table, and one that is refused'
epoch() { curl -sS --unix-socket "$socket" http://localhost/readyz | python3 -c 'import json,sys; print(json.load(sys.stdin)["epoch"])'; }
same "$(epoch)" 1 'the first epoch'
cp none.table new && mv new policy.table
until_epoch() { for _ in $(seq 400); do [ "$(epoch)" = "$1" ] && return; read -r -t 0.05 _ <> <(:) || true; done; fail "no epoch $1"; }
until_epoch 2
same "$(ask accept.json /v1/evaluate)" 403 'a good chain under a table that denies'
printf 'no table' > new && mv new policy.table
kill -HUP "$pid"
for _ in $(seq 400); do
    curl -sS --unix-socket "$socket" http://localhost/readyz | grep -q '"refused":{' && break
    read -r -t 0.05 _ <> <(:) || true
done
curl -sS --unix-socket "$socket" http://localhost/readyz | grep -q '"refused":{' || fail 'a refused table is not told'
cp good.table new && mv new policy.table
until_epoch 3
same "$(ask accept.json /v1/evaluate)" 200 'a good chain under the first table again'
curl -sS --unix-socket "$socket" http://localhost/metrics > metrics
tail -n 1 metrics | grep -qx '# EOF' || fail 'the metrics have no end'
stop
[ ! -e "$socket" ] || fail 'the socket is left behind'

if [ "$(id -u)" = 0 ]; then
    step '3. other users'
    as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
    chmod 755 run
    cp accept.json shown.json
    chmod 644 shown.json
    other() {
        as_nobody curl -sS --unix-socket "$socket" -H 'Content-Type: application/json' \
            --data-binary "@$work/shown.json" -o /dev/null -w '%{http_code}' http://localhost/v1/evaluate
    }
    start --socket "$socket"
    if other > /dev/null 2>&1; then fail 'another user reaches the socket'; fi
    stop
    start --socket "$socket" --group 65534
    same "$(other)" 200 'a member of the group'
    stop
    start --socket "$socket" --group 65534 --allow-user root
    same "$(other)" 403 'a member of the group who may not ask'
    same "$(ask accept.json /v1/evaluate)" 200 'a user who may ask'
    stop
    start --socket "$socket" --group 65534 --allow-user nobody
    same "$(other)" 200 'a user who may ask'
    same "$(ask accept.json /v1/evaluate)" 403 'root, who may not ask'
    stop
else
    echo 'skipped: other users, which needs root'
fi

step '3. a socket that is handed over'
cat > activate.py <<'PY'
import os, socket, sys
path, *command = sys.argv[1:]
listening = socket.socket(socket.AF_UNIX)
listening.bind(path)
listening.listen(64)
if listening.fileno() != 3:
    os.dup2(listening.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(command[0], command)
PY
handed=$work/run/handed.sock
: > server.log
python3 activate.py "$handed" "$hawser" serve --table policy.table > server.log 2>&1 &
pid=$!
children+=("$pid")
# The socket takes connections before the server is there.
for _ in $(seq 400); do [ -S "$handed" ] && break; read -r -t 0.05 _ <> <(:) || true; done
same "$(curl -sS --retry 5 --retry-connrefused --unix-socket "$handed" -o /dev/null -w '%{http_code}' http://localhost/readyz)" 200 'a socket that is handed over'
stop
[ -S "$handed" ] || fail 'a socket that another program made was removed'

step '4. TCP with a token, and schemathesis'
start --tcp 127.0.0.1:0 --token-file token
port=$(sed -n 's/.*listening on 127.0.0.1:\([0-9]*\);.*/\1/p' server.log)
[ -n "$port" ] || fail 'no port'
tcp() { curl -sS -o answer -w '%{http_code}' -H 'Content-Type: application/json' --data-binary @accept.json "$@" "http://127.0.0.1:$port/v1/evaluate"; }
same "$(tcp)" 401 'no token'
same "$(tcp -H "Authorization: Bearer $(cat token)")" 200 'the token'
same "$(tcp -H "Authorization: Bearer $(cat token)" -H 'Host: rebound.example')" 421 'another Host'
same "$(tcp -H "Authorization: Bearer $(cat token)" -H 'Origin: https://page.example')" 403 'a page in a browser'
python3 -m venv venv
venv/bin/pip install --quiet 'schemathesis>=4,<5'
# A question that is accepted is an example, so that accepts are held to the document too.
python3 - "$root/grammar/serve.openapi.json" <<'PY'
import json, sys
document = json.load(open(sys.argv[1]))
for path in ("/v1/evaluate", "/v1/explain"):
    body = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    body["examples"] = {name: {"value": json.load(open(f"{name}.json"))} for name in ("accept", "reject")}
rule = document["paths"]["/v1/show"]["post"]["requestBody"]["content"]["application/json"]
rule["examples"] = {"rule": {"value": {"host": "api.serve.example"}}}
json.dump(document, open("openapi.json", "w"))
PY
status=0
venv/bin/schemathesis run openapi.json --url "http://127.0.0.1:$port" \
    -H "Authorization: Bearer $(cat token)" --max-examples "$examples" --seed 23 \
    --generation-database none --no-color > schemathesis.log 2>&1 || status=$?
if [ "$status" -ne 0 ]; then
    tail -n 150 schemathesis.log >&2
    fail 'schemathesis'
fi
tail -n 12 schemathesis.log
same "$(tcp -H "Authorization: Bearer $(cat token)")" 200 'after schemathesis'
if command -v wrk > /dev/null; then
    cat > ask.lua <<LUA
wrk.method = "POST"
wrk.body = io.open("accept.json", "rb"):read("*a")
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer $(cat token)"
wrk.headers["Host"] = "127.0.0.1:$port"
LUA
    wrk -t 2 -c 16 -d "${seconds}s" -s ask.lua --latency "http://127.0.0.1:$port/v1/evaluate" > wrk.log
    cat wrk.log
    if grep -q 'Non-2xx\|Socket errors' wrk.log; then fail 'wrk met errors'; fi
fi
stop

step '5. 1,000 requests a second'
two=()
if command -v taskset > /dev/null && [ "$(nproc)" -gt 1 ]; then two=(taskset -c 0,1); fi
start --socket "$socket"
if [ ${#two[@]} -gt 0 ]; then taskset -a -c -p 0,1 "$pid" > /dev/null; fi
${two[@]+"${two[@]}"} python3 "$here/load.py" rate "$socket" 1000 "$seconds" 16 accept.json reject.json
stop

step '6. kill -9 and SIGTERM under load'
serve=("$hawser" serve --table "$work/policy.table" --socket "$socket")
python3 "$here/load.py" kills "$work/run" "$times" 6 accept.json reject.json -- "${serve[@]}"
python3 "$here/load.py" stops "$work/run" "$times" 6 accept.json reject.json -- "${serve[@]}"

step '7. hostile bodies and connections'
python3 "$here/hostile.py" "$work/run" accept.json 200000 -- "${serve[@]}" \
    --timeout 3 --max-body 1048576 --max-connections 64 --max-connections-per-user 64

step '8. the units'
if command -v systemd-analyze > /dev/null; then
    mkdir units
    cp "$root"/Packaging/systemd/hawser-serve.{service,socket} units/
    # The command stands elsewhere here.
    sed -i "s#^ExecStart=/usr/bin/hawser #ExecStart=$hawser #" units/hawser-serve.service
    systemd-analyze verify units/hawser-serve.service units/hawser-serve.socket > verify.log 2>&1 || status=$?
    # The manual page is not installed here.
    if grep -v "Command 'man hawser(1)' failed" verify.log | grep -q 'hawser-serve'; then
        cat verify.log >&2
        fail 'systemd-analyze verify'
    fi
    systemd-analyze security --offline=yes --threshold=10 --no-pager units/hawser-serve.service > exposure.log 2>&1 \
        || { cat exposure.log >&2; fail 'the unit is more exposed than it was'; }
    tail -n 2 exposure.log
else
    echo 'skipped: no systemd-analyze'
fi
echo 'hawser serve: every step passed'
