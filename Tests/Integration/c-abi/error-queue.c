/* Whether Hawser leaves OpenSSL's queue of errors as it finds it. SSL_get_error looks at that
 * queue: where an entry was left, a connection over a socket that does not block fails though it
 * only had to wait, and one that was refused gives the wrong reason.
 *
 *     error-queue TABLE CHAIN KEY HOST SECONDS-SINCE-1970
 *
 * The table accepts the chain for the host. Client and server talk over sockets, TLS 1.2 and 1.3,
 * the server on a thread, and so with a queue, of its own. The client never clears its queue.
 */
#include "tls.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

/* -------------------------------------------------------------------- sockets that do not block */

struct serving {
    SSL_CTX *context;
    int descriptor;
};

/* Answers `go` with `hello`, if it comes so far. */
static void *serve(void *argument) {
    struct serving *serving = argument;
    SSL *ssl = SSL_new(serving->context);
    SSL_set_fd(ssl, serving->descriptor);
    char asked[2];
    if (SSL_accept(ssl) == 1 && SSL_read(ssl, asked, sizeof asked) == 2) SSL_write(ssl, "hello", 5);
    SSL_shutdown(ssl);
    SSL_free(ssl);
    close(serving->descriptor);
    ERR_clear_error();
    return NULL;
}

/* Waits as SSL_get_error says; 0 where it says that there is nothing to wait for. */
static int wait_for(SSL *ssl, int result) {
    int error = SSL_get_error(ssl, result);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) return 0;
    struct pollfd waited = {
        .fd = SSL_get_fd(ssl), .events = error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT};
    need(poll(&waited, 1, 60000) == 1, "the server", "says nothing");
    return 1;
}

static const char *first_error(void) {
    unsigned long error = ERR_peek_error();
    return error == 0 ? "an empty queue" : ERR_reason_error_string(error);
}

/* One connection that ends as it must: accepted, with `reason` 0, and then an empty queue; or
 * refused, and then libssl's own reason first on the queue. */
static void visit(SSL *ssl, SSL_CTX *server_side, const char *what, int reason) {
    int ends[2];
    need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "a pair of sockets", "none");
    need(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0, "a socket", "blocks");
    struct serving serving = {server_side, ends[1]};
    pthread_t thread;
    need(pthread_create(&thread, NULL, serve, &serving) == 0, "a thread", "none");
    SSL_set_fd(ssl, ends[0]);
    need(ERR_peek_error() == 0, what, "an error from before");
    int result;
    while ((result = SSL_connect(ssl)) != 1 && wait_for(ssl, result)) {}
    if (reason == 0) {
        need(result == 1, what, first_error());
        need(ERR_peek_error() == 0, what, first_error());
        char page[8];
        /* There is nothing to read before the server is asked. */
        result = SSL_read(ssl, page, sizeof page);
        need(result < 0 && SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ, what, first_error());
        while ((result = SSL_write(ssl, "go", 2)) != 2) need(wait_for(ssl, result), what, first_error());
        while ((result = SSL_read(ssl, page, sizeof page)) != 5) need(wait_for(ssl, result), what, first_error());
        need(hawser_openssl_result(ssl) == HAWSER_OK, what, "another result");
        SSL_shutdown(ssl);
        need(ERR_peek_error() == 0, what, first_error());
    } else {
        need(result != 1, what, "connected");
        need(SSL_get_error(ssl, result) == SSL_ERROR_SSL, what, "another error");
        unsigned long error = ERR_peek_error();
        need(ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == reason, what, first_error());
        need(hawser_openssl_failure_id(ssl)[0] != 0, what, "no failure");
        ERR_clear_error();
    }
    close(ends[0]);
    pthread_join(thread, NULL);
    cases++;
}

static int accept_all(X509_STORE_CTX *store, void *argument) {
    (void)store, (void)argument;
    return 1;
}

static int raise_error(SSL *ssl, void *answer) {
    (void)ssl;
    ERR_raise(ERR_LIB_USER, 77);
    return *(int *)answer;
}

