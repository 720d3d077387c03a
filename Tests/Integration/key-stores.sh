#!/usr/bin/env bash
# Key stores that keytool and OpenSSL make: `hawser check` names each for what its octets prove, and
# the commands of its help, run as they are printed, write a file with all of its certificates.
# `hawser import trust-store` takes the certificates that keytool lists as trusted, octet by octet.
# Debian's and Java's own trust stores are among them, where they are installed. Needs keytool
# (default-jre-headless) and openssl.
#
#   Tests/Integration/key-stores.sh [HAWSER]     by default .build-static/release/hawser
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
command -v keytool >/dev/null || { echo "there is no keytool" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

for name in one two; do
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 \
        -subj "/CN=$name" -keyout $name.key -out $name.pem 2>/dev/null
done
cat one.pem two.pem >both.pem
for type in jks jceks pkcs12; do
    for name in one two; do
        keytool -importcert -noprompt -alias $name -file $name.pem -keystore trust.$type \
            -storetype $type -storepass changeit 2>/dev/null
    done
done
keytool -J-Dkeystore.pkcs12.certProtectionAlgorithm=NONE -importkeystore -srckeystore trust.jks \
    -srcstorepass changeit -destkeystore plain.pkcs12 -deststoretype PKCS12 \
    -deststorepass changeit 2>/dev/null
openssl pkcs12 -export -nokeys -in both.pem -out openssl.p12 -passout pass:changeit
openssl pkcs12 -export -nokeys -certpbe NONE -in both.pem -out openssl-plain.p12 \
    -passout pass:changeit
openssl pkcs12 -export -inkey one.key -in one.pem -out key.p12 -passout pass:changeit
for type in jks jceks; do
    keytool -importkeystore -srckeystore key.p12 -srcstorepass changeit -destkeystore key.$type \
        -deststoretype $type -deststorepass changeit 2>/dev/null
done
for name in one two; do
    keytool -importcert -noprompt -alias $name -file $name.pem -keystore later.jks \
        -storetype JKS -storepass changeit 2>/dev/null
done
keytool -importkeystore -srckeystore key.p12 -srcstorepass changeit -destkeystore later.jks \
    -deststoretype JKS -deststorepass changeit 2>/dev/null

check() {
    cat >policy.yaml <<YAML
hawser: 1
default: deny
anchors:
  acme:
    files:
      - $1
rules:
  api:
    hosts:
      - "api.acme.example"
    anchors: [acme]
    owner: web
YAML
    COLUMNS=9999 "$hawser" check . 2>/dev/null || true
}

count=0
# store FILE WORDS CERTIFICATES: runs the commands that the help prints, and compares the number of
# certificates that come out.
store() {
    local file=$1 words=$2 certificates=$3 answer help
    answer=$(check "$file")
    grep -qF "error[HW301]: \`$file\` $words" <<<"$answer" || { echo "$answer" >&2; exit 1; }
    if grep -q "HW307\|secret" <<<"$answer"; then echo "$answer" >&2; exit 1; fi
    help=$(grep -o "= help: .*" <<<"$answer")
    local first second written
    # The first command makes a policy; the others write PEM.
    grep -q "^= help: .hawser import trust-store $file -o NEW. makes" <<<"$help" ||
        { echo "$answer" >&2; exit 1; }
    first=$(cut -d'`' -f4 <<<"$help")
    second=$(cut -d'`' -f6 <<<"$help")
    written=$(grep -o "[^ ]*\.plain\.pem" <<<"$help" | head -1 | tr -d '`')
    # Each command asks for passwords. `setsid` takes the terminal away, so it reads them here.
    case $first in
    keytool*)
        printf 'changeit\nchangeit\nchangeit\n' | setsid bash -c "$first" 2>/dev/null
        setsid bash -c "$second -passin pass:changeit" ;;
    *)
        setsid bash -c "$first -passin pass:changeit" ;;
    esac
    compare "$file" "$written" "$certificates"
    rm -f "$written" ./*.plain.p12
    count=$((count + 1))
}

compare() {
    local answer found
    answer=$(check "$2")
    found=$(grep -c "BEGIN CERTIFICATE" "$2")
    if grep -q "error" <<<"$answer" || [ "$found" != "$3" ]; then
        echo "$1: $found certificates of $3 in $2; $answer" >&2
        exit 1
    fi
}

store trust.jks "is a trust store in Java's form JKS, with 2 certificates and no key" 2
store trust.jceks "is a trust store in Java's form JCEKS, with 2 certificates and no key" 2
store trust.pkcs12 "is a PKCS#12 file, and its encryption hides whether a private key is in it" 2
store plain.pkcs12 "is a trust store in PKCS#12, with 2 certificates and no key" 2
store openssl.p12 "is a PKCS#12 file, and its encryption hides whether a private key is in it" 2
store openssl-plain.p12 "is a trust store in PKCS#12, with 2 certificates and no key" 2
if [ -r /etc/ssl/certs/java/cacerts ]; then
    cp /etc/ssl/certs/java/cacerts cacerts
    number=$(keytool -list -keystore cacerts -storepass changeit 2>/dev/null | grep -c trustedCertEntry)
    store cacerts "is a trust store in Java's form JKS, with $number certificates and no key" "$number"
fi
for file in key.p12 key.jks key.jceks later.jks; do
    answer=$(check $file)
    grep -qF "error[HW307]: \`$file\` holds a private key" <<<"$answer" || { echo "$answer" >&2; exit 1; }
    count=$((count + 1))
done

# digests_of FOLDER: the SHA-256 of each certificate that an import wrote, sorted.
digests_of() {
    for file in "$1"/anchors/*.pem; do
        openssl x509 -in "$file" -noout -fingerprint -sha256
    done | cut -d= -f2 | sort -u
}

# trusted_of STORE: the SHA-256 of each trusted certificate that keytool lists, sorted.
trusted_of() {
    keytool -list -v -keystore "$1" -storepass changeit 2>/dev/null |
        sed -n 's/^[[:space:]]*SHA256: //p' | sort -u
}

# An import does not write into the unit of another policy.
rm policy.yaml
imports=0
# imported STORE STATUS OPTION...: the import has the certificates that keytool lists, and compiles.
imported() {
    local file=$1 wanted=$2 status=0
    shift 2
    rm -rf made
    "$hawser" import trust-store "$file" -o made --owner web "$@" >import.txt 2>&1 || status=$?
    if [ "$status" != "$wanted" ] || grep -q "^error" import.txt; then
        cat import.txt >&2
        exit 1
    fi
    "$hawser" check made >/dev/null
    "$hawser" fmt --check made >/dev/null
    diff <(trusted_of "$file") <(digests_of made) >&2 || { echo "$file: other certificates" >&2; exit 1; }
    imports=$((imports + 1))
}

for file in trust.jks trust.jceks trust.pkcs12 plain.pkcs12; do imported $file 0 --changeit; done
imported trust.jks 0
keytool -J-Dkeystore.pkcs12.certProtectionAlgorithm=NONE -J-Dkeystore.pkcs12.macAlgorithm=NONE \
    -importkeystore -srckeystore trust.jks -srcstorepass changeit -destkeystore bare.pkcs12 \
    -deststoretype PKCS12 -deststorepass changeit 2>/dev/null
imported bare.pkcs12 0
for algorithm in PBEWithSHA1AndDESede PBEWithHmacSHA512AndAES_128 PBEWithHmacSHA1AndAES_256; do
    keytool -J-Dkeystore.pkcs12.certProtectionAlgorithm=$algorithm -importkeystore \
        -srckeystore trust.jks -srcstorepass changeit -destkeystore $algorithm.p12 \
        -deststoretype PKCS12 -deststorepass changeit 2>/dev/null
    imported $algorithm.p12 0 --changeit
done
for algorithm in HmacPBESHA1 HmacPBESHA384 HmacPBESHA512; do
    keytool -J-Dkeystore.pkcs12.macAlgorithm=$algorithm -importkeystore -srckeystore trust.jks \
        -srcstorepass changeit -destkeystore $algorithm.p12 -deststoretype PKCS12 \
        -deststorepass changeit 2>/dev/null
    imported $algorithm.p12 0 --changeit
done
for store in /etc/ssl/certs/java/cacerts /usr/lib/jvm/*/lib/security/cacerts; do
    [ -r "$store" ] && imported "$store" 0 --changeit
