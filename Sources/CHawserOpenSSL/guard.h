/* The drop-in under a program that does not know of it: declarations that `hawser run` needs
 * besides hawser_openssl.h. Not installed, not part of the interface.
 *
 * A guarded context differs from an attached one:
 *
 * - The store is asked for at each handshake, because a process that forked has none.
 * - The server's side of a connection is left to OpenSSL and to the program, in every callback. So
 *   a context that serves both sides, and a server's context, can be guarded.
 * - The verification mode and the cache of sessions of the context stay the program's.
 * - What the program sets as its own verification (SSL_CTX_set_cert_verify_callback, the callback
 *   of SSL_CTX_set_verify, a status callback) is asked after the policy accepts, and can only
 *   refuse.
 * - Under `only_reports` the policy is asked and the answer is told. The handshake, and what
 *   OpenSSL and the program verify, are as without it.
 */
#ifndef HAWSER_GUARD_H
#define HAWSER_GUARD_H

#include "include/hawser_openssl.h"

/* What came out for a connection. */
struct hawser_guarded {
    int is_accepted;
    int is_resumed;
    int is_port_known;   /* 0: `port` is assumed */
    int is_port_needed;  /* refused, because the port is not known and may decide */
    const char *host;    /* as the program set it; empty where it set none */
    uint32_t port;
    const char *reasons; /* as hawser_openssl_reasons; empty for an accept */
};

struct hawser_guard {
    int only_reports;
    /* The store of this process; 0 where there is none. */
    hawser_store (*store)(void);
    /* Why the store is missing. */
    const char *(*no_store)(void);
    /* The port that the connection is for; 0 where it is not known. */
    uint32_t (*port)(SSL *ssl);
    /* Writes the host of a connection whose program has named none; 0 where that is not known. */
    int (*host)(SSL *ssl, char *buffer, size_t capacity);
    /* A ClientHello is being made, with this random of 32 octets. */
    void (*hello)(const unsigned char *random);
    /* Called once for each handshake that was judged. */
    void (*judged)(const struct hawser_guarded *guarded);
};

/* Guards a context, once; HAWSER_OK also for a context that is guarded already. `guard` must live
 * as long as the process. */
int32_t hawser_guard_attach(SSL_CTX *context, const struct hawser_guard *guard, hawser_error *error);

/* Whether a context is guarded. */
int hawser_guard_stands(SSL_CTX *context);

/* The program's own callbacks of a guarded context; 0 for a context that is not guarded. */
int hawser_guard_set_verify(SSL_CTX *context, int (*callback)(X509_STORE_CTX *, void *), void *argument);
int hawser_guard_set_status(SSL_CTX *context, int (*callback)(SSL *, void *));
int hawser_guard_set_status_argument(SSL_CTX *context, void *argument);

/* Offers a session to a connection that is about to shake hands: only one that is as good as a new
 * verdict, and none while the port is not known. */
void hawser_guard_offer_session(SSL *ssl, SSL_SESSION *session);

/* Whether a handshake that libssl calls finished may be used. Reports a session that was resumed
 * under TLS 1.2, which passes no other gate. */
int hawser_guard_is_accepted(SSL *ssl);

#endif
