# For scripts that judge connections to six servers, which source this file in an empty folder: a
# good one, one with another key than the pinned, one expired, one with another's name, one whose
# staple says revoked, one that no rule is about. Makes the certificates, keys and policy.yaml. They
# have functions `fail` and `port_of`, and an array `children` that they end.

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout root.key -out root.pem -days 30 \
    -subj '/O=Rig/CN=Rig Root' -addext 'basicConstraints=critical,CA:TRUE' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign,digitalSignature' 2>/dev/null
mkdir issued
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
certificate() { # NAME NAME-INSIDE START END: days from now
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" \
        -subj "/CN=$2" 2>/dev/null
    cat > "$1.ext" <<EXT
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=serverAuth
subjectAltName=DNS:$2
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
EXT
    openssl ca -batch -config ca.cnf -in "$1.csr" -cert root.pem -keyfile root.key -extfile "$1.ext" -notext \
        -startdate "$(date -u -d "$3 days" +%Y%m%d%H%M%SZ)" -enddate "$(date -u -d "$4 days" +%Y%m%d%H%M%SZ)" \
        -out "$1.pem" 2> "$1.log" || fail "openssl ca: $(cat "$1.log")"
}
names=(good pinned expired name revoked stranger)
for name in "${names[@]}" changing; do
    case $name in
    expired) certificate expired expired.rig.example -40 -10 ;;
    name) certificate name another.rig.example -1 20 ;;
    *) certificate "$name" "$name.rig.example" -1 20 ;;
    esac
done
openssl ca -config ca.cnf -cert root.pem -keyfile root.key -revoke revoked.pem -crl_reason keyCompromise 2>/dev/null
openssl ocsp -issuer root.pem -cert revoked.pem -reqout revoked.request -no_nonce > /dev/null
openssl ocsp -index issued/index.txt -rsigner root.pem -rkey root.key -CA root.pem -reqin revoked.request \
    -respout revoked.staple -ndays 2 > /dev/null 2>&1

cat > policy.yaml <<POLICY
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
  good: { hosts: ["good.rig.example", "expired.rig.example", "name.rig.example"], anchors: [rig] }
  changing: { hosts: ["changing.rig.example"], anchors: [rig] }
  pinned: { hosts: ["pinned.rig.example"], anchors: [rig], pins: [ours] }
  revoked:
    hosts: ["revoked.rig.example"]
    anchors: [rig]
    revocation: { preset: require, sources: [stapled], scope: leaf }
POLICY
for name in offline spare; do
    openssl ecparam -name prime256v1 -genkey -noout 2>/dev/null | openssl pkey -pubout -out "$name.pub"
done
declare -A ports
serve() { # VERSION NAME OPTION...
    local version=$1 name=$2 log=server-$1-$2.log
    shift 2
    [ "$name" != revoked ] || set -- "$@" -status_file revoked.staple
    openssl s_server -accept 127.0.0.1:0 -cert "$name.pem" -key "$name.key" -www "-$version" "$@" \
        > "$log" 2>&1 < <(tail -f /dev/null --pid=$$) &
    children+=($!)
    ports[$name]=$(port_of "$log")
}
# Records of application data that a server has received: what `-msg` shows of them.
records() { # VERSION NAME
    awk -v kind="$([ "$1" = tls1_2 ] && echo RecordHeader || echo InnerContent)" '
        is_ours && /^ +17/ { count++ }
        { is_ours = /^<<< / && index($0, kind) }
        END { print count + 0 }' "server-$1-$2.log"
}
declare -A expected=(
    [good]=accept [pinned]=pin-mismatch [expired]=expired [name]=name-mismatch [revoked]=revoked
    [stranger]=no-applicable-rule)
