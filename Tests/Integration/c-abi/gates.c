/* Whether an OpenSSL client that a policy is attached to can be brought to trust without a verdict:
 * each way of going around the three gates of hawser_openssl.c, client and server in one process,
 * TLS 1.2 and 1.3.
 *
 *     gates TABLE OTHER-TABLE STRICTER-TABLE CHAIN KEY HOST SECONDS-SINCE-1970
 *
 * All tables accept the chain for the host; they are three policies. The other table leaves the
 * host alone; the stricter table judges it more strictly than both.
 */
#define _GNU_SOURCE
#include "tls.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *other_table, *stricter_table;
static void (*after_hello)(void); /* called once, when the client's hello is written */

/* The system's clock, for the stores and for libssl: this program's definition comes before
 * the C library's. */
time_t time(time_t *place) {
    time_t now = (time_t)(at + added);
    if (place != NULL) *place = now;
    return now;
}

/* The clock that nobody sets, by which libhawser tells age: it passes as the one above does. */
int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && clock == CLOCK_BOOTTIME) now->tv_sec += added;
    return result;
}

/* Shakes hands over memory; whether the client was through, and read what the server wrote. */
static int shake(SSL *client, SSL_CTX *server_side) {
    SSL *server = SSL_new(server_side);
    join_over_memory(client, server);
    ERR_clear_error();
    int is_client_through = 0, is_server_through = 0;
    for (int round = 0; round < 20 && !(is_client_through && is_server_through); round++) {
        if (!is_client_through) is_client_through = SSL_do_handshake(client) == 1;
        if (after_hello != NULL) after_hello();
        after_hello = NULL;
        if (!is_server_through) is_server_through = SSL_do_handshake(server) == 1;
    }
    char read[8] = "";
    int is_open = is_client_through && is_server_through && SSL_write(server, "hello", 5) == 5
        && SSL_read(client, read, 5) == 5 && memcmp(read, "hello", 5) == 0;
    if (is_open) SSL_shutdown(client), SSL_shutdown(server);
    SSL_free(server);
    return is_open;
}

static void expect(SSL *client, SSL_CTX *server_side, const char *what, const char *failure) {
    int is_open = shake(client, server_side);
    const char *found = hawser_openssl_failure_id(client);
    need(is_open == (failure == NULL), what, is_open ? "connected" : hawser_openssl_failure(client));
    need(hawser_openssl_result(client) == (failure == NULL ? HAWSER_OK : HAWSER_REJECT), what, "another result");
    need(strcmp(found, failure == NULL ? "" : failure) == 0, what, found);
    need(failure == NULL || strncmp(hawser_openssl_failure(client), failure, strlen(failure)) == 0, what, "no text");
    cases++;
}

static int status_calls;
static int count_status(SSL *ssl, void *answer) {
    (void)ssl;
    status_calls++;
    return *(int *)answer;
}

static int accept_all(X509_STORE_CTX *store, void *argument) {
    (void)store, (void)argument;
    return 1;
}

