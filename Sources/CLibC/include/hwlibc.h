/* The C library, for Swift: glibc, musl and Darwin's differ here and nowhere else. Swift sources
 * import this module, and none of them names the module of one system.
 *
 * Swift imports the system's headers as they are. Three things are added:
 *
 * - names that Swift does not import: `errno`, which is a macro with a call in it, functions with a
 *   variable number of arguments, and constants that are expressions or have another type on each
 *   system. They keep their names. A file that imports Foundation too has these names twice; it
 *   uses Foundation's.
 * - tasks that each system does in another way. Their names begin with `hwlibc_`.
 * - the system's notices about files. A system without them refuses with ENOSYS.
 *
 * All functions are inline, so that a call costs what the system's function costs.
 *
 * HWLIBC_PORTABLE makes a build on Linux take the branches of a system without notices and without
 * flags of sockets. Tests set it. */
#ifndef HWLIBC_H
#define HWLIBC_H

#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#include <crt_externs.h>
#else
extern char *_Nullable *_Nonnull environ;
#endif

#if defined(__linux__) && !defined(HWLIBC_PORTABLE)
#define HWLIBC_HAS_NOTICES 1
#define HWLIBC_HAS_SOCKET_FLAGS 1
#include <sys/inotify.h>
#else
#define HWLIBC_HAS_NOTICES 0
#define HWLIBC_HAS_SOCKET_FLAGS 0
#endif

#define HWLIBC_NAMED(name) __attribute__((swift_name(name)))

/* ---- Names that Swift does not import ---- */

static inline int hwlibc_errno(void) HWLIBC_NAMED("getter:errno()");
static inline int hwlibc_errno(void) { return errno; }
static inline void hwlibc_set_errno(int number) HWLIBC_NAMED("setter:errno(_:)");
static inline void hwlibc_set_errno(int number) { errno = number; }

static inline int hwlibc_open(const char *_Nonnull path, int flags) HWLIBC_NAMED("open(_:_:)");
static inline int hwlibc_open(const char *_Nonnull path, int flags) { return open(path, flags); }
static inline int hwlibc_open_new(const char *_Nonnull path, int flags, mode_t mode) HWLIBC_NAMED("open(_:_:_:)");
static inline int hwlibc_open_new(const char *_Nonnull path, int flags, mode_t mode) { return open(path, flags, mode); }
static inline int hwlibc_openat(int folder, const char *_Nonnull path, int flags) HWLIBC_NAMED("openat(_:_:_:)");
static inline int hwlibc_openat(int folder, const char *_Nonnull path, int flags) {
    return openat(folder, path, flags);
}
static inline int hwlibc_openat_new(int folder, const char *_Nonnull path, int flags, mode_t mode)
    HWLIBC_NAMED("openat(_:_:_:_:)");
static inline int hwlibc_openat_new(int folder, const char *_Nonnull path, int flags, mode_t mode) {
    return openat(folder, path, flags, mode);
}
static inline int hwlibc_fcntl(int descriptor, int command) HWLIBC_NAMED("fcntl(_:_:)");
static inline int hwlibc_fcntl(int descriptor, int command) { return fcntl(descriptor, command); }
static inline int hwlibc_fcntl_set(int descriptor, int command, int value) HWLIBC_NAMED("fcntl(_:_:_:)");
static inline int hwlibc_fcntl_set(int descriptor, int command, int value) {
    return fcntl(descriptor, command, value);
}

typedef void (*hwlibc_handler)(int);
static inline hwlibc_handler _Nullable hwlibc_default_signal(void) HWLIBC_NAMED("getter:SIG_DFL()");
static inline hwlibc_handler _Nullable hwlibc_default_signal(void) { return SIG_DFL; }
static inline hwlibc_handler _Nullable hwlibc_ignored_signal(void) HWLIBC_NAMED("getter:SIG_IGN()");
static inline hwlibc_handler _Nullable hwlibc_ignored_signal(void) { return SIG_IGN; }

/* Bits of a file's mode, of the type that modes have. */
static const mode_t hwlibc_s_ifmt HWLIBC_NAMED("S_IFMT") = S_IFMT;
static const mode_t hwlibc_s_ifreg HWLIBC_NAMED("S_IFREG") = S_IFREG;
static const mode_t hwlibc_s_ifdir HWLIBC_NAMED("S_IFDIR") = S_IFDIR;
static const mode_t hwlibc_s_iflnk HWLIBC_NAMED("S_IFLNK") = S_IFLNK;
static const mode_t hwlibc_s_ififo HWLIBC_NAMED("S_IFIFO") = S_IFIFO;
static const mode_t hwlibc_s_ifsock HWLIBC_NAMED("S_IFSOCK") = S_IFSOCK;
static const mode_t hwlibc_s_ifchr HWLIBC_NAMED("S_IFCHR") = S_IFCHR;
static const mode_t hwlibc_s_ifblk HWLIBC_NAMED("S_IFBLK") = S_IFBLK;
static const mode_t hwlibc_s_isuid HWLIBC_NAMED("S_ISUID") = S_ISUID;
static const mode_t hwlibc_s_isgid HWLIBC_NAMED("S_ISGID") = S_ISGID;
static const mode_t hwlibc_s_isvtx HWLIBC_NAMED("S_ISVTX") = S_ISVTX;
static const mode_t hwlibc_s_irusr HWLIBC_NAMED("S_IRUSR") = S_IRUSR;
static const mode_t hwlibc_s_iroth HWLIBC_NAMED("S_IROTH") = S_IROTH;
static const mode_t hwlibc_s_ixgrp HWLIBC_NAMED("S_IXGRP") = S_IXGRP;

