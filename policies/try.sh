#!/usr/bin/env bash
# What `make run` shows: one verdict of each kind on a chain that a real site presented, explained.
set -uo pipefail
hawser=$1
here=policies/real-site

show() {
    printf '\n$ hawser %s\n' "$*"
    "$hawser" "$@"
}

show explain fastly.com --policy $here --chain $here/cases/at-its-time/chain.pem --at 2026-02-28
[ $? -eq 0 ] || { echo 'expected an accept (exit 0)' >&2; exit 1; }
show explain fastly.com --policy $here --chain $here/cases/at-its-time/chain.pem --at 2027-03-29
[ $? -eq 1 ] || { echo 'expected a reject (exit 1)' >&2; exit 1; }

tool=${hawser#"$PWD"/}
cat <<NEXT

Try next:
  $tool explain fastly.com --policy $here --chain $here/cases/at-its-time/chain.pem --at 2026-02-28 --trace
  $tool show fastly.com --policy $here
  $tool explain www.site.example --policy policies/classic-failures \\
      --chain policies/classic-failures/cases/wrong-name/chain.pem --at 2026-06-01
  $tool check policies/invalid/HW208.yaml
  $tool explain HOST --policy YOUR-UNIT --connect ADDRESS
NEXT
