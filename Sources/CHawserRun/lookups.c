/* Names that a program has looked up, by the addresses that it was given: for programs that send no
 * server name. Only with `--names-from-lookups`.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "preload.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* The address of IPv4 is kept as IPv6 maps it (RFC 4291 section 2.5.5.2). */
struct looked_up {
    unsigned char address[16];
    char name[254]; /* empty where two names have the address */
};

enum { MOST_LOOKED_UP = 1024 };
static struct looked_up looked_up[MOST_LOOKED_UP];
static size_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void lock_for_fork(void) { pthread_mutex_lock(&lock); }
static void unlock_after_fork(void) { pthread_mutex_unlock(&lock); }

__attribute__((constructor)) static void mind_forks(void) {
    pthread_atfork(lock_for_fork, unlock_after_fork, unlock_after_fork);
}

static int read_address(const struct sockaddr *given, unsigned char *address) {
    static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    if (given->sa_family == AF_INET) {
        memcpy(address, mapped, sizeof mapped);
        memcpy(address + 12, &((const struct sockaddr_in *)given)->sin_addr, 4);
        return 1;
    }
    if (given->sa_family != AF_INET6) return 0;
    memcpy(address, &((const struct sockaddr_in6 *)given)->sin6_addr, 16);
    return 1;
}

static struct looked_up *entry_of(const unsigned char *address) {
    for (size_t place = 0; place < count; place++)
        if (memcmp(looked_up[place].address, address, 16) == 0) return &looked_up[place];
    return NULL;
}

/* Writes a name in small letters and without a dot at its end; 0 where it is none. */
static int write_name(const char *node, char *name, size_t capacity) {
    size_t length = strlen(node);
    unsigned char address[16];
    if (length > 0 && node[length - 1] == '.') length--;
    if (length == 0 || length >= capacity || inet_pton(AF_INET6, node, address) == 1
        || inet_aton(node, (struct in_addr *)address) != 0)
        return 0;
    for (size_t place = 0; place < length; place++) name[place] = (char)tolower((unsigned char)node[place]);
    name[length] = 0;
    return 1;
}

static void remember(const char *node, const struct addrinfo *answers) {
    char name[sizeof looked_up[0].name];
    if (!write_name(node, name, sizeof name)) return;
    pthread_mutex_lock(&lock);
    for (const struct addrinfo *answer = answers; answer != NULL; answer = answer->ai_next) {
        unsigned char address[16];
        if (answer->ai_addr == NULL || !read_address(answer->ai_addr, address)) continue;
        struct looked_up *entry = entry_of(address);
        if (entry != NULL) {
            if (strcmp(entry->name, name) != 0) entry->name[0] = 0;
        } else if (count < MOST_LOOKED_UP) {
            memcpy(looked_up[count].address, address, sizeof address);
            memcpy(looked_up[count].name, name, sizeof name);
            count++;
        }
    }
    pthread_mutex_unlock(&lock);
}

SHOWN int getaddrinfo(
    const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **answers) {
    int result = REAL(getaddrinfo)(node, service, hints, answers);
    if (result == 0 && is_active && settings.takes_lookups && node != NULL && answers != NULL) {
        int saved = errno;
        remember(node, *answers);
        errno = saved;
    }
    return result;
}

int looked_up_name(int descriptor, char *buffer, size_t capacity) {
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    unsigned char address[16];
    if (!settings.takes_lookups || descriptor < 0 || getpeername(descriptor, (struct sockaddr *)&peer, &length) != 0
        || !read_address((struct sockaddr *)&peer, address))
        return 0;
    pthread_mutex_lock(&lock);
    const struct looked_up *entry = entry_of(address);
    int is_found = entry != NULL && entry->name[0] != 0 && strlen(entry->name) < capacity;
    if (is_found) strcpy(buffer, entry->name);
    pthread_mutex_unlock(&lock);
    return is_found;
}
