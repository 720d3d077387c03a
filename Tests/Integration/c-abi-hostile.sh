#!/usr/bin/env bash
# libhawser.so and its host built with the address sanitizer: the fuzz corpus and the chains and
# evidence of policies/ in every place that takes octets, with octets changed, arguments that cannot
# be, and threads that misuse one another's objects.
#
#   Tests/Integration/c-abi-hostile.sh HAWSER [ROUNDS [SEED]]     ROUNDS changed copies of each
#                                                                 file, by default 3
#
# The corpus is the output of `Tests/Fuzz/fuzz.sh` in .build-fuzz, and the files in
# Tests/Fuzz/Corpus.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:?the command}")
rounds=${2:-3}
seed=${3:-20260601}
cd "$root"
export SWIFT_BACKTRACE=enable=no

# The sanitizer's runtime is in the host, and must be the one that Swift's compiler instruments for.
clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
SANITIZE=address CC=$clang bash Packaging/c/build.sh
dist=$root/.build-c-address/dist
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$clang" -std=gnu11 -O1 -g -Wall -Wextra -Werror -fsanitize=address -fno-omit-frame-pointer -I"$dist/include" \
    Tests/Integration/c-abi/hostile.c -o "$scratch/hostile" -L"$dist/lib" -lhawser -lpthread \
    -Wl,-rpath,"$dist/lib" 2> >(grep -v '__asan_' >&2)

"$hawser" compile policies/classic-failures --output "$scratch/policy.table" > /dev/null
python3 - "$scratch" <<'PY'
import base64, pathlib, re, sys
scratch = pathlib.Path(sys.argv[1])
count = 0
for path in sorted(pathlib.Path("policies").glob("*/cases/*/chain.pem")):
    for _, text in re.findall(r"-----BEGIN ([^\n]*)-----\n(.*?)-----END \1-----", path.read_text("latin-1"), re.S):
        name = "good-%d.der" % count if path.parts[1:4] == ("classic-failures", "cases", "good") else None
        (scratch / (name or f"{path.parts[1]}-{path.parts[3]}-{count}.der")).write_bytes(base64.b64decode(text))
        count += 1
PY
mapfile -t chain < <(find "$scratch" -name 'good-*.der' | sort -V)
mapfile -t evidence < <(find policies -name '*.crl' | sort)
mapfile -t rest < <(
    find policies -name '*.ocsp' -o -name '*.sct' -o -name 'log_list.json' | sort
    # One end entity for each shape is plenty: chains repeat theirs.
    find "$scratch" -name '*.der' ! -name 'good-*' -size -64k | sort | awk 'NR % 8 == 1'
    echo "$scratch/policy.table"
    find Tests/Fuzz/Corpus .build-fuzz/seeds .build-fuzz/corpus -type f -size -256k 2>/dev/null | sort | awk 'NR <= 3000'
)
# Leaks are not looked for: what Swift keeps in globals for the life of a process counts as leaked.
ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0 timeout -k 10 1800 "$scratch/hostile" \
    "$scratch/policy.table" "$rounds" "$seed" "${chain[@]:0:2}" "${evidence[@]}" "${rest[@]}"
