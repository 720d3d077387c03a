/* Sources/CLibC as it runs here: with glibc, with musl, and as on a system without notices and
 * without flags of sockets (HWLIBC_PORTABLE). Ends with 0, or names the line that failed. */
#include "hwlibc.h"

#define EXPECT(what) \
    do { \
        if (!(what)) { \
            fprintf(stderr, "FAILED: line %d: %s (errno %d)\n", __LINE__, #what, errno); \
            exit(1); \
        } \
    } while (0)

static bool is_kept_to_process(int descriptor) { return (fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0; }
static bool is_non_blocking(int descriptor) { return (fcntl(descriptor, F_GETFL) & O_NONBLOCK) != 0; }

static void sockets(void) {
    for (int waits = 0; waits < 2; waits++) {
        int made = hwlibc_socket(AF_INET, SOCK_STREAM, 0, waits == 0);
        EXPECT(made >= 0 && is_kept_to_process(made) && is_non_blocking(made) == (waits == 0));
        int ends[2];
        EXPECT(hwlibc_socket_pair(ends, waits == 0) == 0);
        for (int end = 0; end < 2; end++)
            EXPECT(is_kept_to_process(ends[end]) && is_non_blocking(ends[end]) == (waits == 0));
        EXPECT(hwlibc_send(ends[0], "x", 1) == 1);
        char octet = 0;
        EXPECT(read(ends[1], &octet, 1) == 1 && octet == 'x');
        /* A peer that has closed raises no signal. */
        close(ends[1]);
        EXPECT(hwlibc_send(ends[0], "x", 1) == -1 && errno == EPIPE);
        close(ends[0]);
        close(made);
    }
    EXPECT(hwlibc_socket(-1, SOCK_STREAM, 0, true) == -1);
}

static void files(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/file", folder);
    int file = hwlibc_open_new(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    EXPECT(file >= 0 && write(file, "octets", 6) == 6 && hwlibc_fsync(file) == 0);
    struct timespec times[2] = {{1, 0}, {86400, 5}};
    EXPECT(futimens(file, times) == 0);
    struct stat status;
    EXPECT(fstat(file, &status) == 0 && (status.st_mode & hwlibc_s_ifmt) == hwlibc_s_ifreg);
    EXPECT(hwlibc_modified(status).tv_sec == 86400 && hwlibc_modified(status).tv_nsec == 5);
    EXPECT(hwlibc_changed(status).tv_sec > 86400);
    close(file);
    EXPECT(hwlibc_open(path, O_RDONLY | O_DIRECTORY) == -1 && hwlibc_errno() == ENOTDIR);

    int descriptor = hwlibc_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    EXPECT(hwlibc_openat(descriptor, "none", O_RDONLY) == -1 && errno == ENOENT);
    void *entries = hwlibc_folder_open(descriptor);
    EXPECT(entries != NULL);
    int count = 0, is_found = 0;
    const char *name;
    while ((name = hwlibc_folder_next(entries)) != NULL) {
        count++;
        if (strcmp(name, "file") == 0) is_found = 1;
    }
    EXPECT(errno == 0 && count == 3 && is_found);
    EXPECT(hwlibc_folder_close(entries) == 0);
    unlink(path);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition;
static uintptr_t other;

static void *body(void *argument) {
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    EXPECT(sigismember(&blocked, SIGTERM) == 1 && argument == &other);
    pthread_mutex_lock(&mutex);
    other = hwlibc_thread();
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void threads(void) {
    hwlibc_condition_init(&condition);
    pthread_mutex_lock(&mutex);
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    EXPECT(hwlibc_condition_wait(&condition, &mutex, 1050) != 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    long waited = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
    EXPECT(waited >= 1040 && waited < 30000);
    EXPECT(hwlibc_start_thread(body, &other) == 0);
    while (other == 0) EXPECT(hwlibc_condition_wait(&condition, &mutex, 60000) == 0);
    EXPECT(other != hwlibc_thread());
    pthread_mutex_unlock(&mutex);
    /* The thread that starts another keeps its signals. */
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    EXPECT(sigismember(&blocked, SIGTERM) == 0);
}

static void signals(void) {
    sigset_t pipe, pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, NULL);
    hwlibc_drop_pending(SIGPIPE); /* none waits */
    raise(SIGPIPE);
    sigpending(&pending);
    EXPECT(sigismember(&pending, SIGPIPE) == 1);
    hwlibc_drop_pending(SIGPIPE);
    sigpending(&pending);
    EXPECT(sigismember(&pending, SIGPIPE) == 0);
    pthread_sigmask(SIG_UNBLOCK, &pipe, NULL);
}

static void programs(void) {
    int ends[2], status;
    EXPECT(hwlibc_socket_pair(ends, false) == 0);
    int streams[3] = {ends[1], ends[1], ends[1]};
    char *words[] = {"sh", "-c", "read line; echo $line $OWN; kill -TERM $$; exit 7", NULL};
    char *variables[] = {"OWN=1", NULL};
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    pid_t child;
    EXPECT(hwlibc_spawn(&child, "/bin/sh", streams, words, variables) == 0);
    EXPECT(getsid(child) == child);
    pid_t none;
    EXPECT(hwlibc_spawn(&none, "/none", streams, words, variables) == ENOENT);
    close(ends[1]);
    EXPECT(hwlibc_send(ends[0], "in\n", 3) == 3);
    char octets[16] = "";
    EXPECT(read(ends[0], octets, sizeof octets - 1) == 5 && strcmp(octets, "in 1\n") == 0);
    EXPECT(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    close(ends[0]);
    pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
    EXPECT(hwlibc_environment() == environ);
}

static void notices(const char *folder) {
    int descriptor = hwlibc_notices_open();
    if (!HWLIBC_HAS_NOTICES) {
        EXPECT(descriptor == -1 && errno == ENOSYS);
        EXPECT(hwlibc_notices_add(0, folder) == -1 && errno == ENOSYS);
        return;
    }
    EXPECT(descriptor >= 0 && is_kept_to_process(descriptor) && is_non_blocking(descriptor));
    int watch = hwlibc_notices_add(descriptor, folder);
    EXPECT(watch > 0);
    char octets[4096];
    EXPECT(read(descriptor, octets, sizeof octets) == -1 && errno == EAGAIN);
    char path[4096];
    snprintf(path, sizeof path, "%s/new", folder);
    close(hwlibc_open_new(path, O_WRONLY | O_CREAT, 0600));
    EXPECT(read(descriptor, octets, sizeof octets) > 16);
    hwlibc_notices_remove(descriptor, watch);
    unlink(path);
    close(descriptor);
}

int main(int count, char **words) {
    EXPECT(count == 2);
    errno = 5;
    hwlibc_set_errno(hwlibc_errno() + 1);
    EXPECT(errno == 6);
    files(words[1]);
    sockets();
    threads();
    signals();
    programs();
    notices(words[1]);
    return 0;
}
