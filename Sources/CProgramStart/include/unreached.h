/* What `hawser run` cannot reach, by the names of libraries and by texts in files; and what the
 * command and the preloaded library agree on. */
#ifndef HAWSER_RUN_UNREACHED_H
#define HAWSER_RUN_UNREACHED_H

#include <elf.h>
#include <stddef.h>

/* The variable that names the descriptor of the sealed file. */
#define RUN_VARIABLE "HAWSER_RUN"

/* The sealed file has a number that programs do not use by themselves. */
enum { RUN_DESCRIPTOR = 200 };

#if defined(__x86_64__)
#define RUN_MACHINE EM_X86_64
#define RUN_MULTIARCH "x86_64-linux-gnu"
#elif defined(__aarch64__)
#define RUN_MACHINE EM_AARCH64
#define RUN_MULTIARCH "aarch64-linux-gnu"
#else
#error "hawser run knows x86-64 and AArch64"
#endif

struct unreached {
    const char *prefix;    /* of the file's name */
    int is_beside_openssl; /* no obstacle where libssl.so.3 is loaded too */
    const char *reason;
};

__attribute__((unused)) static const struct unreached unreached_libraries[] = {
    {"libgnutls.so", 1, "GnuTLS"},
    {"libcurl-gnutls.so", 0, "GnuTLS"},
    {"libssl3.so", 1, "NSS"},
    {"libssl.so.1.1", 0, "libssl 1.1"},
    {"libssl.so.1.0", 0, "libssl 1.0"},
    {"libwolfssl.so", 1, "wolfSSL"},
    {"libmbedtls.so", 1, "Mbed TLS"},
    {"libQt5Network.so", 0, "libssl through dlsym (Qt)"},
    {"libQt6Network.so", 0, "libssl through dlsym (Qt)"},
    {"libcoreclr.so", 0, "libssl through dlsym (.NET)"},
    {"libhostfxr.so", 0, "libssl through dlsym (.NET)"},
    {"libjli.so", 0, "Java's own TLS"},
    {"libjvm.so", 0, "Java's own TLS"},
    {"libswiftCore.so", 0, "a program in Swift uses Hawser's own module"},
    {NULL, 0, NULL},
};

#endif
