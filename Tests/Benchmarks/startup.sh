#!/bin/sh
# Start-up of the fully static command against a bare C program: CPU time, interleaved runs.
# Usage: Tests/Benchmarks/startup.sh [HAWSER [RUNS]]
# Without HAWSER, builds the release product first. Prints both medians and their ratio;
# fails above 3.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
runs=${2:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -ge 1 ]; then
    command=$1
else
    swift build --package-path "$root" --scratch-path "$root/.build/static" -c release \
        --product hawser -Xswiftc -static-executable -Xlinker -s
    command=$root/.build/static/release/hawser
fi
printf 'int main(void) { return 0; }\n' > "$work/bare.c"
clang -O2 -o "$work/bare" "$work/bare.c"
cat > "$work/measure.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* CPU microseconds of one child, user and system. */
static long run(char *const arguments[]) {
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        execv(arguments[0], arguments);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) < 0 || status != 0) {
        fprintf(stderr, "%s failed\n", arguments[0]);
        exit(2);
    }
    return usage.ru_utime.tv_sec * 1000000L + usage.ru_utime.tv_usec
        + usage.ru_stime.tv_sec * 1000000L + usage.ru_stime.tv_usec;
}

static int ascending(const void *left, const void *right) {
    long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

int main(int count, char **arguments) {
    int runs = atoi(arguments[3]);
    (void)count;
    long *bare = malloc(sizeof(long) * runs), *ours = malloc(sizeof(long) * runs);
    char *first[] = {arguments[1], NULL};
    char *second[] = {arguments[2], "--version", NULL};
    for (int index = 0; index < runs; index++) {
        bare[index] = run(first);
        ours[index] = run(second);
    }
    qsort(bare, runs, sizeof(long), ascending);
    qsort(ours, runs, sizeof(long), ascending);
    double ratio = (double)ours[runs / 2] / (double)bare[runs / 2];
    printf("bare C %ld us, hawser --version %ld us (medians of %d), ratio %.2f\n",
           bare[runs / 2], ours[runs / 2], runs, ratio);
    return ratio <= 3.0 ? 0 : 1;
}
C
clang -O2 -o "$work/measure" "$work/measure.c"
"$work/measure" "$work/bare" "$command" "$runs"
