#!/usr/bin/env bash
# Verdicts a second, and allocations a verdict, through the library and through the C interface, in
# one interleaved run: medians, as Markdown.
#
#   Tests/Benchmarks/service.sh HAWSER [ROUNDS]     the command; ROUNDS of each, by default 5
#
# Each verdict is a whole one, but for the arithmetic of its signatures: they are remembered from
# the first verdict on. `deny` is a host that no rule matches, which is the price of asking.
# Fails where the C interface gives less than nine tenths of the library's accepts on one thread;
# and by count, where a verdict that nobody keeps takes more than 2 % more instructions of
# libhawser.so than it did (`counted` below), or a deny allocates.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hawser=$(realpath "${1:?the command}")
rounds=${2:-5}
cd "$root"
bash .ci/system-packages gcc python3 valgrind openssl
swift build -c release --product verdict-benchmark >&2
bash Packaging/c/build.sh >&2
dist=$root/.build-c/dist
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -Wall -Wextra -Werror -I"$dist/include" Tests/Benchmarks/service/verdicts.c -o "$work/verdicts" \
    -L"$dist/lib" -lhawser -lpthread -Wl,-rpath,"$dist/lib"
cc -O2 -Wall -Wextra -Werror -shared -fPIC Tests/Benchmarks/service/allocations.c -o "$work/allocations.so"
"$hawser" compile policies/classic-failures --output "$work/policy.table" >&2
csplit -s -z -f "$work/chain-" policies/classic-failures/cases/good/chain.pem '/BEGIN CERTIFICATE/' '{*}'
chain=()
for part in "$work"/chain-*; do
    if openssl x509 -in "$part" -outform DER -out "$part.der" 2> /dev/null; then chain+=("$part.der"); fi
done
time=$(date -u -d 2026-06-01T12:00:00Z +%s)
cores=$(nproc)

subject() { # NAME HOST COUNT THREADS: prints verdicts a second
    case $1 in
    library) .build/release/verdict-benchmark "$work/policy.table" "$2" "$time" "$3" "$4" "${chain[@]}" ;;
    c) "$work/verdicts" 0 "$work/policy.table" "$2" "$time" "$3" "$4" "${chain[@]}" ;;
    c-handles) "$work/verdicts" 1 "$work/policy.table" "$2" "$time" "$3" "$4" "${chain[@]}" ;;
    esac
}
allocations() { # NAME HOST COUNT: prints allocations of a whole process
    ALLOCATIONS=$work/count LD_PRELOAD=$work/allocations.so subject "$1" "$2" "$3" 1 > /dev/null
    cat "$work/count"
}

for round in $(seq "$rounds"); do
    for name in library c c-handles; do
        for host in www.site.example nobody.example; do
            count=5000
            [ "$host" = www.site.example ] || count=100000
            for threads in 1 "$cores"; do
                subject "$name" "$host" "$count" "$threads" >> "$work/rate-$name-$host-$threads"
            done
            # What a thousand more verdicts take: the start of the process falls out.
            less=$(allocations "$name" "$host" 1000)
            more=$(allocations "$name" "$host" 2000)
            echo $((more - less)) >> "$work/count-$name-$host"
        done
    done
    echo "round $round of $rounds" >&2
done
python3 - "$work" "$cores" "$time" "${chain[@]}" <<'PY'
import os, pathlib, statistics, subprocess, sys
sys.path.insert(0, "Tests/Benchmarks/counts")
import counts
work, cores, time, chain = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
# Instructions of libhawser.so for a verdict that nobody keeps. A change that needs more raises them
# in the same commit and says why.
counted = {"accept, 2 signatures": 35_819, "deny, no rule": 2_649}
def instructions(host):
    """What one more verdict takes: all of it, and of libhawser.so, which is the same on every processor."""
    def total(count):
        out = work / f"callgrind-{count}"
        subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", work / "verdicts", "0", work / "policy.table",
             host, time, str(count), "1", *chain],
            env=os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"}, check=True, capture_output=True)
        costs = counts.read_callgrind(out)
        return sum(costs.values()), sum(cost for (path, _), cost in costs.items() if "libhawser.so" in path)
    few, many = total(200), total(400)
    return tuple((after - before) / 200 for before, after in zip(few, many))
def median(name):
    return statistics.median(float(line) for line in (work / name).read_text().split())
print(f"| through | verdict | a second, 1 thread | of the library's | a second, {cores} threads | allocations each |"
      " instructions each, of libhawser.so |")
print("|---|---|---|---|---|---|---|")
ratios, failures = {}, []
titles = {"library": "`Hawser`", "c": "`hawser.h`", "c-handles": "`hawser.h`, with a verdict to read"}
for host, verdict in [("www.site.example", "accept, 2 signatures"), ("nobody.example", "deny, no rule")]:
    for name, title in titles.items():
        rate = median(f"rate-{name}-{host}-1")
        ratio = rate / median(f"rate-library-{host}-1")
        ratios[name, verdict] = ratio
        allocations = median(f"count-{name}-{host}") / 1000
        spent = ""
        if name == "c":
            whole, ours = instructions(host)
            spent = f"{whole:,.0f}, {ours:,.0f}"
            if ours > 1.02 * counted[verdict]:
                failures.append(f"{verdict}: {ours:,.0f} instructions of libhawser.so, more than {counted[verdict]:,}")
            if verdict == "deny, no rule" and allocations >= 0.5:
                failures.append("a deny that nobody keeps allocates")
        print(f"| {title} | {verdict} | {rate:,.0f} | {ratio:.2f} | {median(f'rate-{name}-{host}-{cores}'):,.0f} "
              f"| {allocations:.1f} | {spent} |")
if ratios["c", "accept, 2 signatures"] < 0.9:
    failures.append("the C interface gives less than nine tenths of the library's verdicts")
if failures:
    sys.exit("\n".join(failures))
PY
