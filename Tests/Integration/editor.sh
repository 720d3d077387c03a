#!/usr/bin/env bash
# `hawser lsp` under the clients that people have: pytest-lsp, whose types every message must fit,
# headless Neovim, and Emacs with eglot. Each types a mistake, sees it, mends it, and renames an
# anchor set over three files. Then hostile editors and folders; and both editors change policies
# with random commands, after which the server must find what `lint` finds in the editor's text.
# No server is asked and nothing outside the scratch folder is read.
# Needs emacs-nox, elpa-eglot, git, neovim, openssl, python3, strace and PyPI.
#
#   Tests/Integration/editor.sh [HAWSER]     by default .build-static/release/hawser
#   SEQUENCES=N      how often each editor changes a policy; by default 1,000 times
#   SEED=N           repeats a run whose seed was printed
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
bash "$root/.ci/system-packages" emacs-nox elpa-eglot git neovim openssl python3 python3-venv strace

scratch=$(realpath "$(mktemp -d)")
trap 'rm -rf "$scratch"' EXIT
export HOME="$scratch/home" TMPDIR="$scratch/tmp" GIT_CONFIG_NOSYSTEM=1 PIP_DISABLE_PIP_VERSION_CHECK=1
export HAWSER="$hawser" PYTHONDONTWRITEBYTECODE=1
unset XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME
mkdir -p "$HOME" "$TMPDIR"
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

unit() { # FOLDER: a unit of three files and a test, committed
    mkdir -p "$1/anchors" "$1/teams"
    (
        cd "$1"
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 \
            -keyout "$scratch/key.pem" -out anchors/root.pem -subj '/CN=Editor Root' \
            -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign 2>/dev/null
        cp "$root/Tests/Integration/editor/policy.yaml" policy.yaml
        cp "$root/Tests/Integration/editor/shop.policy.yaml" teams/shop.policy.yaml
        cp "$root/Tests/Integration/editor/"{unit.test,unit.assert,slow.allow}.yaml .
        cp "$root/Tests/Integration/editor/unit.exports.yaml" exports.yaml
        git init -q -b main
        git add .
        git -c user.name=t -c user.email=t@example.com commit -qm policies
    )
    "$hawser" check "$1"
}

renamed() { # FOLDER: the anchor set has its new name in three files, and the unit is sound
    for file in policy.yaml teams/shop.policy.yaml unit.test.yaml; do
        grep -q 'corp-2' "$1/$file" || fail "$1/$file has not the new name"
        if grep -q 'corp[^-]' "$1/$file"; then fail "$1/$file has the old name"; fi
    done
    "$hawser" check "$1" || fail "$1 does not compile any more"
}

printf '== every request by pytest-lsp, with the types of lsprotocol\n'
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet 'pytest-lsp>=1,<2' 'lsprotocol>=2025,<2026'
unit "$scratch/pytest"
UNIT="$scratch/pytest" "$scratch/venv/bin/pytest" -q -p no:cacheprovider \
    -o asyncio_default_fixture_loop_scope=function "$root/Tests/Integration/editor/test_requests.py"

printf '\n== Neovim %s\n' "$(nvim --version | sed -n '1s/.* //p')"
unit "$scratch/neovim"
(cd "$scratch/neovim" && timeout 120 nvim --headless -u NONE -i NONE -n policy.yaml \
    -c "luafile $root/Tests/Integration/editor/neovim.lua" 2>&1) || fail 'Neovim'
renamed "$scratch/neovim"

printf '\n== Emacs %s with eglot\n' "$(emacs --version | sed -n '1s/.* //p')"
unit "$scratch/emacs"
(cd "$scratch/emacs" && timeout 120 emacs --batch -l "$root/Tests/Integration/editor/eglot.el" 2>&1) ||
    fail 'Emacs'
renamed "$scratch/emacs"

printf '\n== hostile editors and folders\n'
unit "$scratch/template"
python3 "$root/Tests/Integration/editor/hostile.py" "$hawser" "$scratch/template" "$scratch/hostile" ||
    fail 'a hostile case'

export RECORD="$root/Tests/Integration/editor/record.py" COUNT=${SEQUENCES:-1000} SEED=${SEED:-$RANDOM}
unit "$scratch/recorded"
for editor in neovim emacs; do
    printf '\n== edits of %s, recorded and sent again; seed %s\n' "$editor" "$SEED"
    export FINALS="$scratch/finals-$editor" RECORDING="$scratch/recording-$editor"
    mkdir "$FINALS"
    (
        cd "$scratch/recorded"
        cp "$root/Tests/Integration/editor/policy.yaml" .
        sed 's/$/\r/' policy.yaml >crlf.yaml
        sed 's/owner: web/owner: "😀 web 𝔘"/; s/api\.co/ä😀.co/' policy.yaml >emoji.yaml
        printf 'hawser: 1\ndefault: deny' >bare.yaml
        case $editor in
        neovim) timeout 900 nvim --headless -u NONE -i NONE -n \
            -c "luafile $root/Tests/Integration/editor/sequences.lua" ;;
        emacs) timeout 900 emacs --batch -l "$root/Tests/Integration/editor/sequences.el" ;;
        esac >"$scratch/$editor.log" 2>&1
    ) || { tail -n 20 "$scratch/$editor.log" >&2; fail "$editor"; }
    python3 "$root/Tests/Integration/editor/sequences.py" check "$hawser" "$RECORDING" "$FINALS" \
        "$scratch/recorded" || fail "the edits of $editor"
done

left=$(find "$TMPDIR" -name 'hawser-lsp*')
[ -z "$left" ] || fail "files are left behind: $left"
printf '\nthe editors agree\n'
