/* What stands between the two libraries of `hawser run`.
 *
 * libhawser_run.so is loaded into every program (LD_PRELOAD). It needs only the C library, so that
 * a program without TLS pays next to nothing. libhawser_judge.so has the drop-in for OpenSSL; it is
 * loaded when a program makes its first TLS context that may be a client's.
 */
#ifndef HAWSER_RUN_JUDGE_H
#define HAWSER_RUN_JUDGE_H

#include <openssl/ssl.h>
#include <stddef.h>
#include <stdint.h>

enum { RUN_KEYS = 64 }; /* HAWSER_LIMIT_KEYS */

/* What `hawser run` was told. The texts live as long as the process. */
struct run_settings {
    int only_reports;
    int is_strict;
    int is_verbose;
    int takes_lookups;          /* a host that TLS is not told is the name that was looked up */
    const char *log;            /* a file to append to; NULL: standard error */
    const void *table;          /* a compiled table; NULL where `table_file` is given */
    size_t table_length;
    const char *table_file;
    const char *policy;         /* the policy that `table` is compiled from; NULL where that is
                                   not known */
    const char *crlite_directory; /* a folder of CRLite filters; NULL: none */
    unsigned char keys[RUN_KEYS][32];
    size_t key_count;
    uint32_t threshold;
};

struct run_judge {
    /* Guards a context; 0 where that fails. */
    int (*guard)(SSL_CTX *context);
    int (*stands)(SSL_CTX *context);
    int (*set_verify)(SSL_CTX *context, int (*callback)(X509_STORE_CTX *, void *), void *argument);
    int (*set_status)(SSL_CTX *context, int (*callback)(SSL *, void *));
    int (*set_status_argument)(SSL_CTX *context, void *argument);
    /* Keeps a session until the handshake, when the host is known; 0 where that fails. */
    int (*keep_session)(SSL *ssl, SSL_SESSION *session);
    /* Before and after a call that shakes hands. `after` says whether a handshake that libssl
     * calls finished may be used. */
    void (*before)(SSL *ssl, int is_client);
    int (*after)(SSL *ssl);
};

/* What the judge asks of the program's sockets: see guard.h. */
struct run_sockets {
    uint32_t (*port)(SSL *ssl);
    int (*host)(SSL *ssl, char *buffer, size_t capacity);
    void (*hello)(const unsigned char *random);
    /* Writes the address and port of the server that a connection goes straight to, for advice
     * alone; 0 where a proxy stands between, or that is not known. */
    int (*address)(SSL *ssl, char *buffer, size_t capacity);
};

/* The one symbol of libhawser_judge.so. `say` writes a line to the log; `sockets` is copied. NULL
 * where the library cannot work. */
typedef const struct run_judge *run_judge_start(
    const struct run_settings *settings, void (*say)(const char *format, ...), const struct run_sockets *sockets);
run_judge_start hawser_run_judge;

#endif