/* Kinds of sockets, as numbers. Only glibc has an enumeration of them. */
#ifdef __GLIBC__
static const int hwlibc_stream HWLIBC_NAMED("SOCK_STREAM") = SOCK_STREAM;
static const int hwlibc_datagram HWLIBC_NAMED("SOCK_DGRAM") = SOCK_DGRAM;
#endif

/* ---- The process and its terminal ---- */

/* The variables of the process, NULL behind the last. */
static inline char *_Nullable *_Nonnull hwlibc_environment(void) {
#ifdef __APPLE__
    return *_NSGetEnviron();
#else
    return environ;
#endif
}

/* The size of the terminal behind a descriptor. 0 or -1. */
static inline int hwlibc_window_size(int descriptor, struct winsize *_Nonnull size) {
    return ioctl(descriptor, TIOCGWINSZ, size);
}

/* Starts a program without a shell, in a session of its own, with `streams` as its three standard
 * streams, no signal blocked, and each signal's action as the system sets it. 0 or the number of
 * the error. */
static inline int hwlibc_spawn(
    pid_t *_Nonnull child, const char *_Nonnull file, const int *_Nonnull streams,
    char *_Nullable const *_Nonnull words, char *_Nullable const *_Nonnull variables) {
#if defined(__linux__) && !defined(POSIX_SPAWN_SETSID)
    enum { POSIX_SPAWN_SETSID = 0x80 }; /* glibc shows it to GNU programs only */
#endif
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int stream = 0; stream < 3; stream++) posix_spawn_file_actions_adddup2(&actions, streams[stream], stream);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    int failed = posix_spawn(child, file, &actions, &attributes, words, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* ---- Files ---- */

/* Maps a file for reading: its octets change with the file. NULL where it cannot be mapped. */
static inline void *_Nullable hwlibc_map(int file, size_t size) {
    void *memory = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* When the octets of a file last changed, and when anything of it did. */
static inline struct timespec hwlibc_modified(struct stat status) {
#ifdef __APPLE__
    return status.st_mtimespec;
#else
    return status.st_mtim;
#endif
}
static inline struct timespec hwlibc_changed(struct stat status) {
#ifdef __APPLE__
    return status.st_ctimespec;
#else
    return status.st_ctim;
#endif
}

/* fsync, after which a loss of power takes nothing away. Darwin's fsync leaves octets in the cache
 * of the drive; F_FULLFSYNC does not, and not every file system has it. */
static inline int hwlibc_fsync(int descriptor) {
#ifdef __APPLE__
    if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
#endif
    return fsync(descriptor);
}

/* The entries of an open folder: DIR is another type on each system. */
static inline void *_Nullable hwlibc_folder_open(int descriptor) { return fdopendir(descriptor); }
static inline int hwlibc_folder_close(void *_Nonnull folder) { return closedir((DIR *)folder); }
/* The next name, `.` and `..` included. NULL at the end with errno 0, and after a failure with
 * another errno. The name is valid until the next call. */
static inline const char *_Nullable hwlibc_folder_next(void *_Nonnull folder) {
    errno = 0;
    struct dirent *entry = readdir((DIR *)folder);
    return entry == NULL ? NULL : entry->d_name;
}

/* ---- Sockets ---- */

/* A descriptor that programs do not inherit and, if asked for, one that never waits. 0 or -1. */
static inline int hwlibc_keep_to_process(int descriptor, bool is_non_blocking) {
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0) return -1;
    if (!is_non_blocking) return 0;
    int flags = fcntl(descriptor, F_GETFL);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

/* A socket that is closed in programs that this process starts, and whose writes raise no SIGPIPE
 * if they are made by hwlibc_send. Where the system sets flags only after making the socket, a
 * program that another thread starts in between inherits it. */
static inline int hwlibc_socket(int family, int kind, int protocol, bool is_non_blocking) {
#if HWLIBC_HAS_SOCKET_FLAGS
    return socket(family, kind | SOCK_CLOEXEC | (is_non_blocking ? SOCK_NONBLOCK : 0), protocol);
#else
    int made = socket(family, kind, protocol);
    if (made < 0) return -1;
    int failed = hwlibc_keep_to_process(made, is_non_blocking);
#ifdef SO_NOSIGPIPE
    int on = 1;
    if (failed == 0) failed = setsockopt(made, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    if (failed == 0) return made;
    int number = errno;
    close(made);
    errno = number;
    return -1;
#endif
}

/* Two connected stream sockets of this machine, made as hwlibc_socket makes one. 0 or -1. */
static inline int hwlibc_socket_pair(int *_Nonnull ends, bool is_non_blocking) {
#if HWLIBC_HAS_SOCKET_FLAGS
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (is_non_blocking ? SOCK_NONBLOCK : 0), 0, ends);
#else
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
    int failed = 0;
    for (int end = 0; end < 2 && failed == 0; end++) {
        failed = hwlibc_keep_to_process(ends[end], is_non_blocking);
#ifdef SO_NOSIGPIPE
        int on = 1;
        if (failed == 0) failed = setsockopt(ends[end], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    }
    if (failed == 0) return 0;
    int number = errno;
    close(ends[0]);
    close(ends[1]);
    errno = number;
    return -1;
#endif
}

/* Sends on a socket of hwlibc_socket. A peer that has closed is EPIPE and no signal. */
static inline ssize_t hwlibc_send(int descriptor, const void *_Nullable octets, size_t count) {
#ifdef MSG_NOSIGNAL
    return send(descriptor, octets, count, MSG_NOSIGNAL);
#else
    return send(descriptor, octets, count, 0);
#endif
}

/* ---- Threads ---- */

/* A number that differs between threads of a process that run at the same time; never 0. */
static inline uintptr_t hwlibc_thread(void) { return (uintptr_t)pthread_self(); }

/* Runs `body` on a thread of its own, which takes no signals and which nobody joins. 0 or the
 * number of the error. */
static inline int hwlibc_start_thread(
    void *_Nullable (*_Nonnull body)(void *_Nullable argument), void *_Nullable argument) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_t thread;
    int failed = pthread_create(&thread, NULL, (void *(*)(void *))body, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed == 0) pthread_detach(thread);
    return failed;
}

/* A condition whose waits are not changed by a change of the time of day. */
static inline void hwlibc_condition_init(pthread_cond_t *_Nonnull condition) {
#ifdef __APPLE__
    pthread_cond_init(condition, NULL);
#else
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
#endif
}

/* Waits for a condition of hwlibc_condition_init, at most this number of milliseconds. Not 0 when
 * they are over. */
static inline int hwlibc_condition_wait(
    pthread_cond_t *_Nonnull condition, pthread_mutex_t *_Nonnull mutex, int milliseconds) {
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
#ifdef __APPLE__
    return pthread_cond_timedwait_relative_np(condition, mutex, &time);
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    time.tv_sec += now.tv_sec;
    time.tv_nsec += now.tv_nsec;
    if (time.tv_nsec >= 1000000000L) {
        time.tv_sec += 1;
        time.tv_nsec -= 1000000000L;
    }
    return pthread_cond_timedwait(condition, mutex, &time);
#endif
}

/* Takes away a signal that this thread blocks and that waits for it. */
static inline void hwlibc_drop_pending(int number) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
#ifdef __APPLE__
    sigset_t pending;
    int taken;
    sigpending(&pending);
    if (sigismember(&pending, number) == 1) sigwait(&one, &taken);
#else
    struct timespec none = {0, 0};
    sigtimedwait(&one, NULL, &none);
#endif
}

/* ---- Notices about files ---- */

/* The bit of a notice that says that others were lost. */
#if HWLIBC_HAS_NOTICES
static const uint32_t hwlibc_notices_lost = IN_Q_OVERFLOW;
#else
static const uint32_t hwlibc_notices_lost = 0x4000;
#endif

/* A descriptor that notices can be read from, as inotify(7) writes them; -1 with ENOSYS where the
 * system has none. */
static inline int hwlibc_notices_open(void) {
#if HWLIBC_HAS_NOTICES
    return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
#else
    errno = ENOSYS;
    return -1;
#endif
}

/* Asks for notices about the names in a folder: a link is made, a file is renamed into place, a
 * writer closes a file, an entry is removed, or the folder itself goes away. The number of the
 * watch, or -1. */
static inline int hwlibc_notices_add(int descriptor, const char *_Nonnull folder) {
#if HWLIBC_HAS_NOTICES
    return inotify_add_watch(
        descriptor, folder,
        IN_MOVED_TO | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF
            | IN_ONLYDIR);
#else
    (void)descriptor;
    (void)folder;
    errno = ENOSYS;
    return -1;
#endif
}

/* Gives a watch back. */
static inline void hwlibc_notices_remove(int descriptor, int watch) {
#if HWLIBC_HAS_NOTICES
    inotify_rm_watch(descriptor, watch);
#else
    (void)descriptor;
    (void)watch;
#endif
}

#endif
