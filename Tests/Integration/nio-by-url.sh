#!/usr/bin/env bash
# A service's own package, outside of the checkout, that depends on Hawser by the URL of a bare
# repository of the commit that is checked out. With traits it builds, connects to a good server on
# loopback, and leaves a receipt, a report and a line of log of a host without a rule. Without a
# trait nothing of SwiftNIO is fetched, and with the trait `NIO` nothing of async-http-client. The
# server is `openssl s_server`. Needs the network (GitHub); openssl 3 is installed where it is
# missing.
#
#   Tests/Integration/nio-by-url.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
bash "$root/.ci/system-packages" openssl

scratch=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
    rm -rf "$scratch"
}
trap finish EXIT
cd "$scratch"
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

source "$root/Tests/Integration/port-of.sh"

# ---------------------------------------------------------------------- the repository
if [ -n "$(git -C "$root" status --porcelain)" ]; then
    echo 'the tree has changes; the commit is tried without them' >&2
fi
git init --quiet --bare hawser.git
git -C hawser.git fetch --quiet --depth 1 "file://$root" HEAD
git -C hawser.git branch main FETCH_HEAD
git -C hawser.git symbolic-ref HEAD refs/heads/main

# ---------------------------------------------------------------------- fetched packages
package() { # FOLDER TRAITS: the service's package with other traits
    mkdir "$1"
    sed -e "s|https://git.acme.example/hawser.git|file://$scratch/hawser.git|" \
        -e "s|traits: \[.*\]|traits: [$2]|" \
        "$root/Tests/Integration/nio-by-url/Package.swift" > "$1/Package.swift"
    cp "$root/Tests/Integration/nio-by-url/main.swift" "$1/"
}
fetched() { # FOLDER: the packages that are checked out, on one line
    (cd "$1/.build/checkouts" && echo *)
}
package bare ''
package nio '"NIO"'
package service '"AsyncHTTPClient"'
git clone --quiet "file://$scratch/hawser.git" clone
for folder in clone bare nio service; do
    swift package --package-path "$folder" resolve
    echo "$folder: $(fetched "$folder")"
done
for folder in clone bare; do
    case " $(fetched "$folder") " in *' swift-nio'*) fail 'SwiftNIO was fetched without a trait' ;; esac
done
case " $(fetched nio) " in *' async-http-client '*) fail 'the trait NIO fetched async-http-client' ;; esac

# ---------------------------------------------------------------------- the server
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout root.key -out root.pem \
    -days 30 -subj '/O=Acme/CN=Acme Root' -addext 'basicConstraints=critical,CA:TRUE' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' 2>/dev/null
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout leaf.key -out leaf.csr \
    -subj '/CN=localhost' 2>/dev/null
cat > leaf.ext <<'EXTENSIONS'
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=serverAuth
subjectAltName=DNS:localhost
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
EXTENSIONS
openssl x509 -req -in leaf.csr -CA root.pem -CAkey root.key -CAcreateserial -days 20 -sha256 \
    -extfile leaf.ext -out leaf.pem 2>/dev/null
openssl s_server -accept 127.0.0.1:0 -cert leaf.pem -key leaf.key -www > server.log 2>&1 &
server=$!
port=$(port_of server.log)
# In a folder of its own: every policy below its folder would belong to the unit.
mkdir unit
cp root.pem unit/
cat > unit/policy.yaml <<POLICY
hawser: 1
default: deny
anchors:
  acme: { files: [root.pem] }
rules:
  local:
    hosts: ["localhost:$port"]
    anchors: [acme]
  elsewhere: # a demand that NIOSSL cannot meet, for a host that this service never asks
    hosts: ["elsewhere.acme.example"]
    anchors: [acme]
    tls: { groups: [x448] }
POLICY

# ---------------------------------------------------------------------- the service
swift build --package-path service
"$(swift build --package-path service --show-bin-path)/billing" unit/policy.yaml "$port" > out 2> log \
    || { cat out log >&2; fail 'the service ended with an error'; }
cat out log

holds() { # FILE COUNT PATTERN
    local found
    found=$(grep -cE -- "$3" "$1" || true)
    [ "$found" = "$2" ] || fail "$found lines of $1 match $3, and not $2"
}
holds out 1 '^HTTP localhost: 200$'
holds out 1 '^NIO localhost: rule local$'
holds out 1 '^HTTP 127\.0\.0\.1: \["no-applicable-rule"\]$'
holds out 1 '^NIO 127\.0\.0\.1: \["no-applicable-rule"\]$'
# Every reject has a receipt and a line; the same report is made once.
holds out 2 '^record: .*"schema":"hawser/receipt/.*no-applicable-rule'
holds out 1 '^record: .*"schema":"hawser/report/.*no-applicable-rule'
holds log 2 'a connection was refused'
echo 'nio-by-url: built by URL, connected, and a host without a rule left its records'