static void connections(hawser_store store, SSL_CTX *server) {
    SSL_CTX *context = client_context();
    need(attach(context, store) == HAWSER_OK, "attach", "refused");
    SSL *ssl = connection(context, host);
    visit(ssl, server, "a server name alone", 0);
    SSL_SESSION *session = SSL_get1_session(ssl), *other = SSL_SESSION_dup(session);
    SSL_free(ssl);

    ssl = connection(context, host);
    SSL_set_session(ssl, session);
    visit(ssl, server, "a session and a server name", 0);
    need(SSL_session_reused(ssl), "a session and a server name", "not resumed");
    SSL_free(ssl);
    SSL_SESSION_free(session);

    ssl = connection(context, host);
    SSL_set_session(ssl, other);
    added = 3601;
    visit(ssl, server, "a session that is too old", SSL_R_CALLBACK_FAILED);
    added = 0;
    SSL_free(ssl);
    SSL_SESSION_free(other);

    ssl = connection(context, NULL);
    hawser_openssl_set_host(ssl, host, 443);
    visit(ssl, server, "a host that was set", 0);
    SSL_free(ssl);

    ssl = connection(context, NULL);
    SSL_set1_host(ssl, host);
    visit(ssl, server, "a host to verify", 0);
    SSL_free(ssl);

    ssl = connection(context, NULL);
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), "192.0.2.7");
    visit(ssl, server, "an address to verify", SSL_R_CERTIFICATE_VERIFY_FAILED);
    SSL_free(ssl);

    ssl = connection(context, "nobody.example");
    visit(ssl, server, "a server name without a rule", SSL_R_CERTIFICATE_VERIFY_FAILED);
    SSL_free(ssl);

    ssl = connection(context, NULL);
    visit(ssl, server, "no host", SSL_R_CERTIFICATE_VERIFY_FAILED);
    SSL_free(ssl);

    /* Refused by the last gate. */
    SSL_CTX_set_cert_verify_callback(context, accept_all, NULL);
    ssl = connection(context, host);
    visit(ssl, server, "a callback that was set later", SSL_R_INVALID_STATUS_RESPONSE);
    SSL_free(ssl);
    SSL_CTX_free(context);

    /* What a status callback of the program's says is the program's. */
    int no = 0;
    context = client_context();
    SSL_CTX_set_tlsext_status_cb(context, raise_error);
    SSL_CTX_set_tlsext_status_arg(context, &no);
    need(attach(context, store) == HAWSER_OK, "attach", "refused");
    ssl = connection(context, host);
    int ends[2];
    need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "a pair of sockets", "none");
    struct serving serving = {server, ends[1]};
    pthread_t thread;
    need(pthread_create(&thread, NULL, serve, &serving) == 0, "a thread", "none");
    SSL_set_fd(ssl, ends[0]);
    need(SSL_connect(ssl) != 1, "the program's own status callback", "not asked");
    unsigned long error = ERR_get_error();
    need(
        ERR_GET_LIB(error) == ERR_LIB_USER && ERR_GET_REASON(error) == 77, "the program's own status callback",
        "another error first");
    ERR_clear_error();
    SSL_free(ssl);
    close(ends[0]);
    pthread_join(thread, NULL);
    cases++;
    SSL_CTX_free(context);
}

/* ----------------------------------------------------------- entries that the program put there */

enum { of_test = 55 };

static int is_of_test(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_USER && ERR_GET_REASON(error) == of_test;
}

static char steps[1 << 14];

/* Before each step of a handshake an entry of the program's lies on the queue, unless libssl
 * took it off. */
static void note_step(const SSL *ssl, int where, int value) {
    (void)where, (void)value;
    unsigned long first = ERR_peek_error(), last = ERR_peek_last_error();
    const char *found = first == 0 ? "empty" : is_of_test(first) && is_of_test(last) ? "ours" : "other";
    size_t used = strlen(steps);
    snprintf(steps + used, sizeof steps - used, "%s %s\n", SSL_state_string_long(ssl), found);
    if (first == 0) ERR_raise(ERR_LIB_USER, of_test);
}

/* A handshake over memory, in steps that are the same each time. */
static void step(SSL *client, SSL_CTX *server_side, const char *what) {
    SSL *server = SSL_new(server_side);
    join_over_memory(client, server);
    SSL_set_info_callback(client, note_step);
    steps[0] = 0;
    int is_client_through = 0, is_server_through = 0;
    for (int round = 0; round < 20 && !(is_client_through && is_server_through); round++) {
        if (!is_client_through) is_client_through = SSL_do_handshake(client) == 1;
        if (!is_server_through) is_server_through = SSL_do_handshake(server) == 1;
    }
    need(is_client_through && is_server_through, what, "not connected");
    char read[8];
    SSL_write(server, "hello", 5);
    need(SSL_read(client, read, sizeof read) == 5, what, "nothing to read");
    SSL_shutdown(client), SSL_shutdown(server);
    SSL_free(server);
    ERR_clear_error();
    cases++;
}

