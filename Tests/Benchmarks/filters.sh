#!/usr/bin/env bash
# A CRLite filter of 10 MB: opening, hashing and asking it (Filters), and the memory of processes
# that have the same filter open: of the mapping, and of each process in all.
#
#   Tests/Benchmarks/filters.sh [PROCESSES]     8 by default
#
# Fails where the mapping's share of all processes together is larger than 1.1 times the file.
set -euo pipefail
cd "$(dirname "$0")/../.."
count=${1:-8}
swift build -c release --product filter-benchmark > /dev/null
program=$(swift build -c release --show-bin-path)/filter-benchmark
folder=$(mktemp -d)
children=()
clean() {
    for child in ${children[@]+"${children[@]}"}; do kill "$child" 2> /dev/null || true; done
    rm -rf "$folder"
}
trap clean EXIT
chmod 755 "$folder"
"$program" "$folder"
mkfifo "$folder/end"
exec 9<> "$folder/end"
for number in $(seq "$count"); do
    "$program" hold "$folder" < "$folder/end" > "$folder/said-$number" &
    children+=($!)
done
for number in $(seq "$count"); do
    until [ -s "$folder/said-$number" ]; do
        kill -0 "${children[number - 1]}" || exit 1
        read -r -t 0.05 _ <> <(:) || true
    done
done
python3 - "$folder/full.filter" "${children[@]}" <<'PY'
import os, re, sys
path, processes = sys.argv[1], sys.argv[2:]
size = os.path.getsize(path)
resident = shared = total = 0
for process in processes:
    is_ours = False
    for line in open(f"/proc/{process}/smaps"):
        if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
            is_ours = line.rstrip().endswith(path)
        elif is_ours and line.startswith("Rss:"):
            resident += int(line.split()[1])
        elif is_ours and line.startswith("Pss:"):
            shared += int(line.split()[1])
    total += sum(int(line.split()[1]) for line in open(f"/proc/{process}/smaps_rollup") if line.startswith("Pss:"))
print(f"{len(processes)} processes: the mapping has {resident / 1024:.1f} MiB in all as each counts it (RSS), "
      f"{shared / 1024:.1f} MiB as they share it (PSS), the file {size / 2**20:.1f} MiB; "
      f"a process has {total / len(processes) / 1024:.1f} MiB (PSS)")
sys.exit(shared * 1024 > 1.1 * size)
PY
