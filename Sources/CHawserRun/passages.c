/* What a program sends in clear on its sockets before TLS begins there: requests to proxies, and
 * the ClientHello.
 *
 * A ClientHello is known by its random. Each judged context notes the random of each ClientHello
 * that it makes. When one is sent, the port of its connection is noted beside, so that the port is
 * known also for a program that keeps its socket from OpenSSL (curl, asyncio). A ClientHello whose
 * random was not noted comes from a TLS library that is not judged: it is named, and under
 * `--strict` not sent.
 *
 * The port is the peer's. Where the program has asked a proxy for a tunnel (CONNECT, SOCKS),
 * it is the port that was asked for. It is not known where the beginning of the connection was not
 * seen: that may have been a request to a proxy, or TLS to one.
 *
 * Most calls look at one octet. Nothing here takes a lock or allocates: these functions run in
 * handlers of signals and in children between vfork and exec. State is kept in words that are read
 * and written whole.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "preload.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------- real functions */

#define FUNCTIONS(each) \
    each(accept) each(accept4) each(connect) each(dup) each(dup2) each(dup3) each(fcntl) each(fcntl64) each(send) \
        each(sendmmsg) each(sendmsg) each(sendto) each(socket) each(write) each(writev)
#define DECLARE(name) static __typeof__(&name) real_##name;
#define FIND(name) real_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name);
FUNCTIONS(DECLARE)

/* Before a handler of a signal or a child of vfork may call one of ours. */
__attribute__((constructor)) static void find_functions(void) { FUNCTIONS(FIND) }

/* The function itself; libraries that are initialised before this one call it too. */
#define NEXT(name) \
    ({ \
        if (real_##name == NULL) find_functions(); \
        real_##name; \
    })

/* ------------------------------------------------------------------------------------- passages */

/* What was sent on a socket so far. A socket is known by its number in the file system: copies of
 * its descriptor and other processes have the same number, and later sockets have others. */
enum passage {
    unseen,  /* the socket was connected out of sight */
    direct,  /* nothing was asked of a proxy */
    greeted, /* SOCKS 5 begins: the port comes with the request */
    asked,   /* a proxy was asked for a tunnel to a port */
    hidden,  /* a proxy was asked, and for which port is not known */
    begun    /* TLS has begun */
};

enum { SOCKETS = 1 << 16, WATCHED = 1 << 16 };

/* The number of the socket, its passage and the port, in one word. */
static uint64_t passages[SOCKETS];

/* By descriptor: whether octets that are sent there may be for a SOCKS proxy. A descriptor that was
 * closed may be left here: then its successor is looked at too, which harms nothing. */
enum { not_watched, watched_from_start, watched };
static unsigned char watch[WATCHED];

/* By descriptor: whether it is a socket. Every octet that a program writes passes here: what goes
 * into files and pipes is never read, as a program may write from memory that is not there to learn
 * just this. A new socket, a copy and a connection are noted. */
enum { not_known, is_socket, is_no_socket };
static unsigned char kinds[WATCHED];

static uint32_t socket_of(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode) ? (uint32_t)status.st_ino : 0;
}

static void set_kind(int descriptor, unsigned char kind) {
    if (descriptor >= 0 && descriptor < WATCHED) kinds[descriptor] = kind;
}

static int goes_to_socket(int descriptor) {
    if (descriptor < 0) return 0;
    if (descriptor < WATCHED && kinds[descriptor] != not_known) return kinds[descriptor] == is_socket;
    int saved = errno, found = socket_of(descriptor) != 0;
    errno = saved;
    set_kind(descriptor, found ? is_socket : is_no_socket);
    return found;
}

static void set_passage(uint32_t number, enum passage passage, uint32_t port) {
    uint64_t word = (uint64_t)number << 32 | (uint64_t)passage << 16 | (port & 0xFFFF);
    __atomic_store_n(&passages[number % SOCKETS], word, __ATOMIC_RELEASE);
}

static enum passage passage_of(uint32_t number, uint32_t *port) {
    uint64_t word = number == 0 ? 0 : __atomic_load_n(&passages[number % SOCKETS], __ATOMIC_ACQUIRE);
    *port = word & 0xFFFF;
    return number != 0 && (uint32_t)(word >> 32) == number ? (enum passage)(word >> 16 & 0xFF) : unseen;
}

/* The port of a socket's peer; 0 where it has none. */
static uint32_t port_of_peer(int descriptor) {
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    if (getpeername(descriptor, (struct sockaddr *)&peer, &length) != 0) return 0;
    if (peer.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&peer)->sin_port);
    return peer.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&peer)->sin6_port) : 0;
}

