#!/usr/bin/env bash
# What people type after `hawser explain`, with real servers and real pipes: a server on another
# port by `--connect`, `openssl s_client -showcerts` into `--chain -`, process substitution, FIFOs,
# pipes that end too late, and servers that begin in clear text. Those are small ones in Python in
# front of `openssl s_server` (starttls.py), and PostgreSQL itself where it is installed.
#
#   Tests/Integration/what-it-takes.sh [HAWSER]     by default .build/release/hawser
#
# Needs openssl 3 and python3.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }

scratch=$(mktemp -d)
children=()
finish() {
    for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap finish EXIT
cd "$scratch"
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
runs=0

# Runs a command and checks its exit status and that it says each text.
expect() { # STATUS COMMAND TEXT...
    local status=0 said text
    said=$(bash -c "$2" 2>&1) || status=$?
    [ "$status" -eq "$1" ] || fail "status $status and not $1: $2"$'\n'"$said"
    for text in "${@:3}"; do
        [[ $said = *"$text"* ]] || fail "no \`$text\`: $2"$'\n'"$said"
    done
    runs=$((runs + 1))
}

source "$root/Tests/Integration/port-of.sh"

# A root, an issuing CA, and the certificate of vault.example.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout root.key -out root.pem -days 30 \
    -subj '/O=Acme/CN=Integration Root' -addext 'basicConstraints=critical,CA:TRUE' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' 2>/dev/null
issue() { # NAME ISSUER SUBJECT EXTENSIONS
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" -subj "$3" 2>/dev/null
    openssl x509 -req -in "$1.csr" -CA "$2.pem" -CAkey "$2.key" -set_serial "0x$(openssl rand -hex 8)" -days 20 \
        -extfile <(printf '%b' "$4") -out "$1.pem" 2>/dev/null
}
keys='subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n'
issue issuing root '/O=Acme/CN=Integration Issuing' \
    "basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign,cRLSign\n$keys"
issue vault issuing '/CN=vault.example' \
    "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\nsubjectAltName=DNS:vault.example,DNS:mail.example\n$keys"
cat vault.pem issuing.pem > chain.pem
openssl s_server -accept 127.0.0.1:0 -cert vault.pem -key vault.key -cert_chain issuing.pem > server.log 2>&1 < <(sleep 600) &
children+=($!)
port=$(port_of server.log)

cat > policy.yaml <<POLICY
hawser: 1
default: deny
anchors:
  acme:
    files: [root.pem]
rules:
  vault:
    hosts: ["vault.example:$port"]
    anchors: [acme]
  clear:
    hosts: ["mail.example:25", "mail.example:143", "mail.example:21", "mail.example:110", "mail.example:389", "mail.example:5432", "mail.example:3306"]
    anchors: [acme]
POLICY

export hawser port
# The question has the port of the connection, unless the host has one.
expect 0 '"$hawser" explain vault.example --connect 127.0.0.1:$port' "accept vault.example:$port" \
    "port $port of \`--connect\` is assumed, as HOST has none" '`vault`'
expect 1 '"$hawser" explain vault.example:443 --connect 127.0.0.1:$port' 'reject vault.example:443' \
    "judged for port 443, which HOST has; \`--connect\` has port $port" \
    "\`vault.example:$port\` of rule \`vault\` is for port $port; asked was port 443"
expect 0 '"$hawser" pin --connect 127.0.0.1:$port --name vault.example' 'sha256/'

# The chain of another tool.
expect 0 'openssl s_client -showcerts -connect 127.0.0.1:$port </dev/null 2>/dev/null | "$hawser" explain vault.example:$port --chain -' \
    "accept vault.example:$port"
expect 0 '"$hawser" explain vault.example:$port --chain <(cat chain.pem)' "accept vault.example:$port"
mkfifo fifo
expect 0 'cat chain.pem > fifo & "$hawser" explain vault.example:$port --chain fifo' "accept vault.example:$port"
expect 0 '"$hawser" explain vault.example:$port --chain /dev/stdin < <(cat chain.pem)' "accept vault.example:$port"
expect 2 'openssl s_client -showcerts -connect 127.0.0.1:1 </dev/null 2>/dev/null | "$hawser" explain vault.example --chain -' \
    'standard input'
# Without </dev/null the other command waits for typed input, and this one does not wait for ever.
before=$SECONDS
expect 2 'sleep 20 | openssl s_client -showcerts -connect 127.0.0.1:$port 2>/dev/null | timeout 30 "$hawser" explain vault.example:$port --chain -' \
    'standard input did not end within 15 seconds' '</dev/null'
[ $((SECONDS - before)) -lt 35 ] || fail 'a pipe that does not end costs more than its time'
expect 2 'yes | "$hawser" explain vault.example --chain -' 'standard input has more than'
# A policy stays a regular file.
expect 2 '"$hawser" explain vault.example --policy <(cat policy.yaml) --chain chain.pem' 'is a stream'

# A terminal is not read.
if command -v script >/dev/null; then
    expect 0 'script -qec "$hawser explain vault.example --chain -" /dev/null </dev/null || true' 'which is this terminal'
fi

# Servers that begin in clear text.
: > starttls.log
python3 "$root/Tests/Integration/starttls.py" "$port" > starttls.log 2>&1 &
children+=($!)
for protocol in smtp:25 imap:143 pop3:110 ftp:21 ldap:389 postgres:5432 mysql:3306; do
    name=${protocol%:*}
    for _ in $(seq 200); do
        clear=$(sed -n "s/^$name //p" starttls.log)
        [ -z "$clear" ] || break
        read -r -t 0.05 _ <> <(:) || true
    done
    [ -n "$clear" ] || fail "no server of $name: $(cat starttls.log)"
    usual=${protocol#*:}
    export clear name usual
    expect 0 '"$hawser" explain mail.example:$usual --connect 127.0.0.1:$clear --starttls $name' \
        "accept mail.example:$usual" "TLS began after the clear text of $name"
    expect 0 '"$hawser" pin --connect 127.0.0.1:$clear --starttls $name --name vault.example' 'sha256/'
    # The client of OpenSSL agrees that this is the protocol.
    expect 0 'openssl s_client -connect 127.0.0.1:$clear -starttls $name -showcerts </dev/null 2>/dev/null | "$hawser" explain vault.example:$port --chain -' \
        'accept vault.example'
    # Without the option the server does not speak TLS.
    expect 2 'timeout 30 "$hawser" explain vault.example --connect 127.0.0.1:$clear' 'error: '
done

# Whoever forgets the option is told, by the port.
if [ "$(id -u)" = 0 ]; then
    python3 - > greeter.log 2>&1 <<'PYTHON' &
import socket
server = socket.create_server(("127.0.0.77", 25))
print("ACCEPT 127.0.0.77:25", flush=True)
while True:
    server.accept()[0].sendall(b"220 mail.example ESMTP\r\n")
PYTHON
    children+=($!)
    port_of greeter.log > /dev/null
    expect 2 '"$hawser" explain mail.example --connect 127.0.0.77:25' \
        'the server speaks SMTP' 'give `--starttls smtp`'
fi

# PostgreSQL itself.
postgres=$(ls /usr/lib/postgresql/*/bin/postgres 2>/dev/null | tail -n 1 || true)
if [ -n "$postgres" ]; then
    bin=$(dirname "$postgres")
    run=()
    if [ "$(id -u)" = 0 ]; then
        run=(setpriv --reuid nobody --regid nogroup --clear-groups)
        mkdir data && chown nobody data && chmod 711 . && cp vault.key data.key && chown nobody data.key
    else
        mkdir data && cp vault.key data.key
    fi
    chmod 600 data.key
    "${run[@]}" "$bin/initdb" -D data/db > initdb.log 2>&1 || fail "$(cat initdb.log)"
    free=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    "${run[@]}" "$postgres" -D data/db -p "$free" -k "" -c listen_addresses=127.0.0.1 -c ssl=on \
        -c "ssl_cert_file=$scratch/chain.pem" -c "ssl_key_file=$scratch/data.key" > postgres.log 2>&1 &
    children+=($!)
    for _ in $(seq 200); do
        if grep -q 'ready to accept' postgres.log; then break; fi
        read -r -t 0.05 _ <> <(:) || true
    done
    export free
    expect 0 '"$hawser" explain mail.example:5432 --connect 127.0.0.1:$free --starttls postgres' 'accept mail.example:5432'
else
    echo 'skipped: PostgreSQL is not installed'
fi
echo "$runs runs"
