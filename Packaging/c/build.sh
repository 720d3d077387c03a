#!/usr/bin/env bash
# Builds libhawser.so.0 with the Swift runtime inside, the drop-in for OpenSSL on top of it, and the
# two libraries of `hawser run`, and installs all of them with headers and pkg-config files.
#
#   Packaging/c/build.sh                        build into .build-c/dist
#   DESTDIR=/pkg PREFIX=/usr Packaging/c/build.sh install
#
# PREFIX is /usr/local unless said, LIBDIR PREFIX/lib. Needs the Swift toolchain, a C compiler (CC,
# by default cc), libssl's headers and pkg-config. With SANITIZE=address everything is built with
# that sanitizer and kept apart, in .build-c-address; the host must then be built with it too. With
# CONFIGURATION=debug the library is linked from what `swift build` has compiled for the tests,
# which takes seconds, and is kept in .build-c-debug. With NAMES=kept the names of functions stay,
# for tools that report by them. A release builds in SCRATCH in place of .build-c, and `swift build`
# takes each line of BUILD_FLAGS as a further argument.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
what=${1:-build}
case $what in build | install) ;; *) echo "usage: build.sh [build|install]" >&2; exit 2 ;; esac
sanitize=${SANITIZE:-}
case ${CONFIGURATION:-release}:$what:$sanitize in
release:*) scratch=${SCRATCH:-.build-c${sanitize:+-$sanitize}} ;;
debug:build:) scratch=.build-c-debug ;;
debug:*) echo 'build.sh: a debug build is for tests: it is not installed, and takes no SANITIZE' >&2; exit 2 ;;
*) echo 'build.sh: CONFIGURATION is release or debug' >&2; exit 2 ;;
esac
cc=${CC:-cc}
prefix=${PREFIX:-/usr/local}
libdir=${LIBDIR:-$prefix/lib}
dist=$scratch/dist
stated=Sources/CVersion/include/hawser_version.h
version=$(sed -n 's/^#define HAWSER_VERSION "\([^"]*\)"$/\1/p' "$stated")
fail() { printf 'build.sh: %s\n' "$1" >&2; exit 1; }
[ -n "$version" ] || fail "no version in $stated"

# Whole at build time or not at all: an undefined symbol would abort the host at the first call.
linker=(-Xlinker -soname -Xlinker libhawser.so.0 -Xlinker -z -Xlinker defs
    -Xlinker --version-script="$root/Packaging/c/exports.map" -Xlinker --gc-sections)
