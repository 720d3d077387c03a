#!/usr/bin/env bash
# libhawser.so and its host built with the thread sanitizer: verdicts, reloads, stores that follow a
# file and are closed, callbacks that close their own store, all at once; and forks, in a run
# of their own and without the sanitizer, which does not follow a process with threads into a child.
#
#   Tests/Integration/c-abi-soak.sh HAWSER [SECONDS]     by default 600 seconds
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:?the command}")
seconds=${2:-600}
cd "$root"
export SWIFT_BACKTRACE=enable=no
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

# The sanitizer's runtime is in the host, and must be the one that Swift's compiler instruments for.
clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
runtime=$(dirname "$clang")/../lib/swift/linux
SANITIZE=thread CC=$clang bash Packaging/c/build.sh
bash Packaging/c/build.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
source Tests/Integration/c-abi/tables.sh
make_tables "$hawser" "$scratch"

dist=$root/.build-c-thread/dist
"$clang" -std=gnu11 -O1 -g -Wall -Wextra -Werror -fsanitize=thread -I"$dist/include" Tests/Integration/c-abi/soak.c \
    -o "$scratch/soak" -L"$dist/lib" -lhawser -lpthread -L"$runtime" -ldispatch -lBlocksRuntime \
    -Wl,-rpath,"$dist/lib" -Wl,-rpath,"$runtime" 2> >(grep -v '__tsan_' >&2)
mkdir "$scratch/files"
TSAN_OPTIONS="halt_on_error=1:exitcode=66:suppressions=$root/Tests/thread-sanitizer.suppressions" \
    timeout -k 10 $((seconds + 300)) "$scratch/soak" "$seconds" "$scratch/files" \
    "$scratch/one.table" "$scratch/other.table" "$scratch/stricter.table" "$host" "$at" "$scratch"/chain-*.der \
    || fail 'the soak'

dist=$root/.build-c/dist
cc -O1 -g -Wall -Wextra -Werror -I"$dist/include" Tests/Integration/c-abi/forking.c -o "$scratch/forking" -L"$dist/lib" \
    -lhawser -Wl,-rpath,"$dist/lib"
timeout -k 10 600 "$scratch/forking" "$scratch/one.table" 500 || fail 'forks'
