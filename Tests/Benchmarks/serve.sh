#!/usr/bin/env bash
# A round trip to `hawser serve` beside a call of the C interface, for the same question with the
# same chain again and again, in one interleaved run: medians in microseconds, as Markdown.
#
#   Tests/Benchmarks/serve.sh HAWSER [ROUNDS [SERVER]]     the command; ROUNDS, by default 9; the
#                                                          server's executable, else it is built
#
# Client and server each have a thread or two, on one machine; a client asks, waits and asks again.
# LIBRARY=FOLDER takes libhawser from there (lib and include) and does not build it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:?the command}")
rounds=${2:-9}
server=${3:-}
cd "$root"
if [ -z "$server" ]; then
    # A kept build of a nested package does not see new files of the root: the plan is made each
    # time.
    nested=(-c release --package-path Sources/Integrations/Serve --disable-build-manifest-caching)
    swift build "${nested[@]}" --product hawser-serve >&2
    server=$(swift build "${nested[@]}" --show-bin-path)/hawser-serve
fi
dist=${LIBRARY:-$root/.build-c/dist}
[ -n "${LIBRARY:-}" ] || bash Packaging/c/build.sh >&2
work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid"; wait; rm -rf "$work"' EXIT
cc -O2 -Wall -Wextra -Werror -I"$dist/include" Tests/Benchmarks/service/verdicts.c -o "$work/verdicts" \
    -L"$dist/lib" -lhawser -lpthread -Wl,-rpath,"$dist/lib"
cc -O2 -D_GNU_SOURCE -Wall -Wextra -Werror Tests/Benchmarks/serve/round-trip.c -o "$work/round-trip"

cd "$work"
quiet() { "$@" > openssl.log 2>&1 || { cat openssl.log >&2; exit 1; }; }
key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
quiet openssl req -x509 "${key[@]}" -keyout ca.key -out root.pem -days 30 -subj '/CN=Round Trip Root' \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
quiet openssl req "${key[@]}" -keyout issuing.key -out issuing.csr -subj '/CN=Round Trip Issuing'
printf 'basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign\nauthorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash\n' > ca.ext
quiet openssl x509 -req -in issuing.csr -CA root.pem -CAkey ca.key -out issuing.pem -days 25 -extfile ca.ext
quiet openssl req "${key[@]}" -keyout leaf.key -out leaf.csr -subj '/CN=api.serve.example'
printf 'subjectAltName=DNS:api.serve.example\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\nauthorityKeyIdentifier=keyid\n' > leaf.ext
quiet openssl x509 -req -in leaf.csr -CA issuing.pem -CAkey issuing.key -out leaf.pem -days 20 -extfile leaf.ext
for name in leaf issuing; do openssl x509 -in "$name.pem" -outform DER -out "$name.der"; done
mkdir unit && cp root.pem unit/
printf 'hawser: 1\ndefault: deny\nanchors:\n  root: { files: [root.pem] }\nrules:\n  api:\n    hosts: ["api.serve.example"]\n    anchors: [root]\n' > unit/policy.yaml
"$hawser" compile unit -o policy.table > /dev/null
cat leaf.pem issuing.pem > chain.pem
python3 - "$root" <<'PY'
import sys
sys.path.insert(0, sys.argv[1] + "/Tests/Integration/serve")
from server import question, request
body = question("api.serve.example", "chain.pem")
open("evaluate", "wb").write(request(body))
open("explain", "wb").write(request(body, "/v1/explain"))
open("reject", "wb").write(request(question("www.serve.example", "chain.pem")))
open("health", "wb").write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
PY
"$server" --table policy.table --socket "$work/hawser.sock" 2> server.log &
pid=$!
for _ in $(seq 400); do grep -q 'listening on' server.log && break; read -r -t 0.05 _ <> <(:) || true; done
now=$(date +%s)
for round in $(seq "$rounds"); do
    rate=$(./verdicts 0 policy.table api.serve.example "$now" 20000 1 leaf.der issuing.der)
    python3 -c "print(1e6 / float('$rate'))" >> c
    ./round-trip hawser.sock health 200 5000 1 >> health.times
    ./round-trip hawser.sock evaluate 200 5000 1 >> kept
    ./round-trip hawser.sock evaluate 200 2000 0 >> opened
    ./round-trip hawser.sock reject 403 2000 1 >> rejected
    ./round-trip hawser.sock explain 200 1000 1 >> explained
    echo "round $round of $rounds" >&2
done
python3 - <<'PY'
import statistics
rows = [
    ("hawser_evaluate, the C interface", "c"),
    ("GET /healthz, a kept connection", "health.times"),
    ("POST /v1/evaluate, a kept connection: accept", "kept"),
    ("the same: reject", "rejected"),
    ("POST /v1/evaluate, a connection for each question", "opened"),
    ("POST /v1/explain, a kept connection", "explained"),
]
print("| | microseconds, median |")
print("|---|---:|")
for name, file in rows:
    print(f"| {name} | {statistics.median(float(line) for line in open(file)):.1f} |")
PY
