#!/usr/bin/env bash
# Asks OpenSSL about every row of `VouchingRows`: the kinds of signers of CRLs and OCSP responses,
# each with evidence that says *not revoked* and *revoked*. OpenSSL's answers must be those that
# stand in the rows. Needs openssl 3 and nothing else.
#
#   Tests/Integration/vouching.sh           builds the tests, writes the rows as files, and asks
#   Tests/Integration/vouching.sh FOLDER    asks about files that were written before
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
at=1780272000 # 2026-06-01, at which the rows are judged

if [ $# -eq 0 ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    (cd "$root" && VOUCHING_FILES="$folder" swift test --disable-xctest --filter VouchingTests) >&2
else
    folder=$1
fi

# The answer of `openssl verify` with a CRL: `good`, `revoked`, or `error` and the first number. The
# command goes on after some errors on the path of the CRL's signer and then says OK; a program that
# calls the library does not.
by_list() {
    local said error
    said=$(openssl verify -crl_check -extended_crl -attime $at -CAfile roots.pem \
        -untrusted others.pem -CRLfile "$1.pem" target.pem 2>&1) || true
    error=$(sed -n 's/^\(\[CRL path\] \)\{0,1\}error \([0-9]*\) at .*/\2/p' <<< "$said" | head -1)
    case $error in
        '') [ "$said" = "target.pem: OK" ] && echo good || echo "no answer" ;;
        23) echo revoked ;;
        *) echo "error $error" ;;
    esac
}

# The answer of `openssl ocsp` with a response: `good`, `revoked`, or `refused`. The response's own
# dates are not held to the clock, because the rows have a time of their own.
by_response() {
    local said
    said=$(openssl ocsp -respin "$1.der" -issuer issuer.pem -cert target.pem -CAfile roots.pem \
        -verify_other others.pem -attime $at -no_nonce -validity_period 1000000000 2>&1) || true
    if ! grep -q '^Response verify OK' <<< "$said"; then
        echo refused
        return
    fi
    sed -n 's/^target.pem: \(good\|revoked\|unknown\)$/\1/p' <<< "$said"
}

status=0
count=0
for row in "$folder"/*/; do
    cd "$row"
    case $(cat source) in
        crl) answers=$(by_list vouch; by_list revoke) ;;
        *) answers=$(by_response vouch; by_response revoke) ;;
    esac
    count=$((count + 1))
    if [ "$answers" != "$(cat openssl)" ]; then
        status=1
        printf '%s: OpenSSL says %s; the row has %s\n' "$(cat name)" \
            "$(paste -sd, - <<< "$answers")" "$(paste -sd, openssl)"
    fi
done
[ $count -gt 0 ] || { echo "found no rows" >&2; exit 2; }
[ $status -eq 0 ] && echo "OpenSSL answers as $count rows say"
exit $status
