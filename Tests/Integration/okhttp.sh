#!/usr/bin/env bash
# OkHttp 3.13 as Debian has it, beside the model of `hawser import okhttp`: for 10,000 random
# entries and hosts, CertificatePinner, the model and the policy find the same pins. Needs a
# JDK of 11 or later, and the packages libokhttp-java and libokio-java, installed or below JARS.
#
#   Tests/Integration/okhttp.sh [JARS [SEED [FLAG...]]]     by default /usr/share/java and 50
#
# It runs one of the tests, with the flags of `swift test`; by default those that are built for
# debugging.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
jars=${1:-/usr/share/java}
seed=${2:-50}
flags=("${@:3}")
[ ${#flags[@]} -gt 0 ] || flags=(--skip-build --disable-xctest)
. "$root/Tests/Integration/find-java.sh"
find_jdk 11
[ -n "$jdk" ] || { echo "$no_jdk" >&2; exit 2; }
for jar in okhttp okio; do
    [ -e "$jars/$jar.jar" ] || { echo "there is no $jars/$jar.jar (lib$jar-java)" >&2; exit 2; }
done
path=$(realpath "$jars/okhttp.jar"):$(realpath "$jars/okio.jar")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$jdk/bin/javac" -encoding UTF-8 -cp "$path" -d "$work" "$root/Tests/Integration/okhttp/Rows.java"
"$jdk/bin/java" -cp "$work:$path" okhttp3.Rows "$seed" 10000 >"$work/rows.ndjson"
[ "$(wc -l <"$work/rows.ndjson")" -eq 10000 ] || { echo "OkHttp printed too few rows" >&2; exit 1; }
cd "$root"
HAWSER_OKHTTP_ROWS=$work/rows.ndjson swift test "${flags[@]}" --filter OkHttpRowsTests
