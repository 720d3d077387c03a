#!/bin/sh
# A unit of 2,000 files and 200,000 rules through the command: wall time, CPU time and peak
# memory of `hawser check` and `hawser compile`, beside libyaml's own time for the events of
# the same files. 700 files and 70,000 rules make ten megabytes.
# Fails where compiling takes more than 5 times the CPU time of the events, or more memory at its
# peak than 12 times the text.
# Usage: Tests/Benchmarks/large-unit.sh [HAWSER [FILES [RULES]]]
# Without HAWSER, builds the release product first.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -ge 1 ]; then
    command=$1
else
    swift build --package-path "$root" --scratch-path "$root/.build/static" -c release \
        --product hawser -Xswiftc -static-executable -Xlinker -s
    command=$root/.build/static/release/hawser
fi
python3 "$root/Tests/Benchmarks/large-unit.py" "$work/unit" "${2:-2000}" "${3:-200000}"
find "$work/unit" -name '*.yaml' > "$work/files"
printf '%s files, %s bytes, %s rules\n' "$(wc -l < "$work/files")" \
    "$(find "$work/unit" -name '*.yaml' -exec cat {} + | wc -c)" \
    "$(find "$work/unit" -name '*.yaml' -exec cat {} + | grep -c '^  team-[0-9]*-service-')"
cat > "$work/measure.c" <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* measure RESULT NAME INPUT COMMAND...: the best of three runs by CPU time. Writes the CPU time in
 * milliseconds and the peak memory in KiB to the file RESULT. */
int main(int count, char **arguments) {
    double best_cpu = 0, best_wall = 0;
    long memory = 0;
    FILE *result = count > 4 ? fopen(arguments[1], "w") : NULL;
    if (!result) return 2;
    arguments++;
    for (int round = 0; round < 3; round++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        pid_t child = fork();
        if (child == 0) {
            dup2(open(arguments[2], O_RDONLY), 0);
            int null = open("/dev/null", O_WRONLY);
            dup2(null, 1);
            dup2(null, 2);
            execv(arguments[3], arguments + 3);
            _exit(127);
        }
        int status;
        struct rusage usage;
        if (wait4(child, &status, 0, &usage) < 0 || status != 0) {
            fprintf(stderr, "%s failed\n", arguments[1]);
            return 2;
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        double cpu = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
            + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
        double wall = end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9;
        if (round == 0 || cpu < best_cpu) {
            best_cpu = cpu;
            best_wall = wall;
            memory = usage.ru_maxrss;
        }
    }
    printf("%-16s %6.2f s wall %6.2f s CPU %6ld MiB at the peak\n", arguments[1], best_wall,
           best_cpu, memory / 1024);
    fprintf(result, "%.0f %ld\n", best_cpu * 1000, memory);
    return fclose(result) == 0 ? 0 : 2;
}
C
# shellcheck disable=SC2046
clang -O2 -o "$work/events" "$root/Tests/Benchmarks/events.c" $(pkg-config --cflags --libs yaml-0.1)
clang -O2 -o "$work/measure" "$work/measure.c"
"$work/events" < "$work/files" 2>&1
"$work/measure" "$work/events.took" 'libyaml events' "$work/files" "$work/events"
"$work/measure" "$work/check.took" 'hawser check' /dev/null "$command" check "$work/unit"
"$work/measure" "$work/compile.took" 'hawser compile' /dev/null \
    "$command" compile "$work/unit" --output "$work/unit.table"
printf 'the table has %s bytes\n' "$(wc -c < "$work/unit.table")"
text=$(find "$work/unit" -name '*.yaml' -exec cat {} + | wc -c)
awk -v text="$text" '
    FILENAME ~ /events/ { events = $1 }
    FILENAME ~ /check/ { check = $1 }
    FILENAME ~ /compile/ { compile = $1; memory = $2 * 1024 }
    END {
        printf "check %.1f times the events, compile %.1f times (bar 5), at its peak %.1f times the text (bar 12)\n",
            check / events, compile / events, memory / text
        exit compile <= 5 * events && memory <= 12 * text ? 0 : 1
    }' "$work/events.took" "$work/check.took" "$work/compile.took"