/* Whether something was sent that was not seen here, as by a stream of the C library: it may have
 * been a request to a proxy. A kernel that does not count what was sent says no. */
static int has_sent_unseen(int descriptor) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    memset(&info, 0, sizeof info);
    return descriptor >= 0 && descriptor < WATCHED && watch[descriptor] == watched_from_start
        && getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) == 0
        && length >= offsetof(struct tcp_info, tcpi_bytes_sent) + sizeof info.tcpi_bytes_sent
        && info.tcpi_bytes_sent > 0;
}

static uint32_t port_of_passage(int descriptor, uint32_t number) {
    uint32_t port;
    switch (passage_of(number, &port)) {
    case direct: return has_sent_unseen(descriptor) ? 0 : port_of_peer(descriptor);
    case asked: return port;
    case unseen:
    case greeted:
    case hidden:
    case begun: return 0;
    }
    return 0;
}

uint32_t port_of_descriptor(int descriptor) {
    int saved = errno;
    uint32_t port = descriptor < 0 ? 0 : port_of_passage(descriptor, socket_of(descriptor));
    errno = saved;
    return port;
}

static void begin_passage(int descriptor, const struct sockaddr *to, socklen_t length) {
    if (!is_active || to == NULL || length < sizeof to->sa_family) return;
    sa_family_t family = to->sa_family;
    if (family != AF_INET && family != AF_INET6 && family != AF_UNSPEC) return;
    int saved = errno;
    uint32_t port, number = socket_of(descriptor);
    /* A second call for the same socket asks how the first has ended. */
    if (number != 0 && (family == AF_UNSPEC || passage_of(number, &port) == unseen)) {
        set_passage(number, direct, 0);
        if (descriptor >= 0 && descriptor < WATCHED) watch[descriptor] = watched_from_start;
    }
    errno = saved;
}

SHOWN int socket(int domain, int type, int protocol) {
    int descriptor = NEXT(socket)(domain, type, protocol);
    set_kind(descriptor, is_socket);
    return descriptor;
}

SHOWN int accept(int listener, struct sockaddr *from, socklen_t *length) {
    int descriptor = NEXT(accept)(listener, from, length);
    set_kind(descriptor, is_socket);
    return descriptor;
}

SHOWN int accept4(int listener, struct sockaddr *from, socklen_t *length, int flags) {
    int descriptor = NEXT(accept4)(listener, from, length, flags);
    set_kind(descriptor, is_socket);
    return descriptor;
}

SHOWN int connect(int descriptor, const struct sockaddr *to, socklen_t length) {
    begin_passage(descriptor, to, length);
    set_kind(descriptor, is_socket);
    if (!is_ours && to != NULL && length >= sizeof to->sa_family
        && (to->sa_family == AF_INET || to->sa_family == AF_INET6)) {
        int saved = errno;
        look_at_loaded();
        errno = saved;
    }
    return NEXT(connect)(descriptor, to, length);
}

/* A child of vfork makes copies in its parent's memory, of which the parent has none: so nothing is
 * taken back here. */
static int copied(int from, int to) {
    set_kind(to, not_known);
    if (from >= 0 && to >= 0 && to < WATCHED && (from >= WATCHED || watch[from] != not_watched))
        watch[to] = from < WATCHED ? watch[from] : watched;
    return to;
}

SHOWN int dup(int descriptor) { return copied(descriptor, NEXT(dup)(descriptor)); }

SHOWN int dup2(int descriptor, int other) { return copied(descriptor, NEXT(dup2)(descriptor, other)); }

SHOWN int dup3(int descriptor, int other, int flags) {
    return copied(descriptor, NEXT(dup3)(descriptor, other, flags));
}

/* A third argument is a number or an address, or is left out: then what stands in its place is
 * handed on unread. */
#define DUPLICATING(name) \
    SHOWN int name(int descriptor, int command, ...) { \
        va_list arguments; \
        va_start(arguments, command); \
        void *argument = va_arg(arguments, void *); \
        va_end(arguments); \
        int result = NEXT(name)(descriptor, command, argument); \
        return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? copied(descriptor, result) : result; \
    }

DUPLICATING(fcntl)
DUPLICATING(fcntl64)

/* -------------------------------------------------------------------------- requests to proxies */

