#!/usr/bin/env bash
# What `make run` shows: one verdict of each kind on chains of policies/classic-failures, explained.
set -uo pipefail
hawser=$1
here=policies/classic-failures

show() {
    printf '\n$ hawser %s\n' "$*"
    "$hawser" "$@"
}

show explain www.site.example --policy $here --chain $here/cases/good/chain.pem --at 2026-06-01
[ $? -eq 0 ] || { echo 'expected an accept (exit 0)' >&2; exit 1; }
show explain www.site.example --policy $here --chain $here/cases/expired/chain.pem --at 2028-06-01
[ $? -eq 1 ] || { echo 'expected a reject (exit 1)' >&2; exit 1; }

cat <<NEXT

Try next:
  $hawser explain www.site.example --policy $here --chain $here/cases/good/chain.pem --at 2026-06-01 --trace
  $hawser show www.site.example --policy $here
  $hawser check policies/invalid/HW208.yaml
  $hawser explain HOST --policy YOUR-UNIT --connect HOST
NEXT
