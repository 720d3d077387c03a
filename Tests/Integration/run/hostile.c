/* Gives a stranger's octets to what libhawser_run.so reads of a program's octets and files: mutated
 * ClientHellos, requests to proxies and libraries. To be built with sanitizers.
 *
 * hostile COUNT LIBRARY */
#define _GNU_SOURCE
#include "../../../Sources/CHawserRun/passages.c"
#undef FIND
#include "../../../Sources/CHawserRun/libraries.c"

#include <sys/mman.h>

struct run_settings settings;
int is_active = 1;
long first;
char library[PATH_MAX];
__thread int is_ours;

void show(const char *text, char *buffer, size_t capacity) { snprintf(buffer, capacity, "%s", text); }
void say(const char *format, ...) { (void)format; }
void *libssl(void) { return NULL; }

static uint64_t state = 88172645463325252u;
static uint64_t random_number(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* The record, the message and its version; the random; session, suites, compression; the name. */
static const unsigned char hello[] = {
    22, 3, 1, 0, 80, 1, 0, 0, 76, 3, 3,
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
    0, 0, 2, 19, 1, 1, 0, 0, 33,
    0, 0, 0, 21, 0, 19, 0, 0, 16, 'g', 'o', 'o', 'd', '.', 'r', 'i', 'g', '.',
    'e', 'x', 'a', 'm', 'p', 'l', 0, 43, 0, 3, 2, 3, 4};

/* A block of its own size, so that a read beyond the octets is seen. */
static unsigned char *mutated(size_t *length) {
    static const char *const requests[] = {
        "CONNECT host.example:443 HTTP/1.1\r\n\r\n", "\5\1", "\5\1\0\3\4host\1\273", "\4\1\1\273\1\2\3\4u"};
    static const size_t lengths[] = {37, 3, 11, 10};
    size_t kind = random_number() % 8;
    const void *from = kind < 4 ? requests[kind] : (const char *)hello;
    size_t whole = kind < 4 ? lengths[kind] : sizeof hello;
    *length = 1 + random_number() % whole;
    unsigned char *bytes = malloc(*length);
    if (bytes == NULL) exit(3);
    memcpy(bytes, from, *length);
    for (size_t changes = random_number() % 4; changes > 0; changes--)
        bytes[random_number() % *length] = (unsigned char)random_number();
    return bytes;
}

int main(int count, char **arguments) {
    if (count != 3) return 64;
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&address, size);
    listen(listener, 1);
    getsockname(listener, (struct sockaddr *)&address, &size);
    int refusals = 0, times = atoi(arguments[1]), descriptor = -1;
    for (int time = 0; time < times; time++) {
        if (time % 100 == 0) {
            if (descriptor >= 0) close(descriptor);
            descriptor = socket(AF_INET, SOCK_STREAM, 0);
            if (connect(descriptor, (struct sockaddr *)&address, size) != 0) return 2;
            close(accept(listener, NULL, NULL));
            settings.is_strict = time % 200 == 0;
        }
        size_t length;
        unsigned char *bytes = mutated(&length);
        if (time % 3 == 0 && length >= THROUGH_RANDOM) note_hello(bytes + RANDOM);
        size_t half = random_number() % (length + 1);
        struct iovec parts[2] = {{bytes, half}, {bytes + half, length - half}};
        refusals += time % 2 == 0 ? !may_write(descriptor, bytes, length) : !may_write_parts(descriptor, parts, 2);
        (void)port_of_descriptor(descriptor);
        free(bytes);
    }
    if (refusals == 0) return 4;

    int file = open(arguments[2], O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) return 5;
    /* Headers, and what they lead to. */
    size_t length = (size_t)status.st_size;
    unsigned char *whole = malloc(length);
    if (whole == NULL || read(file, whole, length) != (ssize_t)length) return 6;
    ElfW(Ehdr) *header = (ElfW(Ehdr) *)whole;
    size_t places[] = {0, header->e_phoff, header->e_shoff, header->e_shoff + header->e_shentsize * header->e_shstrndx};
    int copy = memfd_create("library", 0), unread = 0, looks = times / 20;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
    if (pwrite(copy, whole, length, 0) != (ssize_t)length) return 7;
    for (int time = 0; time < looks; time++) {
        off_t changed[6];
        size_t changes = random_number() % 7, cut = time % 50 == 0 ? random_number() % length : length;
        for (size_t change = 0; change < changes; change++) {
            unsigned char octet = (unsigned char)random_number();
            changed[change] = (off_t)((places[random_number() % 4] + random_number() % 600) % length);
            if (pwrite(copy, &octet, 1, changed[change]) != 1) return 8;
        }
        if (cut < length && ftruncate(copy, (off_t)cut) != 0) return 9;
        struct look *look = calloc(1, sizeof *look);
        if (look == NULL) return 10;
        add(look, path, NULL);
        look_at_file(look, 0);
        unread += look->reason == NULL;
        for (size_t place = 0; place < look->count; place++) {
            free(look->waiting[place].path);
            free(look->waiting[place].folders);
        }
        free(look);
        for (size_t change = 0; change < changes; change++)
            if (pwrite(copy, whole + changed[change], 1, changed[change]) != 1) return 11;
        if (cut < length && pwrite(copy, whole + cut, length - cut, (off_t)cut) != (ssize_t)(length - cut)) return 12;
    }
    free(whole);
    printf("%d of %d refused, %d of %d libraries not recognised\n", refusals, times, unread, looks);
    return unread == looks ? 13 : 0;
}
