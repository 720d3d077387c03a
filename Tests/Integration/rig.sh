# For scripts that make the certificates of TLS servers, which source this file and stand in a
# folder of their own. They have a function `fail`.

# Makes a root, root.pem and root.key, and what `openssl ca` needs.
authority() {
    mkdir -p issued
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout root.key \
        -out root.pem -days 30 -subj '/O=Rig/CN=Rig Root' -addext 'basicConstraints=critical,CA:TRUE' \
        -addext 'keyUsage=critical,keyCertSign,cRLSign,digitalSignature' 2>/dev/null
    : > issued/index.txt
    cat > ca.cnf <<'CNF'
[ca]
default_ca = rig
[rig]
dir = issued
database = issued/index.txt
new_certs_dir = issued
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
CNF
}

certificate() { # NAME HOST START END [LINE]: days from now
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" \
        -subj "/CN=$2" 2>/dev/null
    cat > "$1.ext" <<EXT
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=serverAuth,clientAuth
subjectAltName=DNS:$2
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
${5:-}
EXT
    openssl ca -batch -config ca.cnf -in "$1.csr" -cert root.pem -keyfile root.key \
        -extfile "$1.ext" -notext -startdate "$(date -u -d "$3 days" +%Y%m%d%H%M%SZ)" \
        -enddate "$(date -u -d "$4 days" +%Y%m%d%H%M%SZ)" -out "$1.pem" 2> "$1.log" \
        || fail "openssl ca: $(cat "$1.log")"
}

revoke() { # NAME
    openssl ca -config ca.cnf -cert root.pem -keyfile root.key -revoke "$1.pem" \
        -crl_reason keyCompromise 2>/dev/null
}

# Makes NAME.staple, which says what `revoke` has said before.
staple() { # NAME
    openssl ocsp -issuer root.pem -cert "$1.pem" -reqout "$1.request" -no_nonce > /dev/null
    openssl ocsp -index issued/index.txt -rsigner root.pem -rkey root.key -CA root.pem \
        -reqin "$1.request" -respout "$1.staple" -ndays 2 > /dev/null 2>&1
}

# Makes NAME.pub, of a key that nobody serves.
spare_key() { # NAME
    openssl ecparam -name prime256v1 -genkey -noout 2>/dev/null | openssl pkey -pubout -out "$1.pub"
}

# Prints a policy whose rules are read from standard input: the anchors `rig` and the pins `ours`,
# which need the spare keys `offline` and `spare`.
rig_policy() {
    cat <<POLICY
hawser: 1
default: deny
anchors:
  rig: { files: [root.pem] }
pins:
  ours:
    keys:
      offline: { spki-file: offline.pub }
    backups:
      spare: { spki-file: spare.pub }
    enforce-until: $(date -u -d '+60 days' +%Y-%m-%d)
rules:
$(cat)
POLICY
}

# Starts the servers of a soak, with their certificates. Adds to the arrays `servers`, of processes,
# and `ports`, of NAME=PORT. Needs port-of.sh.
soak_servers() {
    local name number
    for name in good pinned; do
        certificate "$name" "$name.rig.example" -1 20
        # Two of each, as one serves one connection at a time.
        for number in 1 2; do
            openssl s_server -accept 127.0.0.1:0 -cert "$name.pem" -cert_chain "$name.pem" -key "$name.key" -www \
                < /dev/null > "$name-$number.log" 2>&1 &
            servers+=($!)
            ports+=("$name=$(port_of "$name-$number.log")")
        done
    done
}
