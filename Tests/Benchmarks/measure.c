/* measure OUTPUT COMMAND...: runs a command and appends its cost to OUTPUT, as one line: CPU time
 * of user and system and wall time in microseconds, peak memory in KiB, exit status. A small
 * program of its own, since a child that is forked from a large program pays for its size. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count < 3) return 2;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 0);
        dup2(null, 1);
        dup2(null, 2);
        execv(arguments[2], arguments + 2);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) return 2;
    clock_gettime(CLOCK_MONOTONIC, &end);
    FILE *output = fopen(arguments[1], "a");
    if (!output) return 2;
    long cpu = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec
        + usage.ru_stime.tv_usec;
    long wall = (end.tv_sec - start.tv_sec) * 1000000L + (end.tv_nsec - start.tv_nsec) / 1000;
    fprintf(output, "%ld %ld %ld %d\n", cpu, wall, usage.ru_maxrss,
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return fclose(output) == 0 ? 0 : 2;
}
