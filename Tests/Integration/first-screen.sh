#!/usr/bin/env bash
# Failing connections, each explained in a terminal of 80 columns and 24 rows. What the terminal
# shows when the command has ended must hold the verdict, whose side it is, the owner of the rule
# or of the set, the lines of the policy that decide, and an action. No screen has a caution without
# an action. The side in JSON is the first side of the screen. The servers are `openssl s_server` on
# loopback; the terminal is tmux. Needs openssl 3 and tmux, which it installs.
#
#   Tests/Integration/first-screen.sh [HAWSER [FOLDER]]   by default .build/release/hawser; every
#                                                         screen is kept in FOLDER, if it is given
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
bash "$root/.ci/system-packages" openssl tmux
kept=
if [ -n "${2:-}" ]; then mkdir -p "$2"; kept=$(realpath "$2"); fi

scratch=$(mktemp -d)
# A server of its own, so that nobody's session is touched.
screen() { env -u TMUX tmux -f /dev/null -S "$scratch/tmux" "$@"; }
children=()
finish() {
    screen kill-server 2>/dev/null || true
    for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap finish EXIT
cd "$scratch"
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

source "$root/Tests/Integration/port-of.sh"

# ---------------------------------------------------------------------- the certificates
authority() { # NAME CN: a root
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.pem" \
        -days 3650 -subj "/O=Acme/CN=$2" -addext 'basicConstraints=critical,CA:TRUE' \
        -addext 'keyUsage=critical,keyCertSign,cRLSign' 2>/dev/null
}
# Issues a certificate. DAYS is how long it is valid; FROM, if given, the day on which it begins.
issue() { # NAME CN ISSUER EXTENSIONS [DAYS [KEY...]]
    local name=$1 subject=$2 issuer=$3 extensions=$4 days=${5:-30}
    shift 4; shift $(( $# > 0 ? 1 : 0 ))
    local key=("$@")
    [ ${#key[@]} -gt 0 ] || key=(ec -pkeyopt ec_paramgen_curve:P-256)
    openssl req -newkey "${key[@]}" -nodes -keyout "$name.key" -out "$name.csr" -subj "$subject" 2>/dev/null
    printf '%b' "$extensions" > "$name.ext"
    openssl x509 -req -in "$name.csr" -CA "$issuer.pem" -CAkey "$issuer.key" -CAcreateserial -days "$days" \
        -sha256 -extfile "$name.ext" -out "$name.pem" 2>/dev/null
}
leaf() { # HOST: the extensions of a server's certificate
    printf '%s' "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\nsubjectAltName=DNS:$1\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n"
}
ca='basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n'

authority root 'Acme Root'
authority stranger 'Inspecting Proxy Root'
issue issuing '/O=Acme/CN=Acme Issuing' root "$ca" 1000
issue strange-issuing '/O=Elsewhere/CN=Proxy Issuing' stranger "$ca"
for host in www pinned old private-name; do
    issue "$host" "/CN=$host.acme.example" issuing "$(leaf "$host.acme.example")"
done
issue other-name '/CN=mail.acme.example' issuing "$(leaf mail.acme.example)"
issue proxied '/CN=www.acme.example' stranger "$(leaf www.acme.example)"
issue foreign '/CN=www.acme.example' strange-issuing "$(leaf www.acme.example)"
issue weak '/CN=www.acme.example' issuing "$(leaf www.acme.example)" 30 rsa:1024
issue no-san '/CN=www.acme.example' issuing \
    'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n'
# A root with a new name, a root of the old name with another key, and a stranger's.
authority new-root 'Acme Root 2027'
authority same-name 'Acme Root'
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout globex.key -out globex.pem \
    -days 3650 -subj '/O=Globex/CN=Globex Authority' -addext 'basicConstraints=critical,CA:TRUE' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' 2>/dev/null
issue new-issuing '/O=Acme/CN=Acme Issuing 2027' new-root "$ca"
issue same-issuing '/O=Acme/CN=Acme Issuing' same-name "$ca"
issue replaced '/CN=www.acme.example' new-issuing "$(leaf www.acme.example)"
issue reissued '/CN=www.acme.example' same-issuing "$(leaf www.acme.example)"
issue merged '/CN=www.acme.example' globex "$(leaf www.acme.example)"
# The first octet of a signature inverted: the certificate names the right key.
openssl x509 -in www.pem -outform DER | python3 -c '
import sys
octets = bytearray(sys.stdin.buffer.read()); octets[-1] ^= 1; sys.stdout.buffer.write(octets)
' | openssl x509 -inform DER -out altered.pem
cp www.key altered.key
# An intermediate that the policy offers and that has ended, and one of its name with another key.
issue lapsed-issuing '/O=Acme/CN=Acme Lapsed Issuing' root "$ca" 1
issue lapsed '/CN=lapsed.acme.example' lapsed-issuing "$(leaf lapsed.acme.example)" 60
issue rekeyed-old '/O=Acme/CN=Acme Rekeyed Issuing' root "$ca" 1000
cp rekeyed-old.pem offered-rekeyed.pem
issue rekeyed-new '/O=Acme/CN=Acme Rekeyed Issuing' root "$ca" 1000
issue rekeyed '/CN=rekeyed.acme.example' rekeyed-new "$(leaf rekeyed.acme.example)"
issue client '/CN=www.acme.example' issuing \
    "$(leaf www.acme.example | sed 's/serverAuth/clientAuth/')"
issue sha1 '/CN=www.acme.example' issuing "$(leaf www.acme.example)"
openssl x509 -req -in sha1.csr -CA issuing.pem -CAkey issuing.key -CAcreateserial -days 30 -sha1 \
    -extfile sha1.ext -out sha1.pem 2>/dev/null
issue limited-issuing '/O=Acme/CN=Acme Limited Issuing' root \
    "${ca}nameConstraints=critical,permitted;DNS:other.example\n"
issue limited '/CN=www.acme.example' limited-issuing "$(leaf www.acme.example)"
issue staple-owner '/CN=stapled.acme.example' issuing "$(leaf stapled.acme.example)"
issue stapled '/CN=stapled.acme.example' issuing \
    "$(leaf stapled.acme.example)tlsfeature=status_request\nauthorityInfoAccess=OCSP;URI:http://127.0.0.1:1/\n"
for host in other-set suites waived policies; do
    issue "$host" "/CN=$host.acme.example" issuing "$(leaf "$host.acme.example")"
done
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout own.key -out own.pem -days 30 \
    -subj '/CN=www.acme.example' -addext 'subjectAltName=DNS:www.acme.example' \
    -addext 'basicConstraints=critical,CA:FALSE' 2>/dev/null
# A host of 253 octets.
part=$(printf 'x%.0s' $(seq 60))
long="$part.$part.$part.$(printf 'y%.0s' $(seq 57)).acme.example"
# A CRL that revokes `private-name`.
serial=$(openssl x509 -in private-name.pem -noout -serial | cut -d= -f2)
printf 'R\t%s\t%s,keyCompromise\t%s\tunknown\t/CN=private-name.acme.example\n' \
    "$(date -u -d '+20 days' +%y%m%d%H%M%SZ)" "$(date -u -d '-1 hour' +%y%m%d%H%M%SZ)" "$serial" > index.txt
echo 01 > crlnumber
printf '[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\ncrlnumber=crlnumber\ndefault_md=sha256\ndefault_crl_days=20\n' > ca.cnf
openssl ca -config ca.cnf -gencrl -keyfile issuing.key -cert issuing.pem -out issuing.crl 2>/dev/null

cat > policy.yaml <<'POLICY'
hawser: 1
default: deny
anchors:
  acme:
    files: [root.pem]
    intermediates: [lapsed-issuing.pem, offered-rekeyed.pem]
    owner: pki
  globex:
    files: [globex.pem]
    owner: mergers
pins:
  acme:
    owner: key ceremony
    keys:
      old: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
    backups:
      spare: { spki: sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= }
    enforce-until: 2099-01-01
rules:
  acme:
    hosts:
      - "**.acme.example"
    anchors: [acme]
    owner: web team
    note: "the certificates are renewed by hand each spring; ask before anything is pinned"
  pinned:
    hosts:
      - "pinned.acme.example"
    anchors: [acme]
    pins: [acme]
    owner: payments
  modern:
    hosts:
      - "old.acme.example"
    anchors: [acme]
    tls: { minimum-version: tls1.3 }
    owner: infra
  suites:
    hosts:
      - "suites.acme.example"
    anchors: [acme]
    tls: { cipher-suites: [TLS_AES_256_GCM_SHA384, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384] }
    owner: infra
  waived:
    hosts:
      - "waived.acme.example"
    anchors: [acme]
    waivers:
      expired: { tolerance: 30d, reason: being renewed, owner: web team, until: 2026-02-01 }
    owner: web team
  policies:
    hosts:
      - "policies.acme.example"
    anchors: [acme]
    path: { certificate-policies: [1.3.6.1.4.1.99999.1], explicit-policy: required }
    owner: compliance
  acquired:
    hosts:
      - "merged.globex.example"
    anchors: [globex]
    owner: mergers
  revoking:
    hosts:
      - "private-name.acme.example"
    anchors: [acme]
    revocation: { preset: require, sources: [crl], scope: leaf, network: never }
    owner: security
POLICY
"$hawser" check . > compile.txt 2>&1 || fail "the policy: $(cat compile.txt)"

# ---------------------------------------------------------------------- servers and the terminal
serve() { # NAME LEAF [CHAIN] [OPTION...]: starts a server
    local name=$1 own=$2 chain=${3:-}
    shift 2; shift $(( $# > 0 ? 1 : 0 ))
    openssl s_server -accept 127.0.0.1:0 -cert "$own.pem" -key "$own.key" \
        ${chain:+-cert_chain "$chain.pem"} "$@" > "server-$name.log" 2>&1 < <(tail -f /dev/null --pid=$$) &
    children+=($!)
}

screen new-session -d -x 80 -y 24 -s explain "env -i PATH=/usr/bin:/bin TERM=screen PS1='$ ' bash --norc --noprofile"

shown=0
# Runs a command in the terminal and looks at the screen when it has ended.
flat=
asked=()
look() { # WHAT STATUS WORD... -- ARGUMENT...
    local what=$1 status=$2 words=() line visible
    shift 2
    while [ "$1" != -- ]; do words+=("$1"); shift; done
    shift
    rm -f status
    line=$(printf '%q ' "$hawser" "$@")
    printf 'clear; cd %q; %s 2> errors.txt; echo $? > status.new; mv status.new status\n' "$scratch" "$line" > line
    screen send-keys -t explain -l ". $scratch/line"
    screen send-keys -t explain Enter
    for _ in $(seq 400); do
        [ -e status ] && break
        read -r -t 0.05 _ <> <(:) || true
    done
    [ -e status ] || fail "$what: the command has not ended"
    # The prompt comes back after the status is written.
    for _ in $(seq 100); do
        visible=$(screen capture-pane -p -t explain)
        case $visible in *$'\n$') break ;; esac
        read -r -t 0.05 _ <> <(:) || true
    done
    if [ -n "$kept" ]; then printf '%s\n' "$visible" > "$kept/$what.txt"; fi
    [ "$(cat status)" = "$status" ] || fail "$what: exit $(cat status), not $status: $visible $(cat errors.txt)"
    # Lines that were wrapped, as one.
    flat=$(printf '%s ' "$visible" | tr '\n' ' ' | sed 's/[│├└]//g' | tr -s ' ')
    for word in "${words[@]}"; do
        printf '%s\n' "$flat" | grep -q -e "$word" || fail "$what: nothing of '$word' on the screen:
$visible"
    done
    # A caution never stands without an action: another line of the list.
    if [ "$status" = 1 ] && printf '%s\n' "$flat" | grep -q 'may be answering: ask whoever'; then
        printf '%s\n' "$flat" | grep -q -e 'by another way - ' || fail "$what: a caution and no action: $visible"
    fi
    shown=$((shown + 1))
    printf 'ok  %-22s %s\n' "$what" "$(printf '%s\n' "$visible" | head -n 1)"
}
# A reject shows five things on its screen, whatever else has no room. Its side in JSON is the first
# side of the screen, and the side of the first violation.
reject() { # WHAT ID SIDE OWNER PLACE ACTION ARGUMENT...
    local what=$1 id=$2 side=$3 owner=$4 place=$5 action=$6 told
    shift 6
    look "$what" 1 "^reject " "$id" "side  *$side: " "owner  *$owner" "$place" 'FAILED ' \
        'shows everything' "$action" -- explain "$@" --policy .
    "$hawser" explain "$@" --policy . --format json > told.json 2>&1 || true
    told=$(python3 -c '
import json
told = json.load(open("told.json"))
sides = {told["side"], told["violations"][0]["side"], told["readings"][0]["side"]}
print(" ".join(sides).replace("-", " "))
')
    [ "$told" = "${side//-/ }" ] || fail "$what: the side is $side, and in JSON $told"
}
# The two owners of a reject that a set of the policy brings about.
owned() { # WHAT OWNER SECTION SET
    local name=anchor
    [ "$3" = anchors ] || name=pin
    printf '%s\n' "$flat" | grep -q "owner  *\`$2\`, of $name set \`$4\`" \
        || fail "$1: \`$2\` does not stand as the owner of \`$4\`: $flat"
    python3 -c '
import json, sys
sets = [(s["section"], s["id"], s["owner"]) for s in json.load(open("told.json"))["sets"]]
sys.exit((sys.argv[2], sys.argv[3], sys.argv[1]) not in sets)
' "$2" "$3" "$4" || fail "$1: JSON does not have the owner of \`$4\`"
    "$hawser" explain "${asked[@]}" --policy . --format html > told.html || true
    grep -q "owner of $name set" told.html || fail "$1: the page does not have the owner of \`$4\`"
    grep -q "$2" told.html || fail "$1: the page does not have \`$2\`"
}

serve good www issuing
serve own own
serve missing www
serve stranger proxied stranger
serve foreign foreign strange-issuing
serve other-name other-name issuing
serve pinned pinned issuing
serve old old issuing -tls1_2
serve weak weak issuing -cipher 'ALL:@SECLEVEL=0'
serve no-san no-san issuing
serve revoked private-name issuing
cat new-issuing.pem new-root.pem > new-chain.pem
serve replaced replaced new-issuing
serve replaced-whole replaced new-chain
serve reissued reissued same-issuing
serve merged merged globex
serve altered altered issuing
serve lapsed lapsed
serve rekeyed rekeyed
serve client client issuing
serve sha1 sha1 issuing -cipher 'ALL:@SECLEVEL=0'
serve limited limited limited-issuing
serve suites suites issuing -tls1_3 -ciphersuites TLS_AES_128_GCM_SHA256
serve waived waived issuing
serve policies policies issuing
# A certificate for every name but the one that is asked without SNI.
serve virtual other-name issuing -cert2 www.pem -key2 www.key -servername www.acme.example
# Staples: of another certificate, and none where the certificate demands one.
serial() { openssl x509 -in "$1.pem" -noout -serial | cut -d= -f2; }
printf 'V\t%s\t\t%s\tunknown\t/CN=stapled.acme.example\n' \
    "$(date -u -d '+20 days' +%y%m%d%H%M%SZ)" "$(serial staple-owner)" > staple.txt
openssl ocsp -index staple.txt -CA issuing.pem -rsigner issuing.pem -rkey issuing.key \
    -issuer issuing.pem -cert staple-owner.pem -respout other-staple.der -ndays 7 >/dev/null 2>&1
printf 'V\t%s\t\t%s\tunknown\t/CN=stapled.acme.example\n' \
    "$(date -u -d '+20 days' +%y%m%d%H%M%SZ)" "$(serial stapled)" > staple.txt
openssl ocsp -index staple.txt -CA issuing.pem -rsigner issuing.pem -rkey issuing.key \
    -issuer issuing.pem -cert stapled.pem -respout own-staple.der -ndays 7 >/dev/null 2>&1
serve other-staple stapled issuing -status_file other-staple.der
serve own-staple stapled issuing -status_file own-staple.der
serve no-staple stapled issuing
port() { port_of "server-$1.log"; }
cat issuing.pem www.pem > reversed.pem
# A port that speaks no TLS: whoever connects is told so in plain text.
python3 -c '
import socket
s = socket.create_server(("127.0.0.1", 0))
print("ACCEPT 127.0.0.1:%d" % s.getsockname()[1], flush=True)
while True:
    c, _ = s.accept()
    c.sendall(b"220 mail.acme.example ESMTP ready\r\n")
    c.close()
' > server-plain.log 2>&1 &
children+=($!)

# The line of the policy that holds a text, with the beginning of its column.
line_of() { printf 'policy.yaml:%s:' "$(grep -n -F -- "$1" policy.yaml | head -n 1 | cut -d: -f1)"; }
web='`web team`'
rule=$(line_of '"**.acme.example"')
anchors=$(line_of 'anchors: [acme]')
pki='`pki`, of anchor set `acme`'
good=(www.acme.example --connect "127.0.0.1:$(port good)")
# The question to a server: `at NAME HOST`.
at() { asked=("$2" --connect "127.0.0.1:$(port "$1")" "${@:3}"); }
another='something else may be answering: ask whoever runs it, by another way'

# A server that sends only its own certificate, an authority that was replaced, and a proxy.
at missing www.acme.example
reject missing-intermediate issuer-not-found 'in between' "$web" "$anchors" \
    'have the server also send `CN=Acme Issuing`: that trusts nothing new' "${asked[@]}"
owned missing-intermediate pki anchors acme
at replaced www.acme.example
reject root-replaced issuer-not-found 'in between' "$web" "$anchors" \
    'ask `pki`, who owns `acme`, whether the root was replaced' "${asked[@]}"
owned root-replaced pki anchors acme
printf '%s\n' "$flat" | grep -q 'or  *policy: `acme` has `CN=Acme Root`' || fail "root-replaced: $flat"
at replaced-whole www.acme.example
reject root-replaced-whole anchor-not-trusted 'in between' "$web" "$anchors" \
    'ask `pki`, who owns `acme`, whether the root was replaced' "${asked[@]}"
owned root-replaced-whole pki anchors acme
printf '%s\n' "$flat" | grep -q 'or  *policy: `acme` has `CN=Acme Root`' \
    || fail "root-replaced-whole: $flat"
at reissued www.acme.example
reject root-reissued bad-signature 'in between' "$web" "$rule" \
    'ask `pki`, who owns `acme`, whether the root was replaced' "${asked[@]}"
owned root-reissued pki anchors acme
printf '%s\n' "$flat" | grep -q 'or  *policy: `acme` may hold an old `CN=Acme Root`' \
    || fail "root-reissued: $flat"
at stranger www.acme.example
reject inspecting-proxy anchor-not-trusted 'in between' "$web" "$anchors" \
    'if a proxy inspects TLS here, have its operator exempt this host' "${asked[@]}"
owned inspecting-proxy pki anchors acme
at foreign www.acme.example
reject foreign-authority issuer-not-found 'in between' "$web" "$anchors" \
    'if a proxy inspects TLS here, have its operator exempt this host' "${asked[@]}"
at merged www.acme.example
reject set-not-named anchor-not-trusted 'in between' "$web" "$anchors" \
    'ask `web team`, who owns rule `acme`, whether it may name `globex`' "${asked[@]}"
owned set-not-named mergers anchors globex
at altered www.acme.example
reject altered bad-signature 'in between' "$web" "$rule" \
    'have the server send `CN=www.acme.example` as its authority issued it' "${asked[@]}"
at own www.acme.example
reject self-signed self-signed-leaf 'in between' "$web" "$anchors" \
    'have the server use a certificate that an authority' "${asked[@]}"

# Certificates that the policy itself offers.
at lapsed lapsed.acme.example --at "$(date -u -d '+10 days' +%F)"
reject expired-intermediate expired policy "$web" "$rule" \
    'ask `pki`, who owns `acme`, to replace `CN=Acme Lapsed Issuing`' "${asked[@]}"
owned expired-intermediate pki anchors acme
at rekeyed rekeyed.acme.example
reject rekeyed-intermediate bad-signature 'in between' "$web" "$rule" \
    'ask `pki`, who owns `acme`, whether its `CN=Acme Rekeyed Issuing` is an old one' "${asked[@]}"
owned rekeyed-intermediate pki anchors acme

# Dates.
reject expired expired server "$web" "$rule" 'renew `CN=www.acme.example`' \
    "${good[@]}" --at "$(date -u -d '+200 days' +%F)"
reject all-expired expired 'this machine' "$web" "$rule" 'renew `CN=www.acme.example`' \
    "${good[@]}" --at 2050-01-01
reject not-yet-valid not-yet-valid 'this machine' "$web" "$rule" 'wait until ' \
    "${good[@]}" --at 2026-01-01
at waived waived.acme.example --at "$(date -u -d '+40 days' +%F)"
reject waiver-ended expired server "$web" "$(line_of '"waived.acme.example"')" \
    'renew `CN=waived.acme.example`' "${asked[@]}"

# Names.
at other-name www.acme.example
reject wrong-name name-mismatch 'in between' "$web" "$rule" \
    'have the certificate issued for that host too' "${asked[@]}"
at virtual other.acme.example
reject default-host name-mismatch 'in between' "$web" "$rule" \
    'have the certificate issued for that host too' "${asked[@]}"
at no-san www.acme.example
reject common-name name-mismatch 'in between' "$web" "$rule" 'have the certificate issued for' "${asked[@]}"
reject authority-first name-mismatch server "$web" "$rule" \
    'have the server send its own certificate first' \
    www.acme.example --chain reversed.pem --tls-version tls1.3
reject long-host name-mismatch 'in between' "$web" "$rule" 'have the certificate issued for that host too' \
    "$long" --connect "127.0.0.1:$(port good)"
reject no-rule no-applicable-rule policy 'no owner is written' "$(line_of 'default: deny')" \
    'write a rule for ' www.elsewhere.example --connect "127.0.0.1:$(port good)"

# Pins, keys and signatures.
at pinned pinned.acme.example
reject pin pin-mismatch 'in between' '`payments`' "$(line_of 'pins: [acme]')" \
    'ask `key ceremony`, who owns `acme`, whether the keys were changed' "${asked[@]}"
owned pin 'key ceremony' pins acme
at weak www.acme.example
reject weak-key key-too-small server "$web" "$rule" 'issued with an RSA key of at least 2048 bits' "${asked[@]}"
at sha1 www.acme.example
reject weak-hash hash-too-weak server "$web" "$rule" 'signed again' "${asked[@]}"
at client www.acme.example
reject client-only purpose-not-allowed server "$web" "$rule" 'use a certificate for ' "${asked[@]}"
at limited www.acme.example
reject name-constraint name-not-permitted 'in between' "$web" "$rule" \
    'have the authority issue the certificates anew' "${asked[@]}"
at policies policies.acme.example
reject certificate-policy certificate-policy-not-satisfied server '`compliance`' \
    "$(line_of 'certificate-policies:')" 'use certificates that were issued under' "${asked[@]}"

# TLS.
at old old.acme.example
reject tls-version tls-version server '`infra`' "$(line_of 'minimum-version')" \
    'have the server speak `tls1.3`' "${asked[@]}"
at suites suites.acme.example
reject cipher-suite tls-parameter server '`infra`' "$(line_of 'cipher-suites')" \
    'have the server use a cipher suite of' "${asked[@]}"

# Revocation.
at revoked private-name.acme.example --crl issuing.crl
reject revoked revoked 'in between' '`security`' "$(line_of 'preset: require')" \
    'replace `CN=private-name.acme.example`' "${asked[@]}"
at revoked private-name.acme.example
reject crl-absent revocation-undetermined server '`security`' "$(line_of 'preset: require')" \
    'have `CN=private-name.acme.example` issued so that it names a CRL' "${asked[@]}"
at no-staple stapled.acme.example
reject no-staple staple-missing server "$web" "$rule" 'have the server staple' "${asked[@]}"
at other-staple stapled.acme.example
reject other-staple staple-missing server "$web" "$rule" 'have the server renew its OCSP cache' "${asked[@]}"
at own-staple stapled.acme.example --at "$(date -u -d '+9 days' +%F)"
reject expired-staple staple-missing server "$web" "$rule" 'have the server renew its OCSP cache' "${asked[@]}"
look plaintext 2 -- explain www.acme.example --policy . --connect "127.0.0.1:$(port plain)"
grep -q 'give `--starttls smtp`' errors.txt || fail "plaintext: $(cat errors.txt)"
look accept 0 '^accept ' 'owner  *`web team`' 'shows everything' -- \
    explain "${good[@]}" --policy .

printf '%s screens as expected\n' "$shown"
