# What the tests of `hawser run` begin with; they source this file, with `root` set and the command
# as argument. They stand then in an empty folder, with the command and the library installed beside
# it, and end their `children`. `at_end`, where it is a function, is called at the end.
#
# CONFIGURATION=debug takes the library, and by default the command, from the build of the tests.
# DIST=FOLDER takes the library from where Packaging/c/build.sh has left it, and builds none.
export CONFIGURATION=${CONFIGURATION:-release}
hawser=$(realpath "${1:-$root/.build/$CONFIGURATION/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
dist=${DIST:-}
if [ -z "$dist" ]; then
    bash "$root/Packaging/c/build.sh"
    dist=$root/.build-c/dist
    [ "$CONFIGURATION" = release ] || dist=$root/.build-c-debug/dist
fi

scratch=$(mktemp -d)
# Users of servers come through.
chmod 755 "$scratch"
children=()
finish() {
    for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
    if declare -F at_end >/dev/null; then at_end; fi
    rm -rf "$scratch"
}
trap finish EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
source "$root/Tests/Integration/port-of.sh"
helpers=$root/Tests/Integration/run
# As it is installed: the command finds the library by itself.
mkdir -p "$scratch/usr/bin"
cp -r "$dist/lib" "$scratch/usr/lib"
cp "$hawser" "$scratch/usr/bin/hawser"
hawser=$scratch/usr/bin/hawser
mkdir "$scratch/rig"
cd "$scratch/rig"
unset PGSSLMODE LD_PRELOAD http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY

# Starts recorder.py. Sets `https` and `postgres`, its ports.
record() { # NAME...: of the servers, each with a certificate
    : > recorder.txt
    python3 "$helpers/recorder.py" record.txt "$@" > recorder.txt 2>&1 &
    children+=($!)
    for _ in $(seq 200); do
        if read -r https postgres < recorder.txt && [ -n "$postgres" ]; then return; fi
        read -r -t 0.05 _ <> <(:) || true
    done
    fail "no recorder: $(cat recorder.txt)"
}
# Waits until the recorder has seen as many connections as COUNT since it was last asked. Sets
# `came`: a line for each, the server name and how many octets came after the handshake, with `-`
# for no name and for no handshake.
seen=0
recorded() { # COUNT
    local lines
    for _ in $(seq 200); do
        lines=$(wc -l < record.txt)
        [ "$((lines - seen))" -lt "$1" ] || break
        read -r -t 0.05 _ <> <(:) || true
    done
    came=$(tail -n "+$((seen + 1))" record.txt)
    [ "$((lines - seen))" = "$1" ] || fail "not $1 but $((lines - seen)) connections came: $came"
    seen=$lines
}
