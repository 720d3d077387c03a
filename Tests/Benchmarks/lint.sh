#!/usr/bin/env bash
# `hawser lint` beside the linters that people know, on inputs of the same number of lines, in one
# interleaved run: medians of CPU and wall time of whole processes, and peak memory, as Markdown.
# Needs clang, libyaml's headers and archive, python3 and the network (PyPI).
#
#   Tests/Benchmarks/lint.sh [HAWSER [MOST]]     a fully static one, by default
#                                                .build-static/release/hawser; MOST is the largest
#                                                number of lines that yamllint and
#                                                check-jsonschema get
#
# hawser, yamllint and libyaml's bare events read the same policy, check-jsonschema reads it with
# the schema of the language, and ruff reads a Python module. Fails where `hawser lint` takes more
# than its bar in times of libyaml's events, or too much more for twice the lines (lint.py).
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
most=${2:-100000}
[ -x "$hawser" ] || { echo "there is no executable $hawser" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check yamllint check-jsonschema ruff
printf 'int main(void) { return 0; }\n' >"$work/bare.c"
clang -O2 -o "$work/bare" "$work/bare.c"
clang -O2 -Wall -Werror -o "$work/measure" "$root/Tests/Benchmarks/measure.c"
# Static, as hawser is: its start then costs next to nothing.
# shellcheck disable=SC2046
clang -O2 -Wall -Werror -static -o "$work/events" "$root/Tests/Benchmarks/events.c" \
    $(pkg-config --cflags --libs --static yaml-0.1)
for lines in 1000 10000 100000 200000 400000; do
    python3 "$root/Tests/Benchmarks/lint-inputs.py" "$work/$lines" "$lines"
done
# Its default but for four rules of taste, which the layout of `hawser fmt` and digests do not keep.
cat >"$work/yamllint.yaml" <<'YAML'
extends: default
rules:
  braces: { max-spaces-inside: 1 }
  comments: { min-spaces-from-content: 1 }
  document-start: disable
  line-length: disable
YAML
cat >"$work/ruff.toml" <<'TOML'
lint.select = ["E", "F", "W"]
lint.ignore = ["E501"]
TOML
python3 "$root/Tests/Benchmarks/lint.py" "$work" "$hawser" "$root/grammar/policy.schema.json" "$most"