/* The port of `CONNECT host:port HTTP/1.1`; 0 where there is none. */
static uint32_t port_of_request(const unsigned char *bytes, size_t length) {
    const unsigned char *start = bytes + 8, *end = memchr(start, ' ', length - 8 < 300 ? length - 8 : 300);
    if (end == NULL) return 0;
    const unsigned char *colon = memrchr(start, ':', (size_t)(end - start));
    if (colon == NULL || colon == start || end - colon < 2 || end - colon > 6) return 0;
    uint32_t port = 0;
    for (const unsigned char *digit = colon + 1; digit < end; digit++) {
        if (*digit < '0' || *digit > '9') return 0;
        port = port * 10 + (uint32_t)(*digit - '0');
    }
    return port <= 65535 ? port : 0;
}

/* Where the port of a SOCKS 5 request stands (RFC 1928 section 4); 0 where it is none. */
static size_t place_of_port(const unsigned char *bytes, size_t length) {
    if (length < 8 || bytes[0] != 5 || bytes[1] != 1 || bytes[2] != 0) return 0;
    switch (bytes[3]) {
    case 1: return 4 + 4;
    case 3: return 4 + 1 + (size_t)bytes[4];
    case 4: return 4 + 16;
    default: return 0;
    }
}

static uint32_t port_at(const unsigned char *bytes) { return (uint32_t)bytes[0] << 8 | bytes[1]; }

/* Looks at octets that are sent in clear: are they a request to a proxy? */
static void look_at_request(int descriptor, const unsigned char *bytes, size_t length, int watching) {
    int is_watched = watching != not_watched, is_first = watching == watched_from_start;
    uint32_t number, port;
    if (length > 8 && memcmp(bytes, "CONNECT ", 8) == 0) {
        number = socket_of(descriptor);
        port = port_of_request(bytes, length);
        if (number != 0) set_passage(number, port == 0 ? hidden : asked, port);
        return;
    }
    if (!is_watched || (bytes[0] != 4 && bytes[0] != 5)) return;
    number = socket_of(descriptor);
    if (number == 0) return;
    if (is_first && length >= 3 && bytes[0] == 5 && length == 2 + (size_t)bytes[1]) {
        set_passage(number, greeted, 0);
    } else if (is_first && length >= 9 && bytes[0] == 4 && bytes[1] == 1) {
        port = port_at(bytes + 2);
        set_passage(number, port == 0 ? hidden : asked, port);
    } else if (bytes[0] == 5 && passage_of(number, &port) == greeted) {
        size_t place = place_of_port(bytes, length);
        port = place == 0 || place + 2 > length ? 0 : port_at(bytes + place);
        set_passage(number, port == 0 ? hidden : asked, port);
    }
}

/* ----------------------------------------------------------------------------------- the hellos */

/* Hellos that were made or told lately: the first octets of a random, in sets of eight, of which
 * the oldest is replaced. Beside each stands what was learnt when it was sent. */
enum { SETS = 1 << 11, WAYS = 8 };

static uint64_t hellos[SETS * WAYS];
static uint64_t facts[SETS * WAYS];   /* the descriptor, the flags, the port */
static uint32_t sockets[SETS * WAYS]; /* the number of the socket */
static unsigned char turns[SETS];

/* It comes from no judged context and was named; it was sent; and no proxy was asked before. */
enum { hello_told = 1 << 16, hello_sent = 1 << 17, hello_direct = 1 << 18 };

static uint64_t key_of(const unsigned char *random) {
    uint64_t words[4], key = 0;
    memcpy(words, random, sizeof words);
    for (size_t place = 0; place < 4; place++) key = (key ^ words[place]) * 0x9E3779B97F4A7C15u;
    return key == 0 ? 1 : key;
}

static size_t place_of(uint64_t key) {
    size_t set = (size_t)(key >> 32) % SETS * WAYS;
    for (size_t way = 0; way < WAYS; way++)
        if (__atomic_load_n(&hellos[set + way], __ATOMIC_ACQUIRE) == key) return set + way;
    return SIZE_MAX;
}

static void keep_hello(uint64_t key, uint64_t fact) {
    size_t set = (size_t)(key >> 32) % SETS;
    size_t place = set * WAYS + __atomic_fetch_add(&turns[set], 1, __ATOMIC_RELAXED) % WAYS;
    __atomic_store_n(&hellos[place], 0, __ATOMIC_RELEASE);
    __atomic_store_n(&facts[place], fact, __ATOMIC_RELEASE);
    __atomic_store_n(&hellos[place], key, __ATOMIC_RELEASE);
}