static void verdicts(hawser_store store, SSL_CTX *server) {
    SSL_CTX *context = client_context();
    need(attach(context, store) == HAWSER_OK, "attach", "refused");
    need(attach(context, store) == HAWSER_E_ARGUMENT, "attach twice", "accepted");
    SSL *ssl = connection(context, host);
    expect(ssl, server, "a good server", NULL);
    need(SSL_get_verify_result(ssl) == X509_V_OK, "a good server", "verify result");
    need(hawser_openssl_verdict(ssl).number != 0, "a good server", "no verdict");
    SSL_free(ssl);

    ssl = connection(context, "nobody.example");
    expect(ssl, server, "a host without a rule", "no-applicable-rule");
    need(SSL_get_verify_result(ssl) == X509_V_ERR_CERT_UNTRUSTED, "a host without a rule", "verify result");
    SSL_free(ssl);

    ssl = connection(context, NULL);
    expect(ssl, server, "no host", "no-verdict");
    SSL_free(ssl);

    ssl = connection(context, NULL);
    need(hawser_openssl_set_host(ssl, host, 443) == HAWSER_OK, "set_host", "refused");
    expect(ssl, server, "a host that was set", NULL);
    SSL_free(ssl);

    ssl = connection(context, "nobody.example");
    SSL_set1_host(ssl, host);
    expect(ssl, server, "the host to verify before the server name", NULL);
    SSL_free(ssl);

    ssl = connection(context, host);
    SSL_set1_host(ssl, host);
    SSL_add1_host(ssl, "nobody.example");
    expect(ssl, server, "two hosts to verify", "no-verdict");
    SSL_free(ssl);

    ssl = connection(context, "nobody.example");
    SSL_set_verify(ssl, SSL_VERIFY_NONE, NULL);
    expect(ssl, server, "verification switched off", "no-applicable-rule");
    SSL_free(ssl);

    ssl = connection(context, host);
    SSL_set_tlsext_status_type(ssl, -1);
    expect(ssl, server, "the staple not asked for", "no-verdict");
    SSL_free(ssl);

    /* A connection used for a second handshake begins anew. */
    ssl = connection(context, host);
    expect(ssl, server, "before the second handshake", NULL);
    SSL_clear(ssl);
    hawser_openssl_set_host(ssl, "nobody.example", 443);
    need(!shake(ssl, server), "a second handshake for another host", "connected");
    SSL_free(ssl);
    SSL_CTX_free(context);
}

static void contexts(SSL_CTX *server) {
    hawser_store store = open_store();
    int yes = 1, no = 0;
    SSL_CTX *context = client_context();
    SSL *early = connection(context, host);
    SSL_set_verify(early, SSL_VERIFY_PEER, NULL);
    need(attach(context, store) == HAWSER_OK, "attach", "refused");
    need(!shake(early, server), "a connection older than the attachment", "connected");
    need(hawser_openssl_result(early) == HAWSER_REJECT, "a connection older than the attachment", "accepted");
    cases++;
    SSL_free(early);

    SSL_CTX_set_tlsext_status_cb(context, count_status);
    SSL_CTX_set_tlsext_status_arg(context, &yes);
    SSL *ssl = connection(context, host);
    expect(ssl, server, "the status callback replaced", "no-verdict");
    SSL_free(ssl);
    SSL_CTX_free(context);

    for (int answer = 0; answer < 2; answer++) {
        context = client_context();
        SSL_CTX_set_tlsext_status_cb(context, count_status);
        SSL_CTX_set_tlsext_status_arg(context, answer ? &yes : &no);
        need(attach(context, store) == HAWSER_OK, "attach", "refused");
        ssl = connection(context, host);
        status_calls = 0;
        need(shake(ssl, server) == answer, "the program's own status callback", "not asked");
        need(status_calls == 1, "the program's own status callback", "not called once");
        cases++;
        SSL_free(ssl);
        SSL_CTX_free(context);
    }

    context = client_context();
    SSL_CTX_enable_ct(context, SSL_CT_VALIDATION_PERMISSIVE);
    need(attach(context, store) == HAWSER_E_TLS, "extension 18 is taken", "attached");
    SSL_CTX_free(context);

    /* A policy in front of a certificate callback that accepts everything. */
    context = client_context();
    SSL_CTX_set_cert_verify_callback(context, accept_all, NULL);
    need(attach(context, store) == HAWSER_OK, "attach", "refused");
    ssl = connection(context, "nobody.example");
    expect(ssl, server, "a callback that was set before", "no-applicable-rule");
    SSL_free(ssl);
    /* And one that takes its place later: the last gate was not told of a verdict. */
    SSL_CTX_set_cert_verify_callback(context, accept_all, NULL);
    ssl = connection(context, host);
    expect(ssl, server, "a callback that was set later", "no-verdict");
    SSL_free(ssl);
    SSL_CTX_free(context);

    context = client_context();
    need(attach(context, store) == HAWSER_OK, "attach", "refused");
    hawser_store_close(store);
    ssl = connection(context, host);
    expect(ssl, server, "a store that was closed", "no-verdict");
    SSL_free(ssl);
    SSL_CTX_free(context);
    context = client_context();
    need(attach(context, store) == HAWSER_E_MISUSE, "a closed store", "attached");
    SSL_CTX_free(context);

    /* Attached to a server's side that asks for certificates. */
    store = open_store();
    SSL_CTX *asking = server_context();
    need(attach(asking, store) == HAWSER_OK, "attach", "refused");
    context = client_context();
    SSL_CTX_use_certificate_chain_file(context, chain);
    SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM);
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
    ssl = connection(context, host);
    need(!shake(ssl, asking), "the server's side", "connected");
    cases++;
    SSL_free(ssl);
    SSL_CTX_free(context);
    SSL_CTX_free(asking);
    hawser_store_close(store);
}

