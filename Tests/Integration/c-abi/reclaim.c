/* A program that sets a status callback of its own for each connection of an attached context, as
 * Node does, and gives the policy its place back: the staple is judged, and the program's callback
 * runs. Client and server in one process, TLS 1.2 and 1.3.
 *
 *     reclaim TABLE CHAIN KEY HOST SECONDS-SINCE-1970 STAPLE
 *
 * The table accepts the chain for the host with the staple (DER), and rejects it without one.
 */
#include "tls.h"

static unsigned char staple[1 << 16];
static long staple_length;
static int is_stapling = 1;

static int send_staple(SSL *ssl, void *argument) {
    (void)argument;
    if (!is_stapling) return SSL_TLSEXT_ERR_NOACK;
    unsigned char *copy = OPENSSL_malloc((size_t)staple_length);
    memcpy(copy, staple, (size_t)staple_length);
    SSL_set_tlsext_status_ocsp_resp(ssl, copy, staple_length);
    return SSL_TLSEXT_ERR_OK;
}

/* What the program's callback saw, and its answer. */
static int calls, answer = 1;
static long seen_length;
static void *seen_argument;

static int of_program(SSL *ssl, void *argument) {
    const unsigned char *response = NULL;
    calls++;
    seen_length = SSL_get_tlsext_status_ocsp_resp(ssl, &response);
    seen_argument = argument;
    return answer;
}

/* A callback that asks the one that it took the place of. */
static int (*before)(SSL *, void *);
static void *before_argument;

static int in_front(SSL *ssl, void *argument) {
    (void)argument;
    calls++;
    return before(ssl, before_argument);
}

static int accept_all(X509_STORE_CTX *store, void *argument) {
    (void)store, (void)argument;
    return 1;
}

struct pair {
    SSL *client, *server;
    int is_client_through, is_server_through;
};

static void step(struct pair *pair) {
    ERR_clear_error();
    if (!pair->is_client_through) pair->is_client_through = SSL_do_handshake(pair->client) == 1;
    if (!pair->is_server_through) pair->is_server_through = SSL_do_handshake(pair->server) == 1;
}

static struct pair begin(SSL_CTX *context, SSL_CTX *server) {
    struct pair pair = {connection(context, host), SSL_new(server), 0, 0};
    join_over_memory(pair.client, pair.server);
    return pair;
}

static void end(struct pair *pair, const char *what, const char *failure) {
    for (int round = 0; round < 20; round++) step(pair);
    need(pair->is_client_through == (failure == NULL), what, hawser_openssl_failure(pair->client));
    need(
        hawser_openssl_result(pair->client) == (failure == NULL ? HAWSER_OK : HAWSER_REJECT), what, "another result");
    need(strcmp(hawser_openssl_failure_id(pair->client), failure == NULL ? "" : failure) == 0, what,
        hawser_openssl_failure_id(pair->client));
    if (pair->is_client_through) SSL_shutdown(pair->client), SSL_shutdown(pair->server);
    SSL_free(pair->client);
    SSL_free(pair->server);
    cases++;
}

/* As Node's TLSWrap: for each connection, on the context. */
static void set_callback(SSL_CTX *context, int (*callback)(SSL *, void *), void *argument) {
    SSL_CTX_set_tlsext_status_cb(context, callback);
    SSL_CTX_set_tlsext_status_arg(context, argument);
    calls = 0;
    seen_length = -2;
    seen_argument = NULL;
}

static void reclaim(SSL_CTX *context) {
    hawser_error error;
    HAWSER_INIT(&error);
    need(hawser_openssl_reclaim(context, &error) == HAWSER_OK, "reclaim", error.message);
}

