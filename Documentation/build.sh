#!/usr/bin/env bash
# What `make docs` runs: writes the documentation as a site, whose pages and search work from files.
# Fails on a link that leads nowhere. Needs python3 and the network (PyPI) where FOLDER/venv is not
# there yet.
#
#   Documentation/build.sh HAWSER [FOLDER]      by default .build-docs; the site is FOLDER/site
set -euo pipefail
hawser=$(realpath "$1")
cd "$(dirname "$0")/.."
folder=${2:-.build-docs}
bash .ci/system-packages git python3 python3-venv
mkdir -p "$folder"
folder=$(realpath "$folder")

# The packages are installed again where their list has changed.
if ! cmp -s Documentation/requirements.txt "$folder/venv/requirements.txt"; then
    rm -rf "$folder/venv"
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r Documentation/requirements.txt
    "$folder/venv/bin/pip" check --disable-pip-version-check
    cp Documentation/requirements.txt "$folder/venv/requirements.txt"
fi
rm -rf "$folder/recipes"
bash policies/pages.sh "$hawser" "$folder/recipes" 2>"$folder/recipes.log" | tail -n 1 ||
    { cat "$folder/recipes.log" >&2; exit 1; }
"$folder/venv/bin/python" Documentation/assemble.py "$folder/pages" "$folder/recipes"
# The theme announces the end of its maintenance at every run.
NO_MKDOCS_2_WARNING=1 "$folder/venv/bin/mkdocs" build --strict --quiet -f "$folder/mkdocs.yml"
# The reference of the library, if `Tests/Integration/docs.sh` has written it.
if [ -d "$folder/library" ]; then cp -r "$folder/library" "$folder/site/library"; fi
"$folder/venv/bin/python" Documentation/links.py "$folder/site"
echo "the site: $folder/site/index.html"
