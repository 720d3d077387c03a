#!/usr/bin/env bash
# A release as its users meet it: the files that `make dist` has written.
#
#   Tests/Integration/dist.sh [DIST [PART...]]      by default `dist`, and every part
#
# signature  the commands of SECURITY.md, with a throw-away key: they pass, and refuse each file
#            with one bit flipped, another list, another signature and another key
# bills      SPDX and CycloneDX by the readers of PyPI, for the minimum elements of NTIA
# packages   lintian, rpm
# tarball    in a bare Debian: init, lint, explain, serve, without a network
# debian     in a bare Debian: the C example by pkg-config, `hawser run -- curl`; removed without a
#            trace
# image      skopeo, umoci, and the command in the unpacked image, without a network
# wheels     installed, used, removed: nothing stays behind
# npm        the same for the npm package, without a registry
# jars       the JVM package judges a chain under the JDK that is found
# module     the Go module from a proxy that is a folder
#
# DEBIAN_ROOT=FOLDER is a bare Debian that debootstrap has made; without it the script makes one.
#
# As root, with debootstrap, jq, lintian, minisign, Node, npm, a JDK of 22 or later, rpm, skopeo,
# umoci and the network (Debian, PyPI).
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
dist=$(realpath "${1:-$root/dist}")
parts=("${@:2}")
[ ${#parts[@]} -gt 0 ] || parts=(signature bills packages tarball debian image wheels npm jars module)
[ -e "$dist/SHA256SUMS" ] || { echo "there is no $dist/SHA256SUMS: run make dist" >&2; exit 2; }
export LC_ALL=C.UTF-8 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
chmod 755 "$work"
server=
finish() {
    # The server is the child of unshare, which ignores signals.
    if [ -n "$server" ]; then pkill --signal KILL --parent "$(pgrep --parent "$server")" || true; fi
    rm -rf --one-file-system "$work"
}
trap finish EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
step() { printf '\n== %s\n' "$1"; }
quiet() { "$@" >"$work/said" 2>&1 || { tail -n 40 "$work/said" >&2; fail "$*"; }; }
machine=$(uname -m)
version=$(python3 "$root/Packaging/dist/versions.py" --print)
stem=hawser-$version
provenance=$stem-$machine.provenance.json
mapfile -t files < <(sed 's/^[0-9a-f]*  //' "$dist/SHA256SUMS")

# block NAME: the commands of SECURITY.md behind this mark.
block() {
    awk -v mark="<!-- run by Tests/Integration/dist.sh: $1 -->" \
        '$0 == mark { found = 1; next } found && /^```sh$/ { inside = 1; next } inside && /^```$/ { exit } inside' \
        "$root/.github/SECURITY.md" >"$work/block"
    [ -s "$work/block" ] || fail "SECURITY.md has no block $1"
    cat "$work/block"
}
# flip FILE: changes one bit, at a place that depends on the name and the size.
flip() {
    python3 - "$1" <<'PY'
import hashlib, os, sys
path = sys.argv[1]
size = os.path.getsize(path)
seed = int.from_bytes(hashlib.sha256(f"{os.path.basename(path)} {size}".encode()).digest()[:8], "big")
with open(path, "r+b") as file:
    file.seek(seed % size)
    octet = file.read(1)[0] ^ (1 << seed // size % 8)
    file.seek(seed % size)
    file.write(bytes([octet]))
PY
}

signature() {
    local name said signed checked
    mkdir "$work/keys"
    for name in maintainer stranger; do
        minisign -G -W -p "$work/keys/$name.pub" -s "$work/keys/$name.key" >/dev/null
    done
    cp -r "$dist" "$work/release"
    rm -f "$work/release/SHA256SUMS.minisig"
    if grep -qF '//git.example/' "$work/release/$provenance"; then
        if bash "$root/Packaging/dist/sign.sh" "$work/keys/maintainer.key" "$work/release" >"$work/said" 2>&1; then
            fail 'a release with placeholders is signed'
        fi
        grep -q placeholders "$work/said" || fail "not signed for another reason: $(cat "$work/said")"
    fi
    TRIAL=yes bash "$root/Packaging/dist/sign.sh" "$work/keys/maintainer.key" "$work/release" >/dev/null
    signed=$(block signature) checked=$(block provenance)
    verify() { (cd "$work/release" && bash -eo pipefail -c "$1") >"$work/said" 2>&1; }

    cp "$work/keys/maintainer.pub" "$work/release/minisign.pub"
    verify "$signed" || fail "the signed release is refused: $(cat "$work/said")"
    grep -q "^Trusted comment: hawser $version, commit [0-9a-f]\{40\}$" "$work/said" || fail "$(cat "$work/said")"
    [ "$(grep -c ': OK$' "$work/said")" = "${#files[@]}" ] || fail "not every file was looked at: $(cat "$work/said")"
    cat "$work/said"
    verify "$checked" || fail "the provenance differs from the files: $(cat "$work/said")"
    [ "$(tail -n 1 "$work/said")" = "$(sed -n 's/^trusted comment: .*commit //p' "$work/release/SHA256SUMS.minisig")" ] ||
        fail 'the provenance states another commit than the signature'

    # A reader with one file, which is not what was signed.
    mkdir "$work/whole"
    mv "$work/release" "$work/whole/release"
    local flipped=0 traced=0
    for name in "${files[@]}"; do
        rm -rf "$work/release"
        mkdir "$work/release"
        cp "$work"/whole/release/{SHA256SUMS,SHA256SUMS.minisig,minisign.pub,"$provenance"} "$work/release/"
        cp "$work/whole/release/$name" "$work/release/"
        flip "$work/release/$name"
        if verify "$signed"; then fail "$name with a bit flipped is accepted"; fi
        grep -qF "$name: FAILED" "$work/said" || fail "$name is refused for another reason: $(cat "$work/said")"
        printf 'a bit flipped: %s\n' "$(grep -F "$name: FAILED" "$work/said")"
        flipped=$((flipped + 1))
        if [ "$name" != "$provenance" ]; then
            if verify "$checked"; then fail "the provenance does not notice a bit flipped in $name"; fi
            traced=$((traced + 1))
        fi
    done
    refused() { # WHAT
        if verify "$signed"; then fail "$1 is accepted"; fi
        if grep -q ': OK$' "$work/said"; then fail "$1 does not end the commands: $(cat "$work/said")"; fi
        printf '%s: %s\n' "$1" "$(grep -v '^$' "$work/said" | tail -n 1)"
        rm -rf "$work/release"
        cp -r "$work/small" "$work/release"
    }
    mkdir "$work/small"
    cp "$work"/whole/release/{SHA256SUMS,SHA256SUMS.minisig,minisign.pub,"$provenance"} "$work/small/"
    rm -rf "$work/release"
    cp -r "$work/small" "$work/release"
    flip "$work/release/SHA256SUMS" && refused 'SHA256SUMS with a bit flipped'
    sed -i '1d' "$work/release/SHA256SUMS" && refused 'SHA256SUMS without a line'
    local line
    for line in 2 3 4; do
        # A word of the comment, or a letter of a signature in base64.
        sed -i "${line}s/: hawser /: hawker /;t;${line}s/^\(.\{40\}\)[A-M]/\1Z/;t;${line}s/^\(.\{40\}\)./\1A/" "$work/release/SHA256SUMS.minisig"
        cmp -s "$work/small/SHA256SUMS.minisig" "$work/release/SHA256SUMS.minisig" && fail "line $line is not changed"
        refused "SHA256SUMS.minisig with another line $line"
    done
    cp "$work/keys/stranger.pub" "$work/release/minisign.pub" && refused "a stranger's key"
    (cd "$work/release" && minisign -S -s "$work/keys/stranger.key" -m SHA256SUMS -t "hawser $version" >/dev/null)
    refused "a stranger's signature"
    printf '%s files: a bit flipped in each is refused; %s of them by the provenance too\n' "$flipped" "$traced"
    rm -rf "$work"/{release,whole,small}
}

bills() {
    python3 -m venv "$work/bills"
    "$work/bills/bin/pip" install --quiet spdx-tools ntia-conformance-checker 'cyclonedx-python-lib[json-validation]'
    "$work/bills/bin/pyspdxtools" -i "$dist/$stem-$machine.spdx.json"
    "$work/bills/bin/ntia-checker" "$dist/$stem-$machine.spdx.json" | tee "$work/said"
    grep -q '^Conformant: True$' "$work/said" || fail 'minimum elements are missing'
    "$work/bills/bin/python" - "$dist" "$stem-$machine" <<'PY'
import hashlib, json, pathlib, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
dist, stem = pathlib.Path(sys.argv[1]), sys.argv[2]
text = (dist / f"{stem}.cdx.json").read_text()
fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
assert fault is None, fault
cyclone, spdx = json.loads(text), json.loads((dist / f"{stem}.spdx.json").read_text())
libraries = {(part["name"], part["version"]) for part in cyclone["components"] if part["type"] == "library"}
packages = {(part["name"], part["versionInfo"]) for part in spdx["packages"] if part["primaryPackagePurpose"] == "LIBRARY"}
assert libraries == packages, libraries ^ packages
digests = {part["name"]: part["hashes"][0]["content"] for part in cyclone["components"] if part["type"] == "file"}
assert digests == {part["name"]: part["checksums"][0]["checksumValue"] for part in spdx["packages"] if "checksums" in part}
for name, digest in digests.items():
    assert hashlib.sha256((dist / name).read_bytes()).hexdigest() == digest, name
print(f"both bills have {len(libraries)} libraries and {len(digests)} files with their digests")
PY
}

packages() {
    lintian --fail-on error --tag-display-limit 0 "$dist"/*.deb | tee "$work/said"
    if grep -q '^E:' "$work/said"; then fail 'lintian has errors'; fi
    rpm -K --define "_dbpath $work/rpm" "$dist"/*.rpm
    cp "$dist"/*.rpm "$work/changed.rpm"
    flip "$work/changed.rpm"
    if rpm -K --define "_dbpath $work/rpm" "$work/changed.rpm"; then fail 'a changed package has good digests'; fi
    rpm -qp --define "_dbpath $work/rpm" --qf '%{NAME} %{VERSION} %{ARCH} %{BUILDHOST} %{BUILDTIME}\n' "$dist"/*.rpm
    mkdir "$work/rpm-root"
    (cd "$work/rpm-root" && rpm2cpio "$dist"/*.rpm | cpio -idm --quiet)
    "$work/rpm-root/usr/bin/hawser" version --verbose
}

# bare FOLDER: a Debian with nothing but its minimum.
bare() {
    if [ ! -d "$work/debian" ] && [ -n "${DEBIAN_ROOT:-}" ]; then cp -a "$DEBIAN_ROOT" "$work/debian"; fi
    if [ ! -e "$work/debian-made" ]; then
        local mirror
        mirror=$(apt-get indextargets --format '$(REPO_URI)' | head -n 1)
        [ -d "$work/debian" ] || quiet debootstrap --variant=minbase bookworm "$work/debian" "$mirror"
        # As this machine reaches Debian's packages.
        grep -lZ '^Acquire::' /etc/apt/apt.conf.d/* | xargs -0 -r cp -t "$work/debian/etc/apt/apt.conf.d/"
        printf 'deb %s bookworm main\n' "$mirror" >"$work/debian/etc/apt/sources.list"
        rm -f "$work/debian"/var/cache/apt/archives/*.deb
        touch "$work/debian-made"
    fi
    cp -a "$work/debian" "$1"
}
# inside ROOT COMMAND...: in the root, with /proc, without a network; with NETWORK=yes with one.
inside() {
    local share=(--mount --pid --fork)
    if [ "${NETWORK:-no}" = no ]; then share+=(--net); fi
    # shellcheck disable=SC2016
    unshare "${share[@]}" bash -c 'mount -t proc proc "$0/proc" && exec chroot "$0" /usr/bin/env -i PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' "$@"
}
# chain FOLDER: a root, a server's certificate for localhost, and a policy that accepts it.
chain() {
    mkdir -p "$1/unit"
    (
        cd "$1"
        quiet openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out unit/root.pem \
            -days 800 -subj '/CN=Dist Root' -addext basicConstraints=critical,CA:TRUE \
            -addext keyUsage=critical,keyCertSign,cRLSign
        quiet openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout leaf.key -out leaf.csr -subj '/CN=localhost'
        printf 'subjectAltName=DNS:localhost\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\nauthorityKeyIdentifier=keyid\n' >leaf.ext
        quiet openssl x509 -req -in leaf.csr -CA unit/root.pem -CAkey ca.key -out leaf.pem -days 20 -extfile leaf.ext
        printf 'hawser: 1\ndefault: deny\nanchors:\n  root: { files: [root.pem] }\nrules:\n  here:\n    hosts: ["localhost"]\n    owner: dist@acme.example\n    anchors: [root]\n' >unit/policy.yaml
        printf 'hawser: 1\ndefault: deny\n' >deny.yaml
    )
}

# starts ROOT PREFIX: the unit of the server starts a program that is there.
starts() {
    local program
    program=$(sed -n 's/^ExecStart=\([^ ]*\) .*/\1/p' "$1$2/lib/systemd/system/hawser-serve.service")
    [ "$program" = "$2/bin/hawser" ] && [ -x "$1$program" ] || fail "the unit starts \`$program\`, which is not there"
}

tarball() {
    local place=$work/tarball-root status
    bare "$place"
    mkdir "$place/got" && tar -xzf "$dist/$stem-linux-$machine.tar.gz" -C "$place/got"
    chain "$place/srv"
    # shellcheck disable=SC2016
    inside "$place" bash -c 'cd /got/* && eval "$(awk "/^\`\`\`/ { inside = !inside; next } inside && /^cp/" README.md)"'
    # The table as the page compiles it, and the program that the unit starts.
    # shellcheck disable=SC2016
    inside "$place" bash -c 'cd /got/* && eval "$(sed -n "s|POLICY|/srv/unit|; /^mkdir/p; /^hawser compile/p" README.md)"' >/dev/null
    rm -r "$place/got"
    starts "$place" /usr/local
    inside "$place" hawser version --verbose
    inside "$place" bash -c 'cd /srv && hawser init trust && hawser lint trust'
    printf 'lint: %s\n' "$(inside "$place" bash -c 'cd /srv && hawser lint unit && echo clean')"
    inside "$place" hawser explain localhost --policy /srv/unit --chain /srv/leaf.pem >"$work/said" || fail "$(cat "$work/said")"
    head -n 1 "$work/said"
    status=0
    inside "$place" hawser explain api.acme.example --policy /srv/unit --chain /srv/leaf.pem >"$work/said" || status=$?
    [ $status = 1 ] || fail "a host without a rule: status $status"
    head -n 1 "$work/said"
    # The server, asked by a program of this machine.
    mkdir -p "$place/run/hawser"
    inside "$place" hawser serve --table /etc/hawser/policy.table --socket /run/hawser/hawser.sock >"$work/serve" 2>&1 &
    server=$!
    for _ in $(seq 100); do
        [ ! -S "$place/run/hawser/hawser.sock" ] || break
        sleep 0.1
    done
    python3 - "$place/srv/leaf.pem" >"$work/body" <<'PY'
import json, sys
print(json.dumps({"host": "localhost", "chain": open(sys.argv[1]).read(), "tls": {"state": "observed", "version": "tls1.3"}}))
PY
    curl --silent --fail-with-body --unix-socket "$place/run/hawser/hawser.sock" --json "@$work/body" \
        http://localhost/v1/evaluate >"$work/said" || fail "the server: $(cat "$work/said" "$work/serve")"
    grep -o '"verdict":"[a-z]*"' "$work/said"
    status=0
    pkill --signal TERM --parent "$(pgrep --parent "$server")" || fail 'the server has ended'
    wait "$server" || status=$?
    server=
    [ $status = 0 ] || fail "the server ended with $status: $(cat "$work/serve")"
    rm -rf --one-file-system "$place"
}

# Every file of a root, but caches and the lists of dpkg and apt.
listed() { # ROOT
    (cd "$1" && find . -xdev \( -path ./proc -o -path ./var/cache -o -path ./var/lib/dpkg -o -path ./var/lib/apt -o -path ./var/log -o -path ./tmp \) -prune -o -print | sort)
}

debian() {
    local place=$work/debian-root status
    bare "$place"
    mkdir "$place/got"
    cp "$dist"/*.deb "$place/got/"
    cp "$root/Packaging/c/examples/c/verdict.c" "$place/got/"
    chain "$place/srv"
    NETWORK=yes quiet inside "$place" apt-get update -qq
    NETWORK=yes quiet inside "$place" apt-get install -y -qq --no-install-recommends gcc libc6-dev libssl-dev pkg-config ca-certificates curl openssl libyaml-0-2
    listed "$place" >"$work/before"
    quiet inside "$place" bash -c 'apt-get install -y -qq --no-install-recommends /got/*.deb'
    starts "$place" /usr
    inside "$place" hawser version --verbose
    inside "$place" bash -c 'cd /got && cc verdict.c $(pkg-config --cflags --libs hawser libcrypto) -o verdict && hawser compile /srv/unit -o policy.table >/dev/null && ./verdict --table policy.table --host localhost --chain /srv/leaf.pem' >"$work/said" || fail "$(cat "$work/said")"
    printf 'the C example: %s\n' "$(head -n 1 "$work/said")"
    [ "$(head -n 1 "$work/said")" = accept ] || fail 'the C example does not accept'
    cat >"$place/got/run.sh" <<'SH'
port=$1
cd /srv
openssl s_server -accept "127.0.0.1:$port" -cert leaf.pem -key leaf.key -www -quiet >/dev/null 2>&1 &
trap 'kill %1' EXIT
for _ in $(seq 100); do (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.1; done
hawser run --policy unit -- curl --silent --show-error -o /dev/null -w 'accepted: HTTP %{http_code}\n' "https://localhost:$port/"
status=0
hawser run --policy deny.yaml -- curl --silent --show-error "https://localhost:$port/" || status=$?
echo "refused: curl ends with $status"
[ $status != 0 ]
SH
    # With the loopback of this machine.
    local port
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    NETWORK=yes inside "$place" bash -e /got/run.sh "$port" 2>&1 | tee "$work/said"
    grep -q '^accepted: HTTP 200' "$work/said" || fail 'hawser run does not accept'
    grep -q "^hawser run: curl.*refused localhost:$port" "$work/said" || fail 'hawser run does not refuse'
    # As on a machine with systemd: an upgrade restarts the server, and a removal stops it. The
    # command is where apt's PATH finds it.
    printf '#!/bin/sh\necho "$*" >>/tmp/asked\n' >"$place/usr/bin/systemctl"
    chmod 755 "$place/usr/bin/systemctl"
    mkdir -p "$place/run/systemd/system"
    quiet inside "$place" apt-get install -y -qq --no-install-recommends --reinstall "/got/hawser_${version}_$(dpkg --print-architecture).deb"
    grep -qx 'try-restart hawser-serve.service' "$place/tmp/asked" || fail "an upgrade does not restart the server: $(cat "$place/tmp/asked")"
    quiet inside "$place" apt-get purge -y -qq hawser libhawser0 libhawser-dev
    grep -qx 'stop hawser-serve.socket hawser-serve.service' "$place/tmp/asked" ||
        fail "a removal does not stop the server: $(cat "$place/tmp/asked")"
    rm -r "$place/usr/bin/systemctl" "$place/run/systemd" "$place/tmp/asked"
    rm -rf "$place/got"
    mkdir "$place/got"
    listed "$place" >"$work/after"
    diff "$work/before" <(cat "$work/after") >"$work/said" || true
    # The empty folder `got` is the test's own; what was in it is gone on purpose.
    if grep -v '^[0-9]\|/got/' "$work/said" | grep -q '^[<>]'; then cat "$work/said"; fail 'something stays behind'; fi
    echo 'removed: nothing stays behind'
    rm -rf --one-file-system "$place"
}

image() {
    local archive=$dist/$stem-oci-$machine.tar
    skopeo inspect "oci-archive:$archive" | jq -r '"\(.Architecture) \(.Os) \(.Created) \(.Layers | length) layer"'
    skopeo inspect --config "oci-archive:$archive" | jq -c .config
    [ "$(skopeo inspect --config "oci-archive:$archive" | jq -r .config.User)" = 65532:65532 ] || fail 'the user is not 65532'
    mkdir "$work/layout"
    tar -xf "$archive" -C "$work/layout"
    quiet umoci unpack --image "$work/layout:$version" "$work/bundle"
    local rootfs=$work/bundle/rootfs
    cp -r "$root/policies/startup-pin-files" "$rootfs/policy"
    # shellcheck disable=SC2016
    unshare --net bash -c 'exec chroot --userspec=65532:65532 "$0" /hawser lint /policy' "$rootfs" || [ $? = 1 ]
    chroot "$rootfs" /hawser version --verbose
    # A layer with one bit flipped.
    local layer
    layer=$(jq -r '.layers[0].digest' "$work/layout/blobs/sha256/$(jq -r '.manifests[0].digest' "$work/layout/index.json" | cut -d : -f 2)")
    flip "$work/layout/blobs/sha256/${layer#sha256:}"
    if skopeo copy --quiet "oci:$work/layout:$version" "oci:$work/copied:$version" >"$work/said" 2>&1; then fail 'a changed layer is copied'; fi
    printf 'a bit flipped in the layer: %s\n' "$(tail -n 1 "$work/said" | cut -c 1-160)"
}

wheels() {
    local name
    for name in hawser_cli hawser_tls; do
        python3 -m venv "$work/$name"
        (cd "$work/$name" && find . | sort) >"$work/before"
        "$work/$name/bin/pip" install --quiet --no-index "$dist/$name"-*.whl
        case $name in
        hawser_cli) "$work/$name/bin/hawser" version --verbose ;;
        hawser_tls)
            chain "$work/wheel"
            "$work/hawser_cli-used" compile "$work/wheel/unit" -o "$work/wheel/policy.table" >/dev/null
            "$work/$name/bin/python" - "$work/wheel/policy.table" <<'PY'
import sys
import hawser_tls
store = hawser_tls.Store(sys.argv[1])
print("hawser_tls", hawser_tls.__version__ if hasattr(hawser_tls, "__version__") else "", type(hawser_tls.SSLContext(store)).__name__)
PY
            ;;
        esac
        [ $name != hawser_cli ] || cp "$work/$name/bin/hawser" "$work/hawser_cli-used"
        "$work/$name/bin/pip" uninstall --quiet --yes "${name/_/-}"
        (cd "$work/$name" && find . | sort) >"$work/after"
        diff "$work/before" "$work/after" || fail "$name leaves something behind"
        cp "$dist/$name"-*.whl "$work/"
        local wheel digest
        wheel=$(echo "$work/$name"-*.whl) digest=$(sha256sum "$dist/$name"-*.whl | cut -d ' ' -f 1)
        flip "$wheel"
        if "$work/$name/bin/pip" install --quiet --no-index "${name/_/-} @ file://$wheel#sha256=$digest" >"$work/said" 2>&1; then
            fail "$name with a bit flipped is installed"
        fi
        printf '%s: removed without a trace; with a bit flipped: %s\n' "$name" "$(grep -i 'hash' "$work/said" | head -n 1)"
    done
}

# table FOLDER: the chain, and its policy compiled by the command of the release.
table() {
    chain "$1"
    mkdir "$1/command"
    tar -xzf "$dist/$stem-linux-$machine.tar.gz" -C "$1/command"
    "$1"/command/*/bin/hawser compile "$1/unit" -o "$1/policy.table" >/dev/null
}

npm() {
    local place=$work/npm said
    mkdir -p "$place/program"
    table "$place"
    (cd "$place/program" && command npm init --yes >/dev/null)
    # npm leaves its lock file, and removes the package's folder.
    install() { (cd "$place/program" && command npm "$@" --offline --no-audit --no-fund --no-update-notifier --cache "$place/cache") >"$work/said" 2>&1; }
    install install "$dist/hawser-tls-$version.tgz" || fail "npm: $(cat "$work/said")"
    cat >"$place/program/judge.js" <<'JS'
const { readFileSync } = require('node:fs');
const hawser = require('hawser-tls');
const store = new hawser.Store(process.argv[2]);
const der = Buffer.from(readFileSync(process.argv[3], 'latin1').split('-----')[2], 'base64');
for (const host of ['localhost', 'other.example']) {
  console.log(host, store.evaluate(host, [der], { tls: 'observed', version: 0x0304 }).accepted);
}
JS
    (cd "$place/program" && node judge.js "$place/policy.table" "$place/leaf.pem") >"$work/said" 2>&1 || fail "hawser-tls: $(cat "$work/said")"
    cat "$work/said"
    grep -qx 'localhost true' "$work/said" && grep -qx 'other.example false' "$work/said" || fail 'hawser-tls judges otherwise'
    # The digest that npm has written down is asked when a lock file installs; the cache would have
    # the good octets.
    cp "$dist/hawser-tls-$version.tgz" "$place/"
    flip "$place/hawser-tls-$version.tgz"
    sed -i "s|file:[^\"]*hawser-tls-$version.tgz|file:$place/hawser-tls-$version.tgz|" "$place/program/package-lock.json" "$place/program/package.json"
    rm -rf "$place/program/node_modules" "$place/cache"
    if install ci; then fail 'hawser-tls with a bit flipped is installed'; fi
    said=$(grep -m 1 -o 'EINTEGRITY\|TAR_[A-Z_]*\|zlib.*' "$work/said") || fail "npm refuses it for another reason: $(cat "$work/said")"
    install uninstall hawser-tls || fail "npm: $(cat "$work/said")"
    [ ! -e "$place/program/node_modules/hawser-tls" ] || fail 'npm leaves the package behind'
    printf 'hawser-tls: removed without a trace; with a bit flipped: %s\n' "$said"
}

jars() {
    local place=$work/jars jdk
    source "$root/Tests/Integration/find-java.sh"
    find_jdk
    [ -n "$jdk" ] || fail "$no_jdk"
    mkdir -p "$place/temporary"
    table "$place"
    cat >"$place/Judge.java" <<'JAVA'
import hawser.tls.*;
import java.io.FileInputStream;
import java.nio.file.Path;
import java.security.cert.*;
import java.util.List;

class Judge {
    public static void main(String[] words) throws Exception {
        try (var store = Store.open(Path.of(words[0])); var file = new FileInputStream(words[1])) {
            var leaf = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(file);
            for (String host : List.of("localhost", "other.example")) {
                System.out.println(host + " " + store.evaluate(
                    new Request(host, 443).chain(leaf).tls(Request.Tls.OBSERVED).version(0x0304)).accepted());
            }
        }
    }
}
JAVA
    "$jdk/bin/java" -Djava.io.tmpdir="$place/temporary" --enable-native-access=ALL-UNNAMED -cp "$dist/hawser-tls-$version.jar" \
        "$place/Judge.java" "$place/policy.table" "$place/leaf.pem" >"$work/said" 2>&1 || fail "the jar: $(cat "$work/said")"
    cat "$work/said"
    grep -qx 'localhost true' "$work/said" && grep -qx 'other.example false' "$work/said" || fail 'the jar judges otherwise'
    [ -z "$(ls -A "$place/temporary")" ] || fail "the jar leaves $(ls -A "$place/temporary") behind"
    "$jdk/bin/jar" --validate --file "$dist/hawser-tls-$version-sources.jar"
    "$jdk/bin/jar" --list --file "$dist/hawser-tls-$version-javadoc.jar" | grep 'hawser/tls/Store.html$' || fail 'the javadoc has no Store'
    grep -q "<version>$version</version>" "$dist/hawser-tls-$version.pom" || fail 'the POM states another version'
}

module() {
    local name module place proxy=$work/proxy system=$work/system
    module=$(sed -n 's/^module //p' "$root/Packaging/go/go.mod")
    # A proxy writes a capital as an exclamation mark and the small letter.
    place=$proxy/$(sed 's/[A-Z]/!\l&/g' <<<"$module")/@v
    mkdir -p "$place" "$work/program"
    cp "$dist/hawser-go-$version.zip" "$place/v$version.zip"
    cp "$root/Packaging/go/go.mod" "$place/v$version.mod"
    printf '{"Version":"v%s"}\n' "$version" >"$place/v$version.info"
    printf 'v%s\n' "$version" >"$place/list"
    for name in libhawser0 libhawser-dev; do dpkg-deb -x "$dist/$name"_*.deb "$system"; done
    (
        source "$root/Tests/Integration/find-go.sh"
        find_go "$work"
        cd "$work/program"
        export GOPROXY=file://$proxy GOSUMDB=off GOFLAGS="-mod=mod -modcacherw" GOPATH=$work/gopath GOCACHE=$work/gocache
        export PKG_CONFIG_SYSROOT_DIR=$system PKG_CONFIG_PATH=$(echo "$system"/usr/lib/*/pkgconfig)
        # The module lets the linker have only what pkg-config prints.
        export CGO_LDFLAGS_ALLOW='.*'
        quiet "$go" mod init program.example/program
        quiet "$go" get "$module@v$version"
        printf 'package main\n\nimport (\n\t"fmt"\n\t"os"\n\n\thawser "%s"\n)\n\nfunc main() {\n\t_, err := hawser.Open(os.Args[1], hawser.Options{})\n\tfmt.Println(err)\n}\n' "$module" >main.go
        quiet "$go" build -o program .
        "$go" list -m "$module"
        LD_LIBRARY_PATH=$(dirname "$(echo "$system"/usr/lib/*/libhawser.so.0)") ./program "$work/absent.table"
    )
}

for part in "${parts[@]}"; do
    step "$part"
    "$part"
done
printf '\n== all passed\n'