void note_hello(const unsigned char *random) {
    uint64_t key = key_of(random);
    /* A second hello after HelloRetryRequest has the same random (RFC 8446 section 4.1.2). */
    if (place_of(key) == SIZE_MAX) keep_hello(key, 0);
}

uint32_t port_of_hello(const unsigned char *random) {
    size_t place = place_of(key_of(random));
    return place == SIZE_MAX ? 0 : __atomic_load_n(&facts[place], __ATOMIC_ACQUIRE) & 0xFFFF;
}

int descriptor_of_hello(const unsigned char *random) {
    size_t place = place_of(key_of(random));
    uint64_t fact = place == SIZE_MAX ? 0 : __atomic_load_n(&facts[place], __ATOMIC_ACQUIRE);
    if ((fact & hello_direct) == 0) return -1;
    int descriptor = (int)(fact >> 32), saved = errno;
    int is_same = socket_of(descriptor) == __atomic_load_n(&sockets[place], __ATOMIC_RELAXED);
    errno = saved;
    return is_same ? descriptor : -1;
}

/* Octets of a record and its ClientHello (RFC 8446 sections 5.1 and 4.1.2). */
enum { HEADER = 5, RANDOM = 11, THROUGH_RANDOM = 43, LOOKED_AT = 2048 };

/* Whether octets begin as a ClientHello does. Where fewer than THROUGH_RANDOM are there, whether
 * they may be its beginning. */
static int is_hello(const unsigned char *bytes, size_t length) {
    if (bytes[0] != 22 || (length > 1 && bytes[1] != 3) || (length > 2 && bytes[2] > 4)) return 0;
    if (length > HEADER && bytes[HEADER] != 1) return 0;
    if (length < RANDOM) return 1;
    size_t record = (size_t)bytes[3] << 8 | bytes[4];
    size_t message = (size_t)bytes[6] << 16 | (size_t)bytes[7] << 8 | bytes[8];
    if (record < 4 || record > 1 << 14 || message + 4 < record || message > 1 << 17) return 0;
    return bytes[9] == 3 && bytes[10] <= 4 && (length <= THROUGH_RANDOM || bytes[THROUGH_RANDOM] <= 32);
}

/* The server name of a ClientHello (RFC 6066 section 3), as far as it is among the octets. */
static void name_of_hello(const unsigned char *bytes, size_t length, char *name, size_t capacity) {
    name[0] = 0;
    size_t place = THROUGH_RANDOM;
    if (place >= length) return;
    place += 1 + (size_t)bytes[place];
    if (place + 2 > length) return;
    place += 2 + (size_t)port_at(bytes + place);
    if (place + 1 > length) return;
    place += 1 + (size_t)bytes[place] + 2;
    while (place + 4 <= length) {
        size_t kind = port_at(bytes + place), size = port_at(bytes + place + 2);
        place += 4;
        if (kind == 0 && size > 5 && place + size <= length && bytes[place + 2] == 0) {
            size_t count = port_at(bytes + place + 3);
            if (count > size - 5 || count + 1 > capacity) return;
            char text[256];
            if (count >= sizeof text) return;
            memcpy(text, bytes + place + 5, count);
            text[count] = 0;
            show(text, name, capacity);
            return;
        }
        place += size;
    }
}

void address_of_peer(int descriptor, char *text, size_t capacity) {
    union {
        struct sockaddr_storage any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } peer;
    socklen_t length = sizeof peer;
    char address[INET6_ADDRSTRLEN] = "";
    snprintf(text, capacity, "a socket");
    if (getpeername(descriptor, (struct sockaddr *)&peer, &length) != 0) return;
    if (peer.any.ss_family == AF_INET && inet_ntop(AF_INET, &peer.four.sin_addr, address, sizeof address) != NULL)
        snprintf(text, capacity, "%s:%u", address, ntohs(peer.four.sin_port));
    if (peer.any.ss_family == AF_INET6 && inet_ntop(AF_INET6, &peer.six.sin6_addr, address, sizeof address) != NULL)
        snprintf(text, capacity, "[%s]:%u", address, ntohs(peer.six.sin6_port));
}

