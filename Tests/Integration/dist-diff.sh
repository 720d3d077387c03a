#!/usr/bin/env bash
# The comparison of two commands (`dist-diff.py`): a command beside itself is equal, and each
# planted weakening is found: a check that is left out, a default that is laxer, a policy that
# compiles and did not, a table that does not load, a command that dies. The planted ones are
# wrappers of the command.
#
#   Tests/Integration/dist-diff.sh [HAWSER]     by default .build-static/release/hawser
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
bash "$root/.ci/system-packages" python3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

printf '== vectors as units and rows\n'
cases=$root/../shared/conformance/cases
if [ ! -d "$cases" ]; then
    echo 'skipped: there are no public vectors'
    cases=$scratch/cases
    mkdir "$cases"
fi
python3 "$root/Tests/Conformance/Vectors/units.py" "$cases" "$scratch/vectors"
mkdir -p "$scratch/vectors"

# A few recipes, so that each comparison takes seconds.
mkdir -p "$scratch/policies/invalid"
for recipe in bank startup-pin-digests revocation-flags another-name; do cp -r "$root/policies/$recipe" "$scratch/policies"; done
cp "$root"/policies/invalid/HW20*.yaml "$scratch/policies/invalid"

compared() { # STATUS WHAT OLD NEW [OPTION...]
    local status=0
    python3 "$root/Tests/Integration/dist-diff.py" --old "$3" --new "$4" --policies "${policies:-$scratch/policies}" \
        --names 0.1.0 0.2.0 --json "$scratch/answer.json" --markdown "$scratch/answer.md" "${@:5}" \
        >"$scratch/said" 2>&1 || status=$?
    [ "$status" -eq "$1" ] || { cat "$scratch/said"; fail "$2: ended with $status and not with $1"; }
    printf '%-34s exit %s: %s\n' "$2" "$status" "$(head -n 1 "$scratch/said")"
}
says() { grep -q -- "$1" "$scratch/said" || { cat "$scratch/said"; fail "it does not say \`$1\`"; }; }
wrapper() { # NAME BODY: the command with something planted; `$real` is the command itself
    printf '#!/usr/bin/env bash\nreal=%q\n%s\nexec "$real" "$@"\n' "$hawser" "$2" >"$scratch/$1"
    chmod +x "$scratch/$1"
}

printf '== the command beside itself, over every policy and vector\n'
policies=$root/policies compared 0 'itself' "$hawser" "$hawser" --vectors "$scratch/vectors"
says 'policies and [0-9,]* rows, 0.2.0 accepts nothing that 0.1.0 refused\.$'
grep -q '^\*\*Of .*\*\*$' "$scratch/answer.md" || fail 'the Markdown lacks the sentence'
printf '%s rows judged\n' "$(sed -nE 's/^rows +([0-9,]+)$/\1/p' "$scratch/said")"

printf '== planted weakenings\n'
# A check is left out: what the engine refuses for the name is accepted.
wrapper no-name 'if [ "$1" = audit ]; then
    exec "$real" "$@" | sed "s/\"verdict\":\"reject\"\(.*\"id\":\"name-mismatch\"\)/\"verdict\":\"accept\"\1/"
fi'
compared 1 'names are not compared' "$hawser" "$scratch/no-name"
says '0.2.0 accepts [0-9]* rows that 0.1.0 refused'
says '`another-name/.*reject -> accept'
# Another table of the same policy: revocation is not demanded any more.
wrapper lax 'if [ "$1" = compile ] && [ -d "$2" ]; then
    copy=$(mktemp -d)
    cp -r "$2/." "$copy"
    sed -i "s/preset: require/preset: best-effort/" "$copy"/*policy.yaml
    "$real" compile "$copy" "${@:3}"
    status=$?
    rm -rf "$copy"
    exit $status
fi'
compared 1 'a laxer default' "$hawser" "$scratch/lax"
says 'to a table that may accept what 0.1.0.s refused'
compared 0 'a stricter default' "$scratch/lax" "$hawser"
says 'accepts no more, and not the same'
# A policy that is refused compiles.
wrapper lenient 'if [ "$1" = compile ] && [ "${2##*/}" = HW203.yaml ]; then
    exec "$real" compile "${2%.yaml}.meant.yaml" "${@:3}"
fi'
compared 1 'a mistake that compiles' "$hawser" "$scratch/lenient"
says 'that 0.1.0 refused to compile'
says '`invalid/HW203.yaml`'
compared 0 'a mistake that is refused' "$scratch/lenient" "$hawser"
says 'Policies that 0.2.0 refuses and 0.1.0 compiled'
# What only the newer commit has is new, and not weaker.
mkdir "$scratch/older"
cp -r "$scratch/policies/bank" "$scratch/older"
wrapper unaware 'if [ "$1" = compile ] && [ "${2##*/}" = startup-pin-digests ]; then echo "error[HW100]: no such key" >&2; exit 1; fi'
compared 0 'a new policy that only it compiles' "$scratch/unaware" "$hawser" --old-policies "$scratch/older"
says 'New policies that only 0.2.0 compiles'
compared 1 'an old policy that only it compiles' "$scratch/unaware" "$hawser"
wrapper old-table 'if [ "$1" = inspect ] && [[ $2 = */new.table ]]; then echo "error: another version" >&2; exit 2; fi'
compared 0 'a table that does not load' "$scratch/old-table" "$hawser"
says 'Tables that do not load'
says '[0-9]* policies, such as `another-name`: the new table by the old command: error: another version'

printf '== what could not be compared is not "nothing"\n'
wrapper dies 'if [ "$1" = audit ]; then kill -SEGV $$; fi'
compared 2 'a command that dies' "$hawser" "$scratch/dies"
says 'not compared'
wrapper other-format 'if [ "$1" = diff ] || { [ "$1" = inspect ] && [[ $2 = */old.table ]]; }; then
    echo "error: old.table is of an older format" >&2
    exit 2
fi'
compared 2 'old tables that do not load' "$scratch/lax" "$scratch/other-format"
says '^Of [0-9,]* rows, 0.2.0 accepts none that 0.1.0 refused, but of [0-9]* policies the tables of [0-9]* could not be compared\.$'
wrapper silent 'if [ "$1" = audit ]; then exit 0; fi'
compared 2 'a command without answers' "$hawser" "$scratch/silent"
wrapper refuses 'if [ "$1" = audit ]; then exec "$real" "$@" | sed "s/\"verdict\":\"accept\"/\"verdict\":\"reject\"/"; fi'
compared 2 'a command that refuses everything' "$scratch/refuses" "$scratch/refuses"
says 'nothing is known'
mkdir "$scratch/empty"
policies=$scratch/empty compared 2 'no policy' "$hawser" "$hawser"

printf '== all passed\n'