/* A server without a certificate: nothing for the chain gate to see. */
static void without_certificate(hawser_store store) {
    if (version != TLS1_2_VERSION) return;
    SSL_CTX *server = SSL_CTX_new(TLS_server_method()), *context = client_context();
    SSL_CTX_set_cipher_list(server, "ADH-AES256-GCM-SHA384:@SECLEVEL=0");
    SSL_CTX_set_dh_auto(server, 1);
    need(attach(context, store) == HAWSER_OK, "attach", "refused");
    SSL_CTX_set_cipher_list(context, "ADH-AES256-GCM-SHA384:@SECLEVEL=0");
    SSL *ssl = connection(context, host);
    expect(ssl, server, "a server without a certificate", "no-verdict");
    SSL_free(ssl);
    SSL_CTX_free(context);
    SSL_CTX_free(server);
}

static SSL_SESSION *session_of(SSL_CTX *context, SSL_CTX *server) {
    SSL *ssl = connection(context, host);
    expect(ssl, server, "a session to keep", NULL);
    SSL_SESSION *session = SSL_get1_session(ssl);
    SSL_free(ssl);
    return session;
}

static void resume(
    SSL_CTX *context, SSL_CTX *server, SSL_SESSION *session, const char *name, const char *what, const char *failure) {
    SSL *ssl = connection(context, name);
    need(SSL_set_session(ssl, session) == 1, what, "the session was not set");
    expect(ssl, server, what, failure);
    if (failure == NULL) need(SSL_session_reused(ssl), what, "not resumed");
    SSL_free(ssl);
    SSL_SESSION_free(session);
}

/* Puts another policy in force. */
static void replace_table(hawser_store store, const char *table) {
    FILE *file = fopen(table, "rb");
    need(file != NULL, table, "not there");
    static unsigned char data[1 << 20];
    size_t count = fread(data, 1, sizeof data, file);
    fclose(file);
    hawser_error error;
    HAWSER_INIT(&error);
    need(hawser_store_reload(store, data, count, &error) == HAWSER_OK, table, error.message);
}

/* Another store judges, as in a child after a fork. */
static void another_store(SSL_CTX *server) {
    hawser_store store = open_store(), next = open_store();
    SSL_CTX *context = client_context();
    hawser_error error;
    HAWSER_INIT(&error);
    need(hawser_openssl_set_store(context, next, &error) == HAWSER_E_ARGUMENT, "no policy", "attached to");
    need(strcmp(error.reason, "not-attached") == 0, "no policy", error.reason);
    need(hawser_openssl_set_store(NULL, next, &error) == HAWSER_E_ARGUMENT, "no context", "attached to");
    need(attach(context, store) == HAWSER_OK, "attach", "refused");
    SSL_SESSION *session = session_of(context, server);
    need(hawser_store_close(store) == HAWSER_OK, "a store", "not closed");
    SSL *ssl = connection(context, host);
    expect(ssl, server, "a store that is closed", "no-verdict");
    SSL_free(ssl);
    need(hawser_openssl_set_store(context, store, &error) == HAWSER_E_MISUSE, "a closed store", "taken");
    need(hawser_openssl_set_store(context, next, &error) == HAWSER_OK, "another store", error.message);
    ssl = connection(context, host);
    expect(ssl, server, "another store", NULL);
    SSL_free(ssl);
    resume(context, server, session, host, "a session of the store before", "session-not-current");
    SSL_CTX_free(context);
    need(hawser_store_close(next) == HAWSER_OK, "another store", "not closed");
}