/* Names a ClientHello that no judged context has made. 0 where it must not be sent. */
static int may_send(int descriptor, const unsigned char *bytes, size_t length) {
    int is_whole = length >= THROUGH_RANDOM;
    uint64_t key = is_whole ? key_of(bytes + RANDOM) : 0;
    int is_refused = settings.is_strict && !settings.only_reports;
    /* A program tries again with the same octets where its socket had to wait. */
    if (is_whole && place_of(key) != SIZE_MAX) return !is_refused;
    if (is_whole) keep_hello(key, hello_told);
    char host[256], address[80];
    name_of_hello(bytes, length, host, sizeof host);
    address_of_peer(descriptor, address, sizeof address);
    int is_named = host[0] != 0;
    say("%s connection to %s%s%s%s%s: no judged context made its ClientHello",
        is_refused ? "refused a" : settings.is_strict ? "would refuse a" : "the", is_named ? host : address,
        is_named ? " (" : "", is_named ? address : "", is_named ? ")" : "", settings.is_strict ? "" : " is not judged");
    return !is_refused;
}

/* A ClientHello that is sent on a descriptor. 0 where it must not be. */
static int look_at_hello(int descriptor, const unsigned char *bytes, size_t length) {
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM) return 1;
    uint32_t number = socket_of(descriptor);
    uint32_t port = port_of_passage(descriptor, number), other;
    size_t place = length < THROUGH_RANDOM ? SIZE_MAX : place_of(key_of(bytes + RANDOM));
    uint64_t fact = place == SIZE_MAX ? hello_told : __atomic_load_n(&facts[place], __ATOMIC_ACQUIRE);
    if ((fact & hello_told) != 0) {
        if (!may_send(descriptor, bytes, length)) return 0;
    } else if ((fact & hello_sent) == 0 && (port != 0 || port_of_peer(descriptor) != 0)) {
        /* Not where it only passes to another thread or process, over a socket without a port. */
        uint64_t flags = hello_sent | (passage_of(number, &other) == direct ? hello_direct : 0);
        __atomic_store_n(&sockets[place], number, __ATOMIC_RELAXED);
        __atomic_store_n(&facts[place], (uint64_t)(uint32_t)descriptor << 32 | flags | port, __ATOMIC_RELEASE);
    }
    if (number != 0 && passage_of(number, &other) != unseen) set_passage(number, begun, 0);
    if (descriptor >= 0 && descriptor < WATCHED) watch[descriptor] = not_watched;
    return 1;
}

/* Beginnings of a ClientHello that came in more than one call, by socket. A call holds the one that
 * it looks at; another call that finds it held passes it by. */
enum { PIECES = 16 };
enum { piece_free, piece_kept, piece_held };
static struct piece {
    int state;
    uint32_t number;
    size_t length;
    unsigned char bytes[THROUGH_RANDOM + 1];
} pieces[PIECES];
static int piece_count;