/* Step by step a handshake under a policy leaves on the queue what one without leaves there. */
static void handshakes(hawser_store store, SSL_CTX *server) {
    static char without[sizeof steps];
    SSL_CTX *judged = client_context(), *free_context = client_context();
    need(attach(judged, store) == HAWSER_OK, "attach", "refused");
    SSL_SESSION *judged_session = NULL, *free_session = NULL;
    for (int is_resumed = 0; is_resumed < 2; is_resumed++) {
        const char *what = is_resumed ? "the steps of a resumed handshake" : "the steps of a full handshake";
        SSL *ssl = connection(free_context, host);
        if (is_resumed) SSL_set_session(ssl, free_session);
        step(ssl, server, what);
        SSL_SESSION_free(free_session);
        free_session = SSL_get1_session(ssl);
        SSL_free(ssl);
        memcpy(without, steps, sizeof steps);
        need(strstr(without, "ours") != NULL && strstr(without, "other") == NULL, what, without);
        ssl = connection(judged, host);
        if (is_resumed) SSL_set_session(ssl, judged_session);
        step(ssl, server, what);
        need(SSL_session_reused(ssl) == is_resumed, what, "another kind of handshake");
        SSL_SESSION_free(judged_session);
        judged_session = SSL_get1_session(ssl);
        SSL_free(ssl);
        need(strcmp(steps, without) == 0, what, steps);
    }
    SSL_SESSION_free(judged_session);
    SSL_SESSION_free(free_session);
    SSL_CTX_free(judged);
    SSL_CTX_free(free_context);
}

/* Calls `call` with `count` entries on the queue, which must be there afterwards and
 * nothing beside them. */