static void sessions(SSL_CTX *server) {
    hawser_store store = open_store();
    SSL_CTX *context = client_context();
    need(attach(context, store) == HAWSER_OK, "attach", "refused");
    need(SSL_CTX_get_session_cache_mode(context) == SSL_SESS_CACHE_OFF, "the session cache", "on");
    resume(context, server, session_of(context, server), host, "a session of this epoch", NULL);
    resume(context, server, session_of(context, server), "nobody.example", "a session of another host", "session-not-current");

    SSL_SESSION *session = session_of(context, server);
    added = 3601;
    resume(context, server, session, host, "a session that is too old", "session-not-current");
    session = session_of(context, server);
    added = 3500;
    resume(context, server, session, host, "a session of the future", "session-not-current");
    added = 0;

    session = session_of(context, server);
    unsigned char *octets = NULL;
    int length = i2d_SSL_SESSION(session, &octets);
    const unsigned char *place = octets;
    SSL_SESSION_free(session);
    session = d2i_SSL_SESSION(NULL, &place, length);
    OPENSSL_free(octets);
    resume(context, server, session, host, "a session of another process", "session-not-current");

    /* A policy that does not change the host, and then one that does. */
    session = session_of(context, server);
    SSL_SESSION *kept = session_of(context, server), *offered = session_of(context, server);
    replace_table(store, other_table);
    resume(context, server, session, host, "a session of an epoch before that holds", NULL);
    SSL *pooled = connection(context, host);
    need(hawser_openssl_offer_session(pooled, offered) == HAWSER_OK, "a session that holds", "not offered");
    expect(pooled, server, "an offered session", NULL);
    need(SSL_session_reused(pooled), "an offered session", "not resumed");
    SSL_free(pooled);
    replace_table(store, stricter_table);
    pooled = connection(context, host);
    need(hawser_openssl_offer_session(pooled, offered) == HAWSER_REJECT, "a session that does not hold", "offered");
    need(hawser_openssl_offer_session(pooled, NULL) == HAWSER_E_ARGUMENT, "no session", "offered");
    expect(pooled, server, "a session that was not offered", NULL);
    need(!SSL_session_reused(pooled), "a session that was not offered", "resumed");
    SSL_free(pooled);
    SSL_SESSION_free(offered);
    resume(context, server, kept, host, "a session of an epoch before", "session-not-current");
    resume(context, server, session_of(context, server), host, "a session of the new epoch", NULL);
    /* Back to the weaker table: the sessions of the strict epoch hold. */
    session = session_of(context, server);
    replace_table(store, other_table);
    resume(context, server, session, host, "a session of a stricter epoch", NULL);

    /* A session that no policy saw made. */
    SSL_CTX *free_context = client_context();
    SSL *ssl = connection(free_context, host);
    need(shake(ssl, server), "a context without a policy", "not connected");
    session = SSL_get1_session(ssl);
    SSL_free(ssl);
    SSL_CTX_free(free_context);
    resume(context, server, session, host, "a session without a verdict", "session-not-current");

    /* The last gate of TLS 1.3 is away: nothing is offered. */
    session = session_of(context, server);
    SSL_CTX_set_tlsext_status_cb(context, NULL);
    resume(context, server, session, host, "a session, and the status callback replaced", "no-verdict");
    SSL_CTX_free(context);
    hawser_store_close(store);
}

static SSL_SESSION *shared_key;

/* The same secret without what Hawser keeps of a session. */
static SSL_SESSION *bare(const SSL_SESSION *session) {
    unsigned char secret[SSL_MAX_MASTER_KEY_LENGTH];
    size_t length = SSL_SESSION_get_master_key(session, secret, sizeof secret);
    SSL_SESSION *copy = SSL_SESSION_new();
    need(
        SSL_SESSION_set1_master_key(copy, secret, length) == 1
            && SSL_SESSION_set_cipher(copy, SSL_SESSION_get0_cipher(session)) == 1
            && SSL_SESSION_set_protocol_version(copy, TLS1_3_VERSION) == 1,
        "a key from outside", "not made");
    return copy;
}

