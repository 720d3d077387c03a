#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "program_start.h"
#include "unreached_text.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/xattr.h>
#include <unistd.h>

static int argument_count;
static char **arguments;

/* The Swift runtime asks /proc/self/exe for its own folder before main. If /proc is not mounted, as
 * in an image that somebody has only unpacked, a static program would abort there. A folder that is
 * named prevents that; no backtrace could be written anyway. Earlier than other constructors. */
__attribute__((constructor(101))) static void name_runtime_folder(void) {
    if (access("/proc/self/exe", F_OK) != 0) {
        setenv("SWIFT_BACKTRACE", "enable=no,swift-backtrace=/", 1);
    }
}

/* The C library hands the words of the command line to every constructor. */
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
    argument_count = count;
    arguments = words;
}

int hawser_start_argument_count(void) { return argument_count; }

const char *hawser_start_argument(int index) {
    return index >= 0 && index < argument_count ? arguments[index] : NULL;
}

static int write_all(int descriptor, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = write(descriptor, bytes, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return 0;
        bytes += count;
        length -= (size_t)count;
    }
    return 1;
}

int hawser_start_seal(const void *bytes, size_t length) {
    int made = memfd_create("hawser-run", MFD_ALLOW_SEALING | MFD_CLOEXEC);
    if (made < 0) return -1;
    int kept = -1;
    if (write_all(made, bytes, length)
        && fcntl(made, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0) {
        kept = fcntl(made, F_DUPFD, RUN_DESCRIPTOR);
        /* Where a limit allows no such number. */
        if (kept < 0) kept = fcntl(made, F_DUPFD, 3);
    }
    int saved = errno;
    close(made);
    errno = saved;
    return kept;
}

int hawser_start_has_capabilities(int descriptor) {
    return fgetxattr(descriptor, "security.capability", NULL, 0) > 0;
}

const char *hawser_start_inside(int descriptor, size_t limit) { return unreached_text(descriptor, 0, limit); }

const char *hawser_start_unreached(const char *library) {
    for (const struct unreached *row = unreached_libraries; row->prefix != NULL; row++)
        if (!row->is_beside_openssl && strncmp(library, row->prefix, strlen(row->prefix)) == 0) return row->reason;
    return NULL;
}

int hawser_start_machine(void) { return RUN_MACHINE; }

int hawser_start_descriptor(void) { return RUN_DESCRIPTOR; }

void hawser_start_return_large_memory(void) { mallopt(M_MMAP_THRESHOLD, 1 << 20); }

void hawser_start_give_memory_back(void) { malloc_trim(0); }
