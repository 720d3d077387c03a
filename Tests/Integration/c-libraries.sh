#!/usr/bin/env bash
# Target CLibC beside other C libraries than the one that Hawser is built with.
#
# - The module is compiled with glibc, with musl, and with the headers of Apple's C library, for
#   both of its processors. With glibc and musl it is run too, and as on a system without notices
#   about files and without flags of sockets.
# - The targets that import it are typechecked with musl's headers, and target Hawser with Apple's,
#   with its files for Apple's systems against `Tests/AppleStubs`. Swift's own modules are Linux's,
#   so that names which Swift has on one system only are not seen.
# - Uses that fit one C library are planted: the typecheck must refuse each.
#
#   Tests/Integration/c-libraries.sh [BUILD]     a folder of a debug build with the targets, by
#                                                default .build/debug
#
# Needs musl-tools, libssl-dev, and the network (PyPI): the package ziglang has Apple's headers.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath "${1:-$root/.build/debug}")
[ -f "$build/Modules/Hawser.swiftmodule" ] || { echo "$build has no build of target Hawser" >&2; exit 2; }
cd "$root"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check 'ziglang==0.17.*'
headers=$(echo "$scratch"/venv/lib/python3*/site-packages/ziglang/lib/libc/include/any-darwin-any)
[ -f "$headers/sys/event.h" ] || fail "ziglang has Apple's headers elsewhere"

# Apple's headers take size_t and its like from modules of Apple's compiler. Here they come from
# two headers that stand before them.
darwin=$scratch/darwin
mkdir "$darwin"
cp -r "$headers" "$darwin/include"
sed -i 's/#define USE_CLANG_TYPES 1/#define USE_CLANG_TYPES 0/' \
    "$darwin"/include/{i386,arm,sys}/_types.h
cat >"$darwin/include/stddef.h" <<'HEADER'
#ifndef PLAIN_STDDEF
#define PLAIN_STDDEF
typedef __SIZE_TYPE__ size_t;
typedef __SIZE_TYPE__ rsize_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#if defined(__need_wint_t) && !defined(PLAIN_WINT)
#define PLAIN_WINT
typedef __WINT_TYPE__ wint_t;
#endif
HEADER
mkdir "$darwin/first"
cat >"$darwin/first/limits.h" <<'HEADER'
#include_next <limits.h>
#ifndef INT_MAX
#define CHAR_BIT __CHAR_BIT__
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#define ULONG_MAX (__LONG_MAX__ * 2UL + 1UL)
#endif
HEADER

# ---- The module itself ----

strict=(-std=c11 -Wall -Wextra -Werror -ISources/CLibC/include)
apple=(-nostdlibinc -isystem "$darwin/first" -isystem "$darwin/include")
for processor in arm64 x86_64; do
    clang -target $processor-apple-macosx26 "${apple[@]}" "${strict[@]}" \
        -c Sources/CLibC/hwlibc.c -o "$scratch/object"
done

runs=0
run() { # COMPILER...
    mkdir -p "$scratch/folder"
    "$@" -D_GNU_SOURCE "${strict[@]}" -pthread Tests/Integration/c-libraries/module.c -o "$scratch/module"
    timeout 60 "$scratch/module" "$scratch/folder" || fail "the module does not work: $*"
    runs=$((runs + 1))
}
run clang
run clang -DHWLIBC_PORTABLE
gcc=(-static -D_Nonnull= -D_Nullable= -Wno-attributes) # words that only clang knows
run musl-gcc "${gcc[@]}"
run musl-gcc "${gcc[@]}" -DHWLIBC_PORTABLE

# ---- Targets with other headers ----