/* A program offers a session as a key that was agreed on outside TLS (RFC 8446 section 2.2). */
static int offer_key(SSL *ssl, const EVP_MD *digest, const unsigned char **id, size_t *length, SSL_SESSION **session) {
    (void)ssl;
    *id = (const unsigned char *)"gates", *length = 5, *session = NULL;
    if (digest != NULL && digest != SSL_CIPHER_get_handshake_digest(SSL_SESSION_get0_cipher(shared_key))) return 1;
    SSL_SESSION_up_ref(shared_key);
    *session = shared_key;
    return 1;
}

static int find_key(SSL *ssl, const unsigned char *id, size_t length, SSL_SESSION **session) {
    (void)ssl;
    *session = length == 5 && memcmp(id, "gates", 5) == 0 ? bare(shared_key) : NULL;
    return 1;
}

static void offer_outside(SSL_CTX *context, SSL_CTX *server, const char *what, const char *failure) {
    SSL *ssl = connection(context, host);
    SSL_set_psk_use_session_callback(ssl, offer_key);
    SSL_CTX_set_psk_find_session_callback(server, find_key);
    expect(ssl, server, what, failure);
    need(SSL_session_reused(ssl), what, "the key was not used");
    SSL_CTX_set_psk_find_session_callback(server, NULL);
    SSL_free(ssl);
}

/* A resumed handshake in which the session loses its worth after the hello. TLS 1.3 looks
 * again before the client answers; TLS 1.2 has no callback there, and the result of the
 * connection says it. */
static void resume_too_late(
    SSL_CTX *context, SSL_CTX *server, SSL_SESSION *session, void (*meanwhile)(void), const char *what,
    const char *failure) {
    SSL *ssl = connection(context, host);
    need(SSL_set_session(ssl, session) == 1, what, "the session was not set");
    after_hello = meanwhile;
    int is_open = shake(ssl, server);
    need(SSL_session_reused(ssl), what, "not resumed");
    need(is_open == (version == TLS1_2_VERSION), what, is_open ? "connected" : hawser_openssl_failure(ssl));
    for (int time_asked = 0; time_asked < 2; time_asked++)
        need(hawser_openssl_result(ssl) == HAWSER_REJECT, what, "accepted");
    need(strcmp(hawser_openssl_failure_id(ssl), failure) == 0, what, hawser_openssl_failure_id(ssl));
    need(SSL_get_verify_result(ssl) != X509_V_OK, what, "verify result");
    cases++;
    SSL_free(ssl);
    SSL_SESSION_free(session);
}

static void age(void) { added = 61; }

static hawser_store changing;
static void change(void) { replace_table(changing, stricter_table); }

/* A policy that changes in a resumed handshake. */
static void changes(SSL_CTX *server) {
    changing = open_store();
    SSL_CTX *context = client_context();
    need(attach(context, changing) == HAWSER_OK, "attach", "refused");
    SSL_SESSION *session = session_of(context, server);
    resume_too_late(context, server, session, change, "a policy that changed in the handshake", "session-not-current");
    SSL_CTX_free(context);
    hawser_store_close(changing);
}

