/* Counts the calls of malloc and its kin of a process, by the stack that each came from, and writes
 * them to the file that ALLOCATIONS names when the process ends. A line is a count and the return
 * addresses from the innermost on, each `OBJECT+OFFSET` with the offset from where the object is
 * loaded. For LD_PRELOAD, with glibc, and for one thread: a second thread's calls are counted, but
 * may wait for the first one's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

enum { DEPTH = 40, ROOM = 1 << 15 };

struct stack {
    unsigned long calls;
    int depth;
    void *frames[DEPTH];
};

static struct stack stacks[ROOM];
static unsigned long beyond;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int is_counting;

/* backtrace() itself allocates when it is first called, and dladdr() may. */
static void count(void) {
    if (is_counting) return;
    is_counting = 1;
    void *frames[DEPTH + 2];
    /* Without this function and the one that was interposed. */
    int depth = backtrace(frames, DEPTH + 2) - 2;
    if (depth < 0) depth = 0;
    unsigned long hash = 5381;
    for (int place = 0; place < depth; place++) hash = hash * 31 + (unsigned long)frames[place + 2];
    pthread_mutex_lock(&lock);
    unsigned long tried = 0;
    for (; tried < ROOM; tried++) {
        struct stack *stack = &stacks[(hash + tried) % ROOM];
        if (stack->calls == 0) {
            stack->depth = depth;
            memcpy(stack->frames, frames + 2, (size_t)depth * sizeof *frames);
        } else if (stack->depth != depth || memcmp(stack->frames, frames + 2, (size_t)depth * sizeof *frames) != 0) {
            continue;
        }
        stack->calls++;
        break;
    }
    if (tried == ROOM) beyond++;
    pthread_mutex_unlock(&lock);
    is_counting = 0;
}

void *malloc(size_t size) { return count(), __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return count(), __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { return count(), __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return count(), __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return count(), __libc_memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
    count();
    return (*result = __libc_memalign(alignment, size)) == NULL ? 12 : 0;
}

__attribute__((destructor)) static void tell(void) {
    is_counting = 1;
    const char *path = getenv("ALLOCATIONS");
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file == NULL) return;
    for (int place = 0; place < ROOM; place++) {
        if (stacks[place].calls == 0) continue;
        fprintf(file, "%lu", stacks[place].calls);
        for (int frame = 0; frame < stacks[place].depth; frame++) {
            Dl_info info;
            /* A return address is behind its call, which may be the last of its function. */
            char *address = (char *)stacks[place].frames[frame] - 1;
            if (dladdr(address, &info) == 0 || info.dli_fname == NULL) continue;
            fprintf(file, " %s+%lx", info.dli_fname, (unsigned long)(address - (char *)info.dli_fbase));
        }
        fprintf(file, "\n");
    }
    /* More stacks than there is room for: no count is right, and nobody shall read one. */
    if (beyond != 0) fprintf(file, "beyond %lu\n", beyond);
    fclose(file);
}