library=$scratch/release/libCHawser.so
# -S takes debugging information away, -s the names of functions too.
strip=-s
[ "${NAMES:-}" != kept ] || strip=-S
# SwiftPM does not link again for other flags.
rm -f "$scratch"/*/release/libCHawser.so
if [ "$scratch" = .build-c-debug ]; then
    swift build --product CHawser
    mkdir -p "$scratch"
    library=$scratch/libCHawser.so
    swiftc -emit-library -static-stdlib -module-name CHawser -o "$library" "${linker[@]}" -lcrypto \
        @"$(swift build --show-bin-path)/CHawser.product/Objects.LinkFileList"
elif [ -z "$sanitize" ]; then
    further=()
    [ -z "${BUILD_FLAGS:-}" ] || mapfile -t further <<<"$BUILD_FLAGS"
    swift build -c release --product CHawser --scratch-path "$scratch" -Xswiftc -static-stdlib \
        ${further[@]+"${further[@]}"} "${linker[@]}" -Xlinker "$strip"
else
    # The sanitizer's runtime is the host's, so symbols of it stay open; and names stay
    # for its reports.
    swift build -c release --product CHawser --scratch-path "$scratch" -Xswiftc -static-stdlib \
        --sanitize "$sanitize" -Xlinker -soname -Xlinker libhawser.so.0 \
        -Xlinker --version-script="$root/Packaging/c/exports.map"
fi

rm -rf "$dist"
mkdir -p "$dist/lib/pkgconfig" "$dist/include"
install -m 644 Sources/CHawserABI/include/hawser.h Sources/CHawserOpenSSL/include/hawser_openssl.h "$dist/include/"
install -m 755 "$library" "$dist/lib/libhawser.so.0"
ln -sf libhawser.so.0 "$dist/lib/libhawser.so"

flags=(-std=gnu11 -O2 -g -fPIC -Wall -Wextra -Werror -I"$dist/include" -ffile-prefix-map="$root"=.
    -ffile-prefix-map="$dist"=./dist)
if [ -n "$sanitize" ]; then flags+=("-fsanitize=$sanitize" -fno-omit-frame-pointer); fi
read -ra ssl_flags <<<"$(pkg-config --cflags libssl)"
read -ra ssl_libs <<<"$(pkg-config --libs libssl libcrypto)"
objects=()
for source in Sources/CHawserOpenSSL/*.c; do
    object=$scratch/$(basename "$source" .c).o
    "$cc" "${flags[@]}" ${ssl_flags[@]+"${ssl_flags[@]}"} -c "$source" -o "$object"
    objects+=("$object")
done
ar rcs "$dist/lib/libhawser_openssl.a" "${objects[@]}"
undefined=(-Wl,-z,defs)
if [ -n "$sanitize" ]; then undefined=("-fsanitize=$sanitize"); fi
"$cc" -shared -Wl,-soname,libhawser_openssl.so.0 \
    -Wl,--version-script="$root/Packaging/c/exports-openssl.map" "${undefined[@]}" -o "$dist/lib/libhawser_openssl.so.0" \
    "${objects[@]}" -L"$dist/lib" -lhawser "${ssl_libs[@]}"
ln -sf libhawser_openssl.so.0 "$dist/lib/libhawser_openssl.so"

# The two libraries of `hawser run`: one is loaded into every program and needs only the C library;
# it loads the other where a program makes a TLS context. A sanitizer is for programs that are built
# with it.
if [ -z "$sanitize" ]; then
    mkdir -p "$dist/lib/hawser"
    "$cc" "${flags[@]}" -fvisibility=hidden -ftls-model=initial-exec ${ssl_flags[@]+"${ssl_flags[@]}"} -shared \
        -Wl,--version-script="$root/Packaging/c/exports-run.map" -Wl,-z,defs -Wl,-z,now \
        -o "$dist/lib/hawser/libhawser_run.so" \
        Sources/CHawserRun/{preload,libraries,passages,lookups}.c
    # dlopen takes the paths of its caller by the return address, so ours must not be one.
    for name in dlopen dlmopen; do
        last=$(objdump -d --no-show-raw-insn --disassemble=$name "$dist/lib/hawser/libhawser_run.so" \
            | grep -cE '\s(jmp|br)\s.*(\*|x[0-9])' || true)
        [ "$last" -gt 0 ] || fail "$name of libhawser_run.so calls the real one and does not jump to it"
    done
    "$cc" "${flags[@]}" ${ssl_flags[@]+"${ssl_flags[@]}"} -shared \
        -Wl,--version-script="$root/Packaging/c/exports-judge.map" -Wl,-z,defs \
        -Wl,--enable-new-dtags -Wl,-rpath,\$ORIGIN:\$ORIGIN/.. -o "$dist/lib/hawser/libhawser_judge.so" \
        Sources/CHawserRun/judge.c "${objects[@]}" -L"$dist/lib" -lhawser "${ssl_libs[@]}"
    for library in $(readelf -d "$dist/lib/hawser/libhawser_run.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        case $library in libc.so.* | ld-linux*) ;; *) fail "libhawser_run.so needs $library" ;; esac
    done
fi

pkgconfig() { # TEMPLATE PREFIX LIBDIR
    sed -e "s|@PREFIX@|$2|; s|@LIBDIR@|$3|; s|@VERSION@|$version|" "Packaging/c/$1.pc.in"
}

# What the library promises of itself.
needed=$(readelf -d "$dist/lib/libhawser.so.0" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
exported=$(nm -D --defined-only --extern-only "$dist/lib/libhawser.so.0" | awk '{print $3}' | sort)
declared=$(grep -o '\bhawser_[a-z_]*(' Sources/CHawserABI/include/hawser.h | tr -d '(' | sort -u)
if [ -z "$sanitize" ]; then
    for library in $needed; do
        case $library in
        libcrypto.so.* | libm.so.* | libstdc++.so.* | libgcc_s.so.* | libc.so.* | ld-linux*) ;;
        *) fail "libhawser.so needs $library" ;;
        esac
    done
fi
readelf -d "$dist/lib/libhawser.so.0" | grep -q 'SONAME.*\[libhawser.so.0\]' || fail "libhawser.so has another soname"
[ "$exported" = "$declared" ] || fail "exported and declared differ: $(diff <(echo "$exported") <(echo "$declared"))"
if strings -a "$dist/lib/libhawser.so.0" | grep -q 'FoundationEssentials\|_CFRuntime\|CFString'; then
    fail "Foundation is inside"
fi
printf 'libhawser.so.0 %s octets, needs %s\n' "$(stat -c %s "$dist/lib/libhawser.so.0")" "$needed"

for name in hawser hawser-openssl; do
    # Wherever the folder stands.
    # shellcheck disable=SC2016
    pkgconfig "$name" '${pcfiledir}/../..' '${pcfiledir}/..' > "$dist/lib/pkgconfig/$name.pc"
done

if [ "$what" = install ]; then
    into=${DESTDIR:-}
    install -d "$into$libdir/pkgconfig" "$into$prefix/include"
    install -m 644 "$dist"/include/*.h "$into$prefix/include/"
    install -m 755 "$dist/lib/libhawser.so.0" "$dist/lib/libhawser_openssl.so.0" "$into$libdir/"
    install -m 644 "$dist/lib/libhawser_openssl.a" "$into$libdir/"
    if [ -z "$sanitize" ]; then
        install -d "$into$libdir/hawser"
        install -m 755 "$dist"/lib/hawser/*.so "$into$libdir/hawser/"
    fi
    ln -sf libhawser.so.0 "$into$libdir/libhawser.so"
    ln -sf libhawser_openssl.so.0 "$into$libdir/libhawser_openssl.so"
    for name in hawser hawser-openssl; do
        pkgconfig "$name" "$prefix" "$libdir" > "$into$libdir/pkgconfig/$name.pc"
    done
fi
