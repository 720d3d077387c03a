/* Answers getaddrinfo for a test, in a library that is loaded before the C library. NAMES has pairs
 * `name=address`, with a space between them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **answers) {
    __typeof__(&getaddrinfo) real = (__typeof__(&getaddrinfo))dlsym(RTLD_NEXT, "getaddrinfo");
    char pairs[1024], *rest = NULL;
    snprintf(pairs, sizeof pairs, "%s", getenv("NAMES"));
    for (char *name = strtok_r(pairs, " ", &rest); name != NULL && node != NULL; name = strtok_r(NULL, " ", &rest)) {
        char *address = strchr(name, '=');
        *address++ = 0;
        if (strcmp(name, node) == 0) return real(address, service, hints, answers);
    }
    return real(node, service, hints, answers);
}