static int change_piece(struct piece *piece, int from, int to) {
    return __atomic_compare_exchange_n(&piece->state, &from, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Holds the piece of a socket; NULL where there is none. */
static struct piece *hold_piece(uint32_t number) {
    for (struct piece *piece = pieces; piece < pieces + PIECES; piece++) {
        if (!change_piece(piece, piece_kept, piece_held)) continue;
        if (piece->number == number) return piece;
        __atomic_store_n(&piece->state, piece_kept, __ATOMIC_RELEASE);
    }
    return NULL;
}

static struct piece *new_piece(uint32_t number) {
    for (struct piece *piece = pieces; piece < pieces + PIECES; piece++) {
        if (!change_piece(piece, piece_free, piece_held)) continue;
        piece->number = number;
        piece->length = 0;
        __atomic_fetch_add(&piece_count, 1, __ATOMIC_RELAXED);
        return piece;
    }
    return NULL;
}

static void drop_piece(struct piece *piece) {
    __atomic_fetch_sub(&piece_count, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&piece->state, piece_free, __ATOMIC_RELEASE);
}

/* Octets that continue a ClientHello, or begin one and do not reach beyond its random. `*is_piece`
 * is whether they were. 0 where they must not be sent. */
static int look_at_piece(int descriptor, const unsigned char *bytes, size_t length, int *is_piece) {
    uint32_t number = socket_of(descriptor);
    struct piece *piece = number == 0 ? NULL : hold_piece(number);
    if (number != 0 && piece == NULL && bytes[0] == 22) piece = new_piece(number);
    *is_piece = piece != NULL;
    if (piece == NULL) return 1;
    size_t space = sizeof piece->bytes - piece->length, taken = space < length ? space : length;
    memcpy(piece->bytes + piece->length, bytes, taken);
    piece->length += taken;
    int may = 1;
    if (!is_hello(piece->bytes, piece->length)) {
        drop_piece(piece);
    } else if (piece->length >= THROUGH_RANDOM) {
        may = look_at_hello(descriptor, piece->bytes, piece->length);
        drop_piece(piece);
    } else {
        __atomic_store_n(&piece->state, piece_kept, __ATOMIC_RELEASE);
    }
    return may;
}

/* ---------------------------------------------------------------------------------- sent octets */

static __attribute__((noinline)) int look_at_sent(int descriptor, const unsigned char *bytes, size_t length) {
    int saved = errno, may = 1, is_piece = 0;
    int watching = descriptor < 0 ? not_watched : descriptor < WATCHED ? watch[descriptor] : watched;
    if (bytes[0] == 22 && length >= THROUGH_RANDOM && is_hello(bytes, length)) {
        may = look_at_hello(descriptor, bytes, length);
    } else if ((bytes[0] == 22 && length < THROUGH_RANDOM && is_hello(bytes, length))
               || __atomic_load_n(&piece_count, __ATOMIC_RELAXED) > 0) {
        may = look_at_piece(descriptor, bytes, length, &is_piece);
    }
    if (may && !is_piece) look_at_request(descriptor, bytes, length, watching);
    if (descriptor >= 0 && descriptor < WATCHED && watch[descriptor] == watched_from_start)
        watch[descriptor] = watched;
    errno = may ? saved : EACCES;
    return may;
}

static inline int is_of_interest(int descriptor, unsigned char octet) {
    return octet == 22 || octet == 'C'
        || (descriptor >= 0 && (descriptor >= WATCHED || watch[descriptor] != not_watched))
        || __atomic_load_n(&piece_count, __ATOMIC_RELAXED) > 0;
}

static inline int may_write(int descriptor, const void *bytes, size_t length) {
    return length == 0 || bytes == NULL || !is_active || !is_of_interest(descriptor, *(const unsigned char *)bytes)
        || look_at_sent(descriptor, bytes, length);
}

static __attribute__((noinline)) int look_at_parts(int descriptor, const struct iovec *parts, size_t count) {
    unsigned char bytes[LOOKED_AT];
    size_t length = 0;
    for (size_t place = 0; place < count && length < sizeof bytes; place++) {
        size_t taken = parts[place].iov_len < sizeof bytes - length ? parts[place].iov_len : sizeof bytes - length;
        if (taken > 0) memcpy(bytes + length, parts[place].iov_base, taken);
        length += taken;
    }
    return length == 0 || look_at_sent(descriptor, bytes, length);
}

static int may_write_parts(int descriptor, const struct iovec *parts, size_t count) {
    size_t place = 0;
    while (place < count && parts != NULL && parts[place].iov_len == 0) place++;
    return parts == NULL || place == count || parts[place].iov_base == NULL || !is_active
        || !is_of_interest(descriptor, *(const unsigned char *)parts[place].iov_base)
        || look_at_parts(descriptor, parts + place, count - place);
}

SHOWN ssize_t write(int descriptor, const void *bytes, size_t length) {
    return !is_active || !goes_to_socket(descriptor) || may_write(descriptor, bytes, length)
        ? NEXT(write)(descriptor, bytes, length)
        : -1;
}

SHOWN ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    return count < 0 || !is_active || !goes_to_socket(descriptor)
            || may_write_parts(descriptor, parts, (size_t)count)
        ? NEXT(writev)(descriptor, parts, count)
        : -1;
}

SHOWN ssize_t send(int descriptor, const void *bytes, size_t length, int flags) {
    return may_write(descriptor, bytes, length) ? NEXT(send)(descriptor, bytes, length, flags) : -1;
}

SHOWN ssize_t sendto(
    int descriptor, const void *bytes, size_t length, int flags, const struct sockaddr *to, socklen_t to_length) {
    return may_write(descriptor, bytes, length) ? NEXT(sendto)(descriptor, bytes, length, flags, to, to_length) : -1;
}

SHOWN ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    return message == NULL || may_write_parts(descriptor, message->msg_iov, message->msg_iovlen)
        ? NEXT(sendmsg)(descriptor, message, flags)
        : -1;
}

SHOWN int sendmmsg(int descriptor, struct mmsghdr *messages, unsigned int count, int flags) {
    for (unsigned int place = 0; messages != NULL && place < count; place++)
        if (!may_write_parts(descriptor, messages[place].msg_hdr.msg_iov, messages[place].msg_hdr.msg_iovlen))
            return -1;
    return NEXT(sendmmsg)(descriptor, messages, count, flags);
}
