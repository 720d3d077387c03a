/* What `hawser run` cannot reach, by texts in a program's or a library's file. */
#ifndef HAWSER_RUN_UNREACHED_TEXT_H
#define HAWSER_RUN_UNREACHED_TEXT_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Texts in a file that has its own TLS library inside: files of the library's source, which its
 * error messages name. */
struct unreached_text {
    const char *text;
    const char *reason;
};

enum { UNREACHED_TEXTS = 5 };

static const struct unreached_text unreached_texts[UNREACHED_TEXTS] = {
    {"ssl/statem/statem_clnt.c", "its own OpenSSL inside"},
    {"ssl/handshake_client.cc", "its own BoringSSL inside"},
    {"/rustls-", "its own rustls inside"},
    {"tls/s2n_client_hello.c", "its own s2n-tls inside"},
    {"libhostfxr.so", "libssl through dlsym (.NET)"},
};

/* The reason of the first row whose text is in a file; NULL where none is, and where the file
 * cannot be read. At most `limit` octets are read, from `place` on. */
static const char *unreached_text(int descriptor, size_t place, size_t limit) {
    enum { PART = 1 << 20, LONGEST = 64 };
    char *part = (char *)malloc(PART + LONGEST);
    size_t kept = 0, seen = 0;
    int first = UNREACHED_TEXTS;
    while (part != NULL && seen < limit && first > 0) {
        ssize_t count = pread(descriptor, part + kept, limit - seen < PART ? limit - seen : PART, (off_t)(place + seen));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        seen += (size_t)count;
        size_t length = kept + (size_t)count;
        for (int row = 0; row < first; row++)
            if (memmem(part, length, unreached_texts[row].text, strlen(unreached_texts[row].text)) != NULL)
                first = row;
        /* A text may stand across the end of this part. */
        kept = length < LONGEST ? length : LONGEST;
        memmove(part, part + length - kept, kept);
    }
    free(part);
    return first < UNREACHED_TEXTS ? unreached_texts[first].reason : NULL;
}

#endif