/* A stale table has no sessions: none is offered and none is accepted, however it was made. */
static void staleness(SSL_CTX *server) {
    hawser_store store = open_ageing_store(HAWSER_STALE_REJECT, 60);
    SSL_CTX *context = client_context();
    need(attach(context, store) == HAWSER_OK, "attach", "refused");
    SSL_SESSION *fresh[7];
    for (size_t place = 0; place < sizeof fresh / sizeof *fresh; place++) fresh[place] = session_of(context, server);
    added = 60;
    resume(context, server, fresh[0], host, "a session in the last second of a table", NULL);

    /* Stale when it is offered: refused as a full handshake is. */
    added = 61;
    SSL *full = connection(context, host);
    expect(full, server, "a full handshake under a stale table", "table-stale");
    SSL *ssl = connection(context, host);
    SSL_set_session(ssl, fresh[1]);
    const char *what = "a session of a table that became stale";
    expect(ssl, server, what, "table-stale");
    need(strcmp(hawser_openssl_failure(ssl), hawser_openssl_failure(full)) == 0, what, hawser_openssl_failure(ssl));
    need(SSL_get_verify_result(ssl) == SSL_get_verify_result(full), what, "another verify result");
    SSL_free(ssl);
    SSL_SESSION_free(fresh[1]);
    SSL_SESSION *refused = SSL_get1_session(full);
    SSL_free(full);
    what = "a session of another host, under a stale table";
    resume(context, server, fresh[2], "nobody.example", what, "table-stale");

    added = 0;
    resume_too_late(context, server, fresh[3], age, "a table that became stale in the handshake", "table-stale");

    if (version == TLS1_3_VERSION) {
        added = 60;
        shared_key = fresh[4];
        offer_outside(context, server, "a session as a key from outside", NULL);
        added = 61;
        offer_outside(context, server, "a session as a key from outside, under a stale table", "table-stale");
        added = 60;
        shared_key = bare(fresh[4]);
        offer_outside(context, server, "a key from outside", "no-verdict");
        SSL_SESSION_free(shared_key);
    }
    SSL_SESSION_free(fresh[4]);

    /* A refused handshake leaves no session. */
    added = 61;
    ssl = connection(context, host);
    SSL_set_session(ssl, refused);
    expect(ssl, server, "the session of a refused handshake, under a stale table", "table-stale");
    SSL_free(ssl);
    need(hawser_store_confirm(store, NULL) == HAWSER_OK, "confirm", "refused");
    ssl = connection(context, host);
    SSL_set_session(ssl, refused);
    expect(ssl, server, "the session of a refused handshake", NULL);
    need(!SSL_session_reused(ssl), "the session of a refused handshake", "resumed");
    SSL_free(ssl);
    SSL_SESSION_free(refused);

    /* After the confirmation the table and its sessions count again. */
    resume(context, server, fresh[5], host, "a session of a table that was stale and was confirmed", NULL);
    added = 122;
    resume(context, server, fresh[6], host, "a session of a table that is stale once more", "table-stale");
    added = 0;
    SSL_CTX_free(context);
    hawser_store_close(store);

    /* Under HAWSER_STALE_WARN nothing is refused. */
    store = open_ageing_store(HAWSER_STALE_WARN, 60);
    context = client_context();
    need(attach(context, store) == HAWSER_OK, "attach", "refused");
    SSL_SESSION *session = session_of(context, server);
    added = 61;
    resume(context, server, session, host, "a session where staleness is only said", NULL);
    resume(context, server, session_of(context, server), host, "a session made where staleness is only said", NULL);
    added = 0;
    SSL_CTX_free(context);
    hawser_store_close(store);
}

int main(int argc, char **argv) {
    if (argc != 8) return 2;
    table = argv[1], other_table = argv[2], stricter_table = argv[3];
    chain = argv[4], key = argv[5], host = argv[6], at = atoll(argv[7]);
    const int versions[] = {TLS1_2_VERSION, TLS1_3_VERSION};
    for (int place = 0; place < 2; place++) {
        version = versions[place];
        hawser_store store = open_store();
        SSL_CTX *server = server_context();
        verdicts(store, server);
        contexts(server);
        without_certificate(store);
        /* With the session in the ticket, and on the server. */
        for (int is_kept = 0; is_kept < 2; is_kept++) {
            if (is_kept) SSL_CTX_set_options(server, SSL_OP_NO_TICKET);
            sessions(server);
            another_store(server);
            changes(server);
            staleness(server);
        }
        SSL_CTX_free(server);
        hawser_store_close(store);
    }
    printf("%d handshakes ended as they must\n", cases);
    return 0;
}
