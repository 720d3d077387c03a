#!/usr/bin/env bash
# Every object in the place of every other one, and a number in the place of each: none compiles, in
# C or C++. Each object in its own place does. Prints the compiler's words for a verdict that is
# passed as a store.
#
#   handles.sh INCLUDE     the folder of hawser.h
set -euo pipefail
include=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

declare -A give_back=(
    [store]=hawser_store_close [verdict]=hawser_verdict_free [evidence]=hawser_evidence_free
    [demands]=hawser_demands_free [fetcher]=hawser_fetcher_close)
compiles() { # DECLARATION WANTED LANGUAGE: a call that gives back an object of WANTED
    printf '#include <hawser.h>\nint main(void) {\n    %s;\n    return %s(given);\n}\n' "$1" "${give_back[$2]}" > "$scratch/call.c"
    "${compilers[$3]}" -x "$3" -I"$include" -Wall -Werror -fsyntax-only "$scratch/call.c" 2> "$scratch/said-$3.txt"
}
declare -A compilers=([c]="${CC:-cc}" [c++]="${CXX:-c++}")
count=0
for language in c c++; do
    zero='= {0}'
    for wanted in "${!give_back[@]}"; do
        compiles "hawser_$wanted given $zero" "$wanted" "$language" || fail "a $wanted as itself: $(cat "$scratch/said-$language.txt")"
        for given in "${!give_back[@]}" number; do
            [ "$given" != "$wanted" ] || continue
            declaration="hawser_$given given $zero"
            [ "$given" != number ] || declaration='uint64_t given = 0'
            if compiles "$declaration" "$wanted" "$language"; then fail "a $given compiles as a $wanted in $language"; fi
            grep -Eq 'incompatible type|cannot convert|could not convert|no matching function' "$scratch/said-$language.txt" \
                || fail "a $given as a $wanted: $(cat "$scratch/said-$language.txt")"
            count=$((count + 1))
        done
    done
done
compiles 'hawser_verdict given = {0}' store c || sed -n "s|$scratch/||; /error/p" "$scratch/said-c.txt"
echo "$count calls with another object than the function takes do not compile"
