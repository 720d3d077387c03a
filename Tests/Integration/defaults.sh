#!/usr/bin/env bash
# The defaults of a store on a file, in Swift, C, Python, Go and Node: a program in each opens one
# with nothing said but its path. Another table is put in its place, and then a damaged one. The
# table of defaults is printed, and Packaging/README.md has the same one.
#
#   Tests/Integration/defaults.sh [HAWSER]
#
# HAWSER is by default .build/release/hawser. The library is built, and StoreVictim, the program in
# Swift.
#
# CONFIGURATION=debug takes the library, and by default the command, from the build of the tests.
# BUILT=1 takes the libraries and StoreVictim as they are.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
export CONFIGURATION=${CONFIGURATION:-release}
hawser=$(realpath "${1:-$root/.build/$CONFIGURATION/hawser}")
[ -x "$hawser" ] || { echo "not an executable: $hawser" >&2; exit 2; }
if [ -z "${BUILT:-}" ]; then
    bash "$root/Packaging/c/build.sh"
    (cd "$root" && swift build --product StoreVictim)
fi
dist=$root/.build-c/dist
[ "$CONFIGURATION" = release ] || dist=$root/.build-c-debug/dist
export PKG_CONFIG_PATH=$dist/lib/pkgconfig LD_LIBRARY_PATH=$dist/lib
here=$root/Tests/Integration/defaults

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
source "$root/Tests/Integration/find-go.sh"
find_go "$scratch"

"$hawser" compile "$root/policies/classic-failures" --output "$scratch/one.table" > /dev/null
cp -r "$root/policies/classic-failures" "$scratch/other"
printf '  another:\n    hosts: ["another.site.example"]\n    anchors: [site]\n' >> "$scratch/other/policy.yaml"
"$hawser" compile "$scratch/other" --output "$scratch/other.table" > /dev/null

# shellcheck disable=SC2046
cc -Wall -Wextra -Werror "$here/defaults.c" -o "$scratch/in-c" $(pkg-config --cflags --libs hawser)
mkdir "$scratch/go"
cp "$here/go/main.go" "$scratch/go"
(
    cd "$scratch/go"
    "$go" mod init program 2> /dev/null
    "$go" mod edit -require=git.example/hawser/Packaging/go@v0.0.0 \
        -replace=git.example/hawser/Packaging/go="$root/Packaging/go"
    "$go" build -o "$scratch/in-go" .
)
python3 "$root/Packaging/python/build.py" "$dist" "$scratch/dist" > /dev/null
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$scratch"/dist/*.whl

mkdir "$scratch/node_modules"
tar -xzf "$(python3 "$root/Packaging/node/build.py" "$dist" "$scratch/dist")" -C "$scratch/node_modules"
mv "$scratch/node_modules/package" "$scratch/node_modules/hawser-tls"
cp "$here/program.js" "$scratch"

python3 "$here/defaults.py" "$scratch/one.table" "$scratch/other.table" "$root/Packaging/README.md" \
    "Swift=$root/.build/debug/StoreVictim defaults" "C=$scratch/in-c" \
    "Python=$scratch/venv/bin/python $here/program.py" "Go=$scratch/in-go" \
    "Node=node $scratch/program.js" 2> "$scratch/said" \
    || { cat "$scratch/said" >&2; exit 1; }
