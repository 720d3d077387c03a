#!/usr/bin/env bash
# Verifies a file with a public key of minisign, on a machine that has OpenSSL 3 and no minisign.
#
#   verify.sh KEY FILE     the signature is in FILE.minisig
#
# It prints the trusted comment, and ends with 0: the key has signed the file and that comment; with
# 1: it has not; with 2: the question could not be asked.
#
# A signature file has four lines: a comment that nobody signs; `ED`, the key's id and the signature
# of the file's BLAKE2b-512; a trusted comment; the signature of the first signature and that
# comment. `Ed` in place of `ED` signs the file itself. minisign writes it only with `-l`, and it is
# refused here, as by `minisign -VH`: a file of 64 octets could be taken for another file's digest.
set -euo pipefail
export LC_ALL=C
unset OPENSSL_CONF OPENSSL_CONF_INCLUDE OPENSSL_MODULES OPENSSL_ENGINES

refuse() { # STATUS MESSAGE
    printf 'not verified: %s\n' "$2" >&2
    exit "$1"
}
[ $# -eq 2 ] || refuse 2 'verify.sh KEY FILE'
key=$1 file=$2 signature=$2.minisig

# 42 octets: `Ed`, eight octets of the key's id, the key. Any other text is refused, so the words
# that stand in place of a key verify nothing.
[[ $key =~ ^RW[A-Za-z0-9+/]{54}$ ]] || refuse 2 "\`$key\` is not a public key of minisign"
[ -f "$file" ] || refuse 2 "there is no file $file"
[ -f "$signature" ] || refuse 1 "there is no signature $signature"
file=$(realpath -- "$file")
[[ $(openssl version 2>/dev/null) =~ ^OpenSSL\ ([0-9]+)\. ]] && [ "${BASH_REMATCH[1]}" -ge 3 ] ||
    refuse 2 'this needs OpenSSL 3, or minisign'

umask 077
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# ---------------------------------------------------------------------- the signature file

[ "$(wc -c <"$signature")" -le 8192 ] || refuse 1 'the signature file is too long'
# A line feed ends each line, the last one as well. Of the octets below the space only tabs are
# beside it: minisign puts one into the comments that it makes.
tr -d '\t\n\040-\377' <"$signature" | cmp -s - /dev/null ||
    refuse 1 'the signature file has characters that minisign does not write'
[ "$(wc -l <"$signature")" -eq 4 ] && tail -c 1 "$signature" | cmp -s - <(echo) ||
    refuse 1 'the signature file does not have four lines'
{
    IFS= read -r untrusted
    IFS= read -r signed
    IFS= read -r trusted
    IFS= read -r global
} <"$signature"
[[ $untrusted = 'untrusted comment: '* && $trusted = 'trusted comment: '* ]] ||
    refuse 1 'the signature file is not of minisign'
[[ $signed =~ ^[A-Za-z0-9+/]{99}=$ && $global =~ ^[A-Za-z0-9+/]{86}==$ ]] ||
    refuse 1 'the signature file does not hold two signatures'
cd "$scratch"
printf '%s' "$key" | base64 -d >key
printf '%s' "$signed" | base64 -d >signed
printf '%s' "$global" | base64 -d >global
printf '%s' "${trusted#trusted comment: }" >comment
for part in key:42 signed:74 global:64; do
    [ "$(wc -c <"${part%:*}")" -eq "${part#*:}" ] || refuse 1 'base64 of another length'
done
head -c 2 key | cmp -s - <(printf Ed) || refuse 2 "\`$key\` is not a public key of minisign"
head -c 2 signed | cmp -s - <(printf ED) ||
    refuse 1 'the signature is of the old form of minisign, over the file and not its digest'
cmp -s <(tail -c +3 key | head -c 8) <(tail -c +3 signed | head -c 8) ||
    refuse 1 'the signature is of another key'

# ---------------------------------------------------------------------- the two signatures

tail -c +11 signed >first
{
    printf '\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00'
    tail -c +11 key
} >key.der
cat first comment >commented

verifies() { # SIGNED SIGNATURE: both the status and the words must say so
    local said
    said=$(openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in "$1" -sigfile "$2" 2>&1) &&
        [ "$said" = 'Signature Verified Successfully' ]
}
openssl dgst -blake2b512 -binary "$file" >digest && [ "$(wc -c <digest)" -eq 64 ] ||
    refuse 2 'OpenSSL cannot compute BLAKE2b-512 here'
verifies digest first || refuse 1 'the signature does not fit the file'
verifies commented global || refuse 1 'the signature does not fit the trusted comment'
printf '%s\n' "${trusted#trusted comment: }"
