/* What the programs share that connect OpenSSL clients to servers of their own. */
#ifndef HAWSER_TEST_TLS_H
#define HAWSER_TEST_TLS_H

#include <hawser_openssl.h>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Not every program has a use for all of them. */
__attribute__((unused)) static const char *table, *chain, *key, *host;
/* Seconds since 1970, and what they are moved by. */
__attribute__((unused)) static int64_t at, added;
__attribute__((unused)) static int version, cases;

static inline int64_t clock_of_test(void *context) {
    (void)context;
    return at + added;
}

static inline void need(int condition, const char *what, const char *found) {
    if (condition) return;
    fprintf(stderr, "FAILED: %s, %s: %s\n", version == TLS1_2_VERSION ? "TLS 1.2" : "TLS 1.3", what, found);
    ERR_print_errors_fp(stderr);
    exit(1);
}

static inline hawser_store open_ageing_store(uint32_t staleness, int64_t seconds) {
    hawser_error error;
    HAWSER_INIT(&error);
    hawser_store_options options;
    HAWSER_INIT(&options);
    options.staleness = staleness;
    options.stale_after = seconds;
    hawser_store store;
    need(hawser_store_open_file(table, &options, &store, &error) == HAWSER_OK, "the table", error.message);
    return store;
}

static inline hawser_store open_store(void) { return open_ageing_store(HAWSER_STALE_NEVER, 0); }

static inline SSL_CTX *server_context(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    need(
        context != NULL && SSL_CTX_use_certificate_chain_file(context, chain) == 1
            && SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1,
        "the server", chain);
    SSL_CTX_set_session_id_context(context, (const unsigned char *)"tests", 5);
    return context;
}

static inline SSL_CTX *client_context(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(context, version);
    SSL_CTX_set_max_proto_version(context, version);
    return context;
}

static inline int32_t attach(SSL_CTX *context, hawser_store store) {
    hawser_openssl_options options;
    HAWSER_INIT(&options);
    options.clock = clock_of_test;
    return hawser_openssl_attach(context, store, &options, NULL);
}

static inline SSL *connection(SSL_CTX *context, const char *name) {
    SSL *ssl = SSL_new(context);
    if (name != NULL) SSL_set_tlsext_host_name(ssl, name);
    return ssl;
}

/* Puts an end of a pair of buffers below each of two connections. */
static inline void join_over_memory(SSL *client, SSL *server) {
    BIO *one, *two;
    need(BIO_new_bio_pair(&one, 1 << 16, &two, 1 << 16) == 1, "a pair of buffers", "");
    SSL_set_bio(client, one, one);
    SSL_set_bio(server, two, two);
    SSL_set_connect_state(client);
    SSL_set_accept_state(server);
}

#endif