done

# keytool trusts nothing in a file that OpenSSL wrote, and neither does the import until it is told.
for file in openssl.p12 openssl-plain.p12; do
    rm -rf made
    if "$hawser" import trust-store $file -o made --changeit >import.txt 2>&1 || [ -e made ]; then
        echo "$file was imported" >&2
        exit 1
    fi
    grep -q "HX607" import.txt
    "$hawser" import trust-store $file -o made --changeit --all-certificates >/dev/null
    diff <(openssl x509 -in one.pem -noout -fingerprint -sha256 | cut -d= -f2
        openssl x509 -in two.pem -noout -fingerprint -sha256 | cut -d= -f2) <(digests_of made) \
        >/dev/null || [ "$(digests_of made | wc -l)" = 2 ]
    imports=$((imports + 1))
done
for file in key.p12 key.jks key.jceks later.jks; do
    rm -rf made
    if "$hawser" import trust-store $file -o made --changeit >import.txt 2>&1 || [ -e made ]; then
        echo "$file was imported" >&2
        exit 1
    fi
    grep -q "HX602" import.txt || { cat import.txt >&2; exit 1; }
done
echo "key stores: $count, each named by what its octets prove; the commands of the help work"
echo "imports: $imports, each with the certificates that keytool trusts; stores with keys refused"