static void one_version(hawser_store store, SSL_CTX *server) {
    int mark;
    SSL_CTX *context = client_context();
    hawser_error error;
    HAWSER_INIT(&error);
    need(hawser_openssl_reclaim(context, &error) == HAWSER_E_ARGUMENT, "nothing is attached", "reclaimed");
    need(strcmp(error.reason, "not-attached") == 0, "nothing is attached", error.reason);
    need(hawser_openssl_reclaim(NULL, NULL) == HAWSER_E_ARGUMENT, "no context", "reclaimed");
    need(attach(context, store) == HAWSER_OK, "attach", "refused");

    struct pair pair = begin(context, server);
    set_callback(context, of_program, &mark);
    end(&pair, "a callback that is set later", "no-verdict");
    need(calls == 0, "a callback that is set later", "called");

    for (int round = 0; round < 3; round++) {
        pair = begin(context, server);
        set_callback(context, of_program, &mark);
        reclaim(context);
        end(&pair, "the place given back", NULL);
        need(calls == 1, "the program's callback", "not called once");
        need(seen_length == staple_length, "the program's callback", "no staple");
        need(seen_argument == &mark, "the program's callback", "another argument");
    }

    /* Without a staple the policy refuses, and the program's callback is not asked. */
    is_stapling = 0;
    pair = begin(context, server);
    set_callback(context, of_program, &mark);
    reclaim(context);
    end(&pair, "no staple", "revocation-undetermined");
    need(calls == 0, "no staple", "the program was asked");
    is_stapling = 1;

    /* The program refuses what the policy accepts. */
    pair = begin(context, server);
    set_callback(context, of_program, &mark);
    reclaim(context);
    answer = 0;
    for (int round = 0; round < 20; round++) step(&pair);
    need(!pair.is_client_through && calls == 1, "a program that refuses", "connected");
    need(hawser_openssl_result(pair.client) == HAWSER_REJECT, "a program that refuses", "accepted");
    SSL_free(pair.client);
    SSL_free(pair.server);
    answer = 1;

    /* A connection is made while another one shakes hands. */
    pair = begin(context, server);
    set_callback(context, of_program, &mark);
    reclaim(context);
    step(&pair);
    struct pair second = begin(context, server);
    set_callback(context, of_program, &mark);
    reclaim(context);
    end(&pair, "another connection made meanwhile", NULL);
    end(&second, "a connection made in another's handshake", NULL);
    need(calls == 2, "two connections", "not two calls");

    /* Another argument for the callback that is there. */
    int other;
    SSL_CTX_set_tlsext_status_arg(context, &other);
    reclaim(context);
    calls = 0;
    pair = begin(context, server);
    end(&pair, "another argument", NULL);
    need(calls == 1 && seen_argument == &other, "another argument", "not given to the program");

    /* A callback that calls the one before, which is the policy's. */
    SSL_CTX_get_tlsext_status_cb(context, &before);
    SSL_CTX_get_tlsext_status_arg(context, &before_argument);
    set_callback(context, in_front, NULL);
    reclaim(context);
    reclaim(context);
    pair = begin(context, server);
    end(&pair, "a callback in front", NULL);
    need(calls == 1, "a callback in front", "not called once");
    is_stapling = 0;
    pair = begin(context, server);
    end(&pair, "a callback in front, without a staple", "revocation-undetermined");
    is_stapling = 1;

    set_callback(context, NULL, NULL);
    reclaim(context);
    pair = begin(context, server);
    end(&pair, "no callback any more", NULL);
    need(calls == 0, "no callback any more", "called");

    SSL_CTX_set_cert_verify_callback(context, accept_all, NULL);
    SSL_CTX_set_tlsext_status_type(context, -1);
    reclaim(context);
    pair = begin(context, server);
    end(&pair, "a verify callback that is set later", NULL);
    is_stapling = 0;
    pair = begin(context, server);
    end(&pair, "a verify callback that is set later, without a staple", "revocation-undetermined");
    is_stapling = 1;
    SSL_CTX_free(context);
}

int main(int count, char **arguments) {
    need(count == 7, "arguments", "TABLE CHAIN KEY HOST SECONDS STAPLE");
    table = arguments[1], chain = arguments[2], key = arguments[3], host = arguments[4];
    at = atoll(arguments[5]);
    FILE *file = fopen(arguments[6], "rb");
    need(file != NULL, "the staple", arguments[6]);
    staple_length = (long)fread(staple, 1, sizeof staple, file);
    fclose(file);
    SSL_CTX *server = server_context();
    SSL_CTX_set_tlsext_status_cb(server, send_staple);
    hawser_store store = open_store();
    for (int round = 0; round < 2; round++) {
        version = round == 0 ? TLS1_2_VERSION : TLS1_3_VERSION;
        one_version(store, server);
    }
    SSL_CTX_free(server);
    hawser_store_close(store);
    printf("%d handshakes of a program with a status callback of its own\n", cases);
    return 0;
}