# Modules of the build name glibc's module, and use nothing of it here.
mkdir "$scratch/glibc" "$scratch/stubs"
touch "$scratch/glibc/none.h"
echo 'module SwiftGlibc { header "none.h" export * }' >"$scratch/glibc/module.modulemap"
# The headers of OpenSSL and libyaml, and the kernel's for musl, without glibc's.
mkdir -p "$scratch/libraries/openssl" "$scratch/kernel"
machine=/usr/include/$(gcc -print-multiarch)
cp /usr/include/openssl/*.h "$machine"/openssl/*.h "$scratch/libraries/openssl"
cp /usr/include/yaml.h "$scratch/libraries"
ln -s /usr/include/linux /usr/include/asm-generic "$machine/asm" "$scratch/kernel"

for module in CoreFoundation Security Foundation; do
    swiftc -emit-module -parse-as-library -swift-version 6 -module-name "$module" -I "$scratch/stubs" \
        -o "$scratch/stubs/$module.swiftmodule" Tests/AppleStubs/"$module"/*.swift
done

source Tests/Integration/package-of.sh
package=$(package_of "$build")
toolchain=$(dirname "$(dirname "$(realpath "$(command -v swiftc)")")")
flags=(
    -plugin-path "$toolchain/lib/swift/host/plugins"
    -strict-memory-safety -swift-version 6 -package-name "$package" -D SWIFT_PACKAGE
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -I "$build/Modules" -Xcc -ISources/CHawserABI/include
    -Xcc "-fmodule-map-file=$scratch/glibc/module.modulemap")
for library in CLibCrypto CLibSSL CLibYAML; do
    flags+=(-Xcc "-fmodule-map-file=$root/Sources/$library/module.modulemap")
done
for target in Sources/C*; do
    target=$(basename "$target")
    if [ -f "$build/$target.build/module.modulemap" ]; then
        flags+=(-Xcc "-fmodule-map-file=$build/$target.build/module.modulemap")
    fi
done
processor=$(uname -m)
# shellcheck disable=SC2034
musl=(
    -nostdlibinc -target "$processor-linux-musl" -D_GNU_SOURCE -isystem "/usr/include/$processor-linux-musl"
    -isystem "$scratch/kernel")
# shellcheck disable=SC2034
macos=("${apple[@]}" -target "${processor/aarch64/arm64}-apple-macosx26")

frontend() { # SYSTEM MODULE ARGUMENT...: of the frontend, with the headers of a system
    local -n system=$1
    local option clang=()
    for option in "${system[@]}" -isystem "$scratch/libraries"; do clang+=(-Xcc "$option"); done
    swiftc -frontend -typecheck "${flags[@]}" "${clang[@]}" -module-cache-path "$scratch/cache-$1" \
        -module-name "$2" "${@:3}"
}

checked=0
check() { # SYSTEM TARGET [OPTION...]
    local said files
    mapfile -t files < <(find "Sources/$2" -name '*.swift')
    said=$(frontend "$1" "$2" "${@:3}" -parse-as-library "${files[@]}" 2>&1) ||
        fail "target $2 with the headers of $1:"$'\n'"$said"
    # The one warning is about the headers themselves.
    if grep 'warning:' <<<"$said" | grep -v 'libc not found for'; then fail "target $2 with the headers of $1"; fi
    checked=$((checked + 1))
}
for target in Hawser TLSProbe CHawser HawserCommand; do check musl $target; done
check macos Hawser -I "$scratch/stubs"

plants=0
plant() { # SYSTEM FILE OLD NEW WORDS: with NEW in the place of OLD in a file of target Hawser
    local planted said files
    planted=$scratch/planted/$(basename "$2")
    mkdir -p "$scratch/planted"
    [ "$(grep -cF -- "$3" "$2")" = 1 ] || fail "$2 does not have \`$3\` once"
    OLD=$3 NEW=$4 perl -pe 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "$2" >"$planted"
    mapfile -t files < <(find Sources/Hawser -name '*.swift' -not -path "$2")
    if said=$(frontend "$1" Hawser -I "$scratch/stubs" -primary-file "$planted" "${files[@]}" 2>&1); then
        fail "with the headers of $1, a wrong use is not refused: $4"
    fi
    [[ $said = *"$5"* ]] || fail "\`$4\` is refused in other words than \`$5\`:"$'\n'"$said"
    plants=$((plants + 1))
}
look=Sources/Hawser/Store/System/FileLook.swift
names=Sources/Hawser/Fetching/System/NameResolution.swift
cell=Sources/Hawser/Store/System/SnapshotCell.swift
growing=Sources/Hawser/System/GrowingFile.swift
plant musl "$names" 'SOCK_STREAM' 'Int32(SOCK_STREAM.rawValue)' "no member 'rawValue'"
plant macos "$names" 'SOCK_STREAM' 'Int32(SOCK_STREAM.rawValue)' "no member 'rawValue'"
plant macos "$look" 'hwlibc_modified(status)' 'status.st_mtim' "no member 'st_mtim'"
plant macos "$cell" 'hwlibc_thread()' 'pthread_self()' 'pthread_t'
plant macos "$growing" 'SEEK_SET) == octets' 'SEEK_SET) == octets && posix_fadvise(descriptor, 0, 0, 4) == 0' \
    "cannot find 'posix_fadvise'"

echo "$runs runs of the module; $checked targets with other headers; $plants wrong uses refused"