#define LEAVES(call) \
    for (int count = 0; count < 3; count++) { \
        for (int place = 0; place < count; place++) ERR_raise(ERR_LIB_USER, of_test + place); \
        call; \
        for (int place = 0; place < count; place++) \
            need(ERR_GET_REASON(ERR_get_error()) == of_test + place, #call, "took an entry of the program's"); \
        need(ERR_peek_error() == 0, #call, first_error()); \
        cases++; \
    }

static unsigned char *octets_of(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    need(file != NULL, path, "not there");
    unsigned char *octets = malloc(1 << 20);
    *length = fread(octets, 1, 1 << 20, file);
    fclose(file);
    return octets;
}

/* Every function that a program calls. */
static void functions(hawser_store store, SSL_CTX *server) {
    size_t length;
    unsigned char *octets = octets_of(table, &length);
    FILE *file = fopen(chain, "r");
    hawser_bytes certificates[8];
    size_t count = 0;
    for (X509 *certificate; count < 8 && (certificate = PEM_read_X509(file, NULL, NULL, NULL)) != NULL; count++) {
        unsigned char *der = NULL;
        int size = i2d_X509(certificate, &der);
        certificates[count] = (hawser_bytes){der, (size_t)size};
        X509_free(certificate);
    }
    fclose(file);
    ERR_clear_error();
    hawser_request request;
    HAWSER_INIT(&request);
    request.host = (hawser_bytes){host, strlen(host)};
    request.port = 443;
    request.time = at;
    request.tls = HAWSER_TLS_OBSERVED;
    request.tls_version = 0x0304;
    request.chain = certificates;
    request.chain_count = count;
    hawser_store made = {0};
    hawser_evidence evidence = {0};
    hawser_verdict verdict = {0};
    hawser_snapshot snapshot;
    HAWSER_INIT(&snapshot);
    char text[64];
    LEAVES(hawser_store_open(octets, length, NULL, &made, NULL); hawser_store_close(made));
    LEAVES(hawser_store_open(octets, length / 2, NULL, &made, NULL));
    LEAVES(hawser_store_open_file(table, NULL, &made, NULL); hawser_store_close(made));
    LEAVES(hawser_store_open_file(chain, NULL, &made, NULL));
    LEAVES(hawser_store_reload(store, octets, length, NULL));
    LEAVES(hawser_store_reload(store, octets, length / 2, NULL));
    LEAVES(hawser_store_reload_file(store, NULL));
    LEAVES(hawser_store_confirm(store, NULL));
    LEAVES(hawser_store_snapshot(store, &snapshot, NULL));
    LEAVES(hawser_store_table(store, NULL, 0, NULL, NULL));
    LEAVES(hawser_store_resume(octets, length, &snapshot, table, NULL, &made, NULL); hawser_store_close(made));
    LEAVES(hawser_store_resume(octets, length / 2, &snapshot, NULL, NULL, &made, NULL));
    LEAVES(hawser_store_text(store, HAWSER_TEXT_REFUSAL_REASON, 0, text, sizeof text, NULL));
    LEAVES(need(hawser_evaluate(store, &request, NULL, NULL, NULL) == HAWSER_OK, "evaluate", "rejected"));
    LEAVES(hawser_explain(store, &request, NULL, &verdict, NULL); hawser_verdict_free(verdict));
    /* The signature of the end entity, and of the one above it, with its last octet changed. */
    for (size_t place = 0; place < count; place++) {
        ((unsigned char *)certificates[place].data)[certificates[place].length - 1] ^= 1;
        LEAVES(
            need(hawser_evaluate(store, &request, NULL, &verdict, NULL) == HAWSER_REJECT, "evaluate", "accepted");
            hawser_verdict_text(verdict, HAWSER_TEXT_VIOLATION, 0, text, sizeof text, NULL);
            hawser_verdict_free(verdict));
        LEAVES(hawser_evidence_prepare(
            HAWSER_EVIDENCE_OCSP, store, certificates[place].data, certificates[place].length, certificates, count,
            &evidence, NULL));
    }
    LEAVES(hawser_evidence_free(evidence));

    SSL_CTX *context = client_context(), *taken = client_context();
    SSL_CTX_enable_ct(taken, SSL_CT_VALIDATION_PERMISSIVE);
    LEAVES(need(hawser_openssl_attach(taken, store, NULL, NULL) == HAWSER_E_TLS, "attach", "attached"));
    SSL_CTX_free(taken);
    taken = client_context();
    SSL_CTX_add_custom_ext(
        taken, TLSEXT_TYPE_signed_certificate_timestamp, SSL_EXT_CLIENT_HELLO, NULL, NULL, NULL, NULL, NULL);
    LEAVES(need(hawser_openssl_attach(taken, store, NULL, NULL) == HAWSER_E_TLS, "attach", "attached"));
    LEAVES(need(hawser_openssl_attach(taken, (hawser_store){0}, NULL, NULL) == HAWSER_E_MISUSE, "attach", "attached"));
    SSL_CTX_free(taken);
    LEAVES(
        SSL_CTX_free(context); context = client_context();
        need(hawser_openssl_attach(context, store, NULL, NULL) == HAWSER_OK, "attach", "refused"));
    LEAVES(hawser_openssl_attach(context, store, NULL, NULL));
    LEAVES(need(hawser_openssl_set_store(context, store, NULL) == HAWSER_OK, "set_store", "refused"));
    LEAVES(need(hawser_openssl_set_store(context, (hawser_store){0}, NULL) == HAWSER_E_MISUSE, "set_store", "another store"));
    SSL_CTX_free(context);
    context = client_context();
    need(attach(context, store) == HAWSER_OK, "attach", "refused");
    SSL *ssl = connection(context, host);
    LEAVES(hawser_openssl_set_host(ssl, host, 443));
    LEAVES(SSL_free(SSL_dup(ssl)));
    SSL_free(ssl);
    SSL_SESSION *session = NULL;
    for (int is_resumed = 0; is_resumed < 2; is_resumed++) {
        ssl = connection(context, host);
        if (is_resumed) SSL_set_session(ssl, session);
        SSL_SESSION_free(session);
        step(ssl, server, "a connection to ask about");
        need(SSL_session_reused(ssl) == is_resumed, "a connection to ask about", "another kind of handshake");
        LEAVES(need(hawser_openssl_result(ssl) == HAWSER_OK, "result", hawser_openssl_failure(ssl)));
        LEAVES(hawser_openssl_failure(ssl));
        LEAVES(hawser_openssl_failure_id(ssl));
        LEAVES(hawser_openssl_verdict(ssl));
        session = SSL_get1_session(ssl);
        LEAVES(SSL_SESSION_free(SSL_SESSION_dup(session)));
        SSL_free(ssl);
    }
    SSL_SESSION_free(session);
    LEAVES(hawser_openssl_x509_error("pin-mismatch"));
    SSL_CTX_free(context);
    for (size_t place = 0; place < count; place++) OPENSSL_free((void *)certificates[place].data);
    free(octets);
}

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    table = argv[1], chain = argv[2], key = argv[3], host = argv[4], at = atoll(argv[5]);
    /* Either end may go first. */
    signal(SIGPIPE, SIG_IGN);
    const int versions[] = {TLS1_2_VERSION, TLS1_3_VERSION};
    for (int place = 0; place < 2; place++) {
        version = versions[place];
        hawser_store store = open_store();
        SSL_CTX *server = server_context();
        connections(store, server);
        handshakes(store, server);
        functions(store, server);
        SSL_CTX_free(server);
        hawser_store_close(store);
    }
    printf("%d calls and handshakes left the error queue as it was\n", cases);
    return 0;
}
