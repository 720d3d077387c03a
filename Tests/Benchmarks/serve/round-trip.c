/* Round trips to a Unix socket, one after the other on one thread: microseconds a question, the
 * median of all.
 *
 *     round-trip SOCKET REQUEST STATUS COUNT KEEPS
 *
 * REQUEST is a file with a whole request of HTTP/1.1, and STATUS the answer that it must have. With
 * KEEPS 1 all go over one connection, with 0 each over its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static char answer[1 << 20];

static int open_socket(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("connect");
        exit(1);
    }
    return descriptor;
}

/* Reads one answer and returns its status. */
static int receive(int descriptor) {
    size_t count = 0, want = 0;
    while (want == 0 || count < want) {
        ssize_t more = read(descriptor, answer + count, sizeof answer - 1 - count);
        if (more <= 0) {
            fprintf(stderr, "no answer\n");
            exit(1);
        }
        count += (size_t)more;
        answer[count] = 0;
        char *end = strstr(answer, "\r\n\r\n");
        if (want == 0 && end != NULL) {
            char *length = strcasestr(answer, "content-length:");
            if (length == NULL || length > end) exit(1);
            want = (size_t)(end + 4 - answer) + strtoul(length + 15, NULL, 10);
        }
    }
    return atoi(answer + 9);
}

static int ascending(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return a < b ? -1 : a > b;
}

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    int status = atoi(argv[3]), keeps = atoi(argv[5]);
    long count = atol(argv[4]);
    static char request[1 << 20];
    FILE *file = fopen(argv[2], "rb");
    if (file == NULL) return 1;
    size_t length = fread(request, 1, sizeof request, file);
    double *times = calloc((size_t)count, sizeof *times);
    int descriptor = keeps ? open_socket(argv[1]) : -1;
    for (long round = 0; round < count; round++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        if (!keeps) descriptor = open_socket(argv[1]);
        if (write(descriptor, request, length) != (ssize_t)length || receive(descriptor) != status) {
            fprintf(stderr, "another answer: %.60s\n", answer);
            return 1;
        }
        if (!keeps) close(descriptor);
        clock_gettime(CLOCK_MONOTONIC, &end);
        times[round] = (double)(end.tv_sec - begin.tv_sec) * 1e6 + (double)(end.tv_nsec - begin.tv_nsec) / 1e3;
    }
    qsort(times, (size_t)count, sizeof *times, ascending);
    printf("%.2f\n", times[count / 2]);
    return 0;
}
