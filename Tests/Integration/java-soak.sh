#!/usr/bin/env bash
# The JVM package under load: 8 threads, 20,000 connections to `openssl s_server` and 200 reloads
# that change the verdicts. A policy that was in force during the connection has to give each
# verdict, and memory and descriptors have to stay flat. Then the cost of a handshake beside plain
# JSSE, in one run.
#
# Needs openssl 3, python3, and a JDK of 22 or later (find-java.sh).
#
#   Tests/Integration/java-soak.sh [HAWSER [CONNECTIONS]]   by default .build/release/hawser; the
#                                                           library is built
#
# There is a reload for each hundred connections. BUILT=1 takes the library as the last run of
# Packaging/c/build.sh left it; JAR=FILE takes a jar of Packaging/java/build.py.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:-$root/.build/release/hawser}")
[ -x "$hawser" ] || { echo "not an executable: $hawser" >&2; exit 2; }
connections=${2:-20000}
source "$root/Tests/Integration/find-java.sh"
find_jdk
if [ -z "$jdk" ]; then
    echo "== java: skipped: $no_jdk"
    exit 0
fi
if [ -z "${BUILT:-}" ]; then bash "$root/Packaging/c/build.sh"; fi

scratch=$(mktemp -d)
servers=()
trap 'kill "${servers[@]}" 2>/dev/null || true; rm -rf "$scratch"' EXIT
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
source "$root/Tests/Integration/rig.sh"
source "$root/Tests/Integration/port-of.sh"

jar=${JAR:-}
if [ -z "$jar" ]; then
    JAVA_HOME=$jdk python3 "$root/Packaging/java/build.py" "$root/.build-c/dist" "$scratch/dist" > /dev/null
    jar=$(find "$scratch/dist" -name 'hawser-tls-*.jar' -not -name '*-sources.jar' -not -name '*-javadoc.jar')
fi
mkdir "$scratch/classes"
"$jdk/bin/javac" -Xlint:all -Werror -cp "$jar" -d "$scratch/classes" "$root/Tests/Integration/java-package/Soak.java"

mkdir -p "$scratch/rig/one" "$scratch/rig/stricter"
cd "$scratch/rig"
authority
ports=()
soak_servers
printf '127.0.0.1 good.rig.example\n127.0.0.1 pinned.rig.example\n' > hosts
for name in offline spare; do spare_key "$name"; done
rig_policy > one/policy.yaml <<POLICY
  good: { hosts: ["good.rig.example"], anchors: [rig] }
  pinned: { hosts: ["pinned.rig.example"], anchors: [rig], pins: [ours] }
POLICY
sed 's/\["good.rig.example"\], anchors: \[rig\]/&, pins: [ours]/' one/policy.yaml > stricter/policy.yaml
for unit in one stricter; do
    cp root.pem ./*.pub "$unit"
    "$hawser" compile "$unit/policy.yaml" --output "$unit/policy.table" > compile.log 2>&1 || fail "$(cat compile.log)"
done
# A heap of one size, so that what grows is a leak.
"$jdk/bin/java" -Xms192m -Xmx192m -XX:+AlwaysPreTouch --enable-native-access=ALL-UNNAMED -Djdk.net.hosts.file=hosts \
    -cp "$jar:$scratch/classes" Soak one/policy.table stricter/policy.table root.pem \
    "$connections" "$((connections / 100))" "${ports[@]}" || fail 'the load'
