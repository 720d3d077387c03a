#!/usr/bin/env bash
# `Packaging/spark` on Spark's local[2,4]: the result is the command's, row for row; columns of
# other types, texts that are none, nulls; a child that fails fails its partition with its words; a
# partition that is tried again is not doubled; the page's recipe for DuckDB. Needs
# Java 17, python3 and the network (PyPI: pyspark[sql], duckdb).
#
#   Tests/Integration/spark.sh [HAWSER [AUDIT-ROWS [ROWS]]]
#
# By default the executables of .build-static/release, and 1,000,000 rows. VENV names a virtual
# environment that has the packages.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build-static/release/hawser}")
maker=$(realpath "${2:-$root/.build-static/release/audit-rows}")
rows=${3:-1000000}
for executable in "$hawser" "$maker"; do
    [ -x "$executable" ] || { echo "there is no executable $executable" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
venv=${VENV:-$work/venv}
if [ -z "${VENV:-}" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check 'pyspark[sql]' duckdb
fi
. "$venv/bin/activate"
# Where musl's loader is installed (musl-tools brings it), Spark's snappy takes the machine for one
# with musl as its C library, and loads a library that needs it.
if [ -e /lib/ld-musl-x86_64.so.1 ]; then
    python - "$work" <<'PYTHON'
import glob, os, pyspark, sys, zipfile
jar, = glob.glob(f"{os.path.dirname(pyspark.__file__)}/jars/snappy-java-*.jar")
library = zipfile.ZipFile(jar).read("org/xerial/snappy/native/Linux/x86_64/libsnappyjava.so")
open(f"{sys.argv[1]}/libsnappyjava.so", "wb").write(library)
PYTHON
    export SPARK_SUBMIT_OPTS="-Dorg.xerial.snappy.lib.path=$work -Dorg.xerial.snappy.lib.name=libsnappyjava.so"
fi
vectors=()
for file in "$root"/../shared/conformance/cases/{limbo,pkits,bettertls-pathbuilding}.ndjson; do
    if [ -f "$file" ]; then vectors+=("$file"); fi
done
"$maker" make "$work" "$rows" $((rows / 10)) 20261124 ${vectors[@]+"${vectors[@]}"}
cp "$hawser" "$work/hawser"
cd "$work"
export SPARK_LOCAL_IP=127.0.0.1
python "$root/Tests/Integration/spark.py" "$root/Packaging/spark" "$rows"
