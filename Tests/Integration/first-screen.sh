#!/usr/bin/env bash
# Failing connections, each explained in a terminal of 80 columns and 24 rows. What the terminal
# shows when the command has ended must hold the verdict, whose side it is, the owner of the rule
# and the lines of the policy that decide. The servers are `openssl s_server` on loopback; the
# terminal is tmux. Needs openssl 3 and tmux, which it installs.
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
pins:
  acme:
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
# Runs a command in the terminal and looks at what is visible when it has ended.
look() { # WHAT STATUS WORD... -- ARGUMENT...
    local what=$1 status=$2 words=() line visible flat
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
    shown=$((shown + 1))
    printf 'ok  %-22s %s\n' "$what" "$(printf '%s\n' "$visible" | head -n 1)"
}
# A reject shows four things on its screen, whatever else has no room.
reject() { # WHAT ID SIDE OWNER PLACE ARGUMENT...
    local what=$1 id=$2 side=$3 owner=$4 place=$5
    shift 5
    look "$what" 1 "^reject " "$id" "side  *$side: " "owner  *$owner" "$place" 'FAILED ' \
        'shows everything' -- explain "$@" --policy .
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
good=(www.acme.example --connect "127.0.0.1:$(port good)")
reject expired expired server "$web" "$rule" "${good[@]}" --at "$(date -u -d '+200 days' +%F)"
reject all-expired expired 'this machine' "$web" "$rule" "${good[@]}" --at 2050-01-01
reject not-yet-valid not-yet-valid 'this machine' "$web" "$rule" "${good[@]}" --at 2026-01-01
reject wrong-name name-mismatch 'in between' "$web" "$rule" \
    www.acme.example --connect "127.0.0.1:$(port other-name)"
reject unknown-root anchor-not-trusted 'in between' "$web" "$anchors" \
    www.acme.example --connect "127.0.0.1:$(port stranger)"
reject foreign-authority issuer-not-found 'in between' "$web" "$anchors" \
    www.acme.example --connect "127.0.0.1:$(port foreign)"
reject missing-intermediate issuer-not-found 'in between' "$web" "$anchors" \
    www.acme.example --connect "127.0.0.1:$(port missing)"
reject self-signed self-signed-leaf 'in between' "$web" "$anchors" \
    www.acme.example --connect "127.0.0.1:$(port own)"
reject pin pin-mismatch 'in between' '`payments`' "$(line_of 'pins: [acme]')" \
    pinned.acme.example --connect "127.0.0.1:$(port pinned)"
reject tls-version tls-version server '`infra`' "$(line_of 'minimum-version')" \
    old.acme.example --connect "127.0.0.1:$(port old)"
reject revoked revoked 'in between' '`security`' "$(line_of 'preset: require')" \
    private-name.acme.example --connect "127.0.0.1:$(port revoked)" --crl issuing.crl
reject weak-key key-too-small server "$web" "$rule" \
    www.acme.example --connect "127.0.0.1:$(port weak)"
reject no-rule no-applicable-rule policy 'no owner is written' "$(line_of 'default: deny')" \
    www.elsewhere.example --connect "127.0.0.1:$(port good)"
reject common-name name-mismatch 'in between' "$web" "$rule" \
    www.acme.example --connect "127.0.0.1:$(port no-san)"
reject authority-first name-mismatch server "$web" "$rule" \
    www.acme.example --chain reversed.pem --tls-version tls1.3
reject long-host name-mismatch 'in between' "$web" "$rule" \
    "$long" --connect "127.0.0.1:$(port good)"
look plaintext 2 -- explain www.acme.example --policy . --connect "127.0.0.1:$(port plain)"
grep -q 'speaks no TLS on this port' errors.txt || fail "plaintext: $(cat errors.txt)"
look accept 0 '^accept ' 'owner  *`web team`' 'shows everything' -- \
    explain "${good[@]}" --policy .

printf '%s screens as expected\n' "$shown"
