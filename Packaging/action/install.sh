#!/usr/bin/env bash
# Downloads the command of a release and prints its path, if the maintainers' key has signed it.
#
#   install.sh VERSION KEY RELEASES FOLDER
#
# VERSION is the release's, as 0.1.0; KEY the public key of minisign; RELEASES the address or the
# folder with the files of that release; FOLDER where the command is put, which must not exist.
#
# Neither the key nor a digest comes from RELEASES: the key verifies SHA256SUMS, and SHA256SUMS the
# archive. The version is in the comment that is signed with it and in the archive's name, so an
# older release under a newer address is refused. Needs curl, OpenSSL 3 and tar; a place that serves
# other files can only make it fail. It ends with 1 where something does not verify, and with 2
# where it could not ask.
set -euo pipefail
export LC_ALL=C

refuse() { # STATUS MESSAGE
    printf 'not installed: %s\n' "$2" >&2
    exit "$1"
}
[ $# -eq 4 ] || refuse 2 'install.sh VERSION KEY RELEASES FOLDER'
version=$1 key=$2 releases=${3%/} folder=$4
here=$(cd "$(dirname "$0")" && pwd)

[[ $key =~ ^RW[A-Za-z0-9+/]{54}$ ]] ||
    refuse 2 "the maintainers' key is not set in action.yml (\`$key\`): no version is released yet, and nothing can be verified"
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || refuse 2 "\`$version\` is not a version"
[ "$(uname -s)" = Linux ] || refuse 2 'releases are for Linux'
case $(uname -m) in
x86_64 | amd64) machine=x86_64 ;;
aarch64 | arm64) machine=aarch64 ;;
*) refuse 2 "there is no release for $(uname -m)" ;;
esac
case $releases in
https://?*) ;;
/*) releases=file://$releases ;;
*) refuse 2 "\`$releases\` is neither an address with https nor a folder" ;;
esac
mkdir "$folder" || refuse 2 "$folder cannot be made"

archive=hawser-$version-linux-$machine.tar.gz
umask 022
download() { # NAME OCTETS: at most that many
    curl --silent --show-error --fail --location --proto '=https,file' --proto-redir '=https' --max-redirs 5 \
        --connect-timeout 20 --max-time 300 --retry 3 --max-filesize "$2" --output "$folder/$1" "$releases/$1" ||
        refuse 2 "$releases/$1 cannot be had"
}
for file in SHA256SUMS SHA256SUMS.minisig; do download "$file" 100000; done
comment=$(bash "$here/verify.sh" "$key" "$folder/SHA256SUMS") ||
    refuse 1 "SHA256SUMS of $releases is not signed by the key in action.yml"
[[ $comment = "hawser $version, commit "* ]] ||
    refuse 1 "SHA256SUMS of $releases is signed as \`$comment\`, which is not hawser $version"

# Exactly one line is of the archive.
lines=$(grep -cE "^[0-9a-f]{64} [ *]${archive//./\\.}\$" "$folder/SHA256SUMS" || true)
[ "$lines" = 1 ] || refuse 1 "the signed list has $lines lines for $archive; is it of another release?"
download "$archive" 500000000
(cd "$folder" && grep -E "^[0-9a-f]{64} [ *]${archive//./\\.}\$" SHA256SUMS | sha256sum --check --strict --status) ||
    refuse 1 "$archive is not the file that was signed"

mkdir "$folder/unpacked"
tar -xzf "$folder/$archive" -C "$folder/unpacked" --no-same-owner || refuse 1 "$archive cannot be unpacked"
command=$(find "$folder/unpacked" -type f -name hawser -perm -u+x)
[ -n "$command" ] && [ "$(wc -l <<<"$command")" -eq 1 ] || refuse 1 "$archive does not hold one command"
said=$("$command" --version) || refuse 1 "the command of $archive does not run here"
[ "$said" = "hawser $version" ] || refuse 1 "the command of $archive calls itself \`$said\`"
printf 'hawser %s, signed: %s\n' "$version" "$comment" >&2
printf '%s\n' "$command"
