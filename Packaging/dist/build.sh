#!/usr/bin/env bash
# Builds the programs and libraries of a release, for `pack.py`, from the commit that is checked
# out: files that are changed or not in git play no part. The same commit, toolchain and packages of
# the system give the same octets in any folder, on any day, under any umask.
#
#   Packaging/dist/build.sh [FOLDER]      by default .build-dist; the result is FOLDER/tree
#
# Needs the Swift toolchain, a C compiler, git, binutils, python3, Node, npm, a JDK of 22 or later,
# libyaml's and OpenSSL's headers and static libraries, and the network (the Swift packages of
# `packages.resolved`) for the first build.
set -euo pipefail
umask 022
export LC_ALL=C TZ=UTC
unset HAWSER_TARGETS HAWSER_TRAITS
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "${1:-$root/.build-dist}"
folder=$(cd "${1:-$root/.build-dist}" && pwd)
source=$folder/source tree=$folder/tree
fail() { printf 'build.sh: %s\n' "$1" >&2; exit 1; }

cd "$root"
commit=$(git rev-parse --verify HEAD)
SOURCE_DATE_EPOCH=$(git show --no-patch --format=%ct HEAD)
export SOURCE_DATE_EPOCH
[ -z "$(git status --porcelain)" ] || echo "build.sh: the changes in $root are left out: commit $commit is built" >&2
# With an index of its own: only files that differ are written, so that a second build is short.
mkdir -p "$source"
GIT_INDEX_FILE=$folder/index git --work-tree="$source" read-tree --reset -u HEAD
cd "$source"
python3 Packaging/dist/versions.py
# The JDK that packs the JVM package is looked for now: the build takes half an hour.
python3 Packaging/java/build.py --jdk >/dev/null
version=$(python3 Packaging/dist/versions.py --print)
toolchain=$(swift --version 2>/dev/null | sed -n 's/.*\(Swift version .*\)/\1/p' | head -n 1)
[ -n "$toolchain" ] || fail '`swift --version` states no version'

# The packages in exactly these versions. Paths are written as if the folder were /hawser. No rpath:
# a program in /usr/bin must not load a library from there.
for place in . Sources/Integrations/Serve; do
    cp Packaging/dist/packages.resolved "$place/Package.resolved"
done
flags=(--force-resolved-versions --disable-local-rpath
    -Xswiftc -file-prefix-map -Xswiftc "$folder=/hawser" -Xcc "-ffile-prefix-map=$folder=/hawser"
    -Xlinker --build-id=none)

rm -rf "$tree"
mkdir -p "$tree/static" "$tree/dynamic" "$tree/text" "$tree/licenses"

# The C library first. The command is compiled with the same flags, so that the targets which both
# need are compiled once.
SCRATCH=$folder/build BUILD_FLAGS=$(printf '%s\n' "${flags[@]}") bash Packaging/c/build.sh
cp -r "$folder/build/dist" "$tree/c"

# link NAME MODULE SCRATCH LIBRARY...: the program with Swift inside, as `swift build` has linked
# it, and a second time from the same objects without any shared library.
link() {
    local scratch=$3/release
    cp "$scratch/$1" "$tree/dynamic/$1"
    swiftc -static-executable -emit-executable -o "$tree/static/$1" -Xlinker --gc-sections \
        -Xlinker --defsym -Xlinker "main=$2_main" @"$scratch/$1.product/Objects.LinkFileList" \
        "${@:4}" -Xlinker --build-id=none -Xlinker -s
    strip --strip-all "$tree/dynamic/$1"
}
release=(swift build -c release -Xswiftc -static-stdlib "${flags[@]}")
"${release[@]}" --scratch-path "$folder/build" --product hawser
link hawser HawserCommand "$folder/build" -lyaml -lssl -lcrypto
"${release[@]}" --scratch-path "$folder/serve" --package-path Sources/Integrations/Serve \
    --product hawser-serve
link hawser-serve hawser_serve "$folder/serve" -lcrypto

strip --strip-unneeded "$tree"/c/lib/*.so.0 "$tree"/c/lib/hawser/*.so
strip --strip-debug --enable-deterministic-archives "$tree"/c/lib/*.a
python3 Packaging/dist/finish.py "$commit" "$toolchain" "$tree"/{static,dynamic}/* "$tree"/c/lib/*.so.0 \
    "$tree"/c/lib/hawser/*.so

# Texts, by the program that was just built.
hawser=$tree/static/hawser
"$hawser" version --verbose >"$tree/text/version.txt"
grep -q "^commit  *$commit\$" "$tree/text/version.txt" || fail "the program does not state its commit: $(cat "$tree/text/version.txt")"
"$hawser" man >"$tree/text/hawser.1"
"$hawser" schema >"$tree/text/policy.schema.json"
for shell in bash zsh fish; do "$hawser" completions "$shell" >"$tree/text/completions.$shell"; done

# The licences of everything inside, and the versions of all inputs.
for checkout in "$folder"/serve/checkouts/*/; do
    for file in "$checkout"{LICENSE,NOTICE}.txt; do
        [ ! -f "$file" ] || install -D -m 644 "$file" "$tree/licenses/$(basename "$checkout")/$(basename "$file")"
    done
done
python3 Packaging/dist/facts.py "$version" "$commit" "$toolchain" Packaging/dist/packages.resolved >"$tree/facts.json"
cat "$tree/text/version.txt"
