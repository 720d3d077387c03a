#!/usr/bin/env bash
# The same release from two folders: clones of this commit in folders with names of other lengths,
# under other umasks and time zones, packed on other dates. Every file must be the same, octet by
# octet. Needs what `make dist` needs, and diffoscope and faketime.
#
#   Tests/Integration/dist-twice.sh [FOLDER]      by default .build-dist-twice
#
# The release is left in FOLDER/dist.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "${1:-$root/.build-dist-twice}"
folder=$(cd "${1:-$root/.build-dist-twice}" && pwd)
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

release() { # FOLDER UMASK ZONE COMMAND...: the command runs the packing
    (
        umask "$2"
        export TZ=$3
        rm -rf "$1"
        git clone --quiet --no-hardlinks "$root" "$1"
        cd "$1"
        bash Packaging/dist/build.sh
        "${@:4}" python3 .build-dist/source/Packaging/dist/pack.py .build-dist/tree dist
    )
}
printf '== %s\n' "$folder/one"
release "$folder/one" 022 UTC
printf '== %s, another umask, zone and date\n' "$folder/another/folder with a longer name"
mkdir -p "$folder/another"
release "$folder/another/folder with a longer name" 077 Asia/Tokyo faketime '2031-02-03 04:05:06'
rm -rf "$folder/dist"
cp -r "$folder/one/dist" "$folder/dist"
cmp "$folder/one/dist/SHA256SUMS" "$folder/another/folder with a longer name/dist/SHA256SUMS" || true
diffoscope --exclude-directory-metadata=yes "$folder/one/dist" "$folder/another/folder with a longer name/dist" ||
    fail 'the two releases differ'
printf 'diffoscope finds no difference in %s files\n' "$(find "$folder/dist" -type f | wc -l)"
