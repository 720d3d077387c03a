/* A TLS client that trusts by a compiled policy: connects, asks for a page, and says why
 * it would not.
 *
 *     cc client.c $(pkg-config --cflags --libs hawser-openssl) -o client
 *     ./client policy.table api.acme.example 192.0.2.7 443
 *
 * Options before the table: --at SECONDS judges at another time; --twice connects a second time
 * with the session of the first. Prints `accept` or `reject`, then what stands against it. Exit
 * status: 0, 1, or 2 where it could not ask.
 */
#include <hawser_openssl.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int64_t judged_at = HAWSER_NOW;

static int64_t clock_of_options(void *context) {
    (void)context;
    return judged_at;
}

static void fail(const char *what, const char *why) {
    fprintf(stderr, "client: %s: %s\n", what, why);
    exit(2);
}

static int connect_to(const char *address, const char *port) {
    struct sockaddr_in target = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    if (inet_pton(AF_INET, address, &target.sin_addr) != 1) fail(address, "is no address");
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&target, sizeof target) != 0)
        fail(address, "cannot be reached");
    return descriptor;
}

/* One connection; whether the policy accepts it. A session that is given is offered where it is
 * still current, and taken back renewed. */
static int visit(SSL_CTX *context, const char *host, const char *address, const char *port, SSL_SESSION **session) {
    SSL *ssl = SSL_new(context);
    int descriptor = connect_to(address, port);
    if (ssl == NULL || SSL_set_fd(ssl, descriptor) != 1) fail("SSL_new", "no memory");
    SSL_set_tlsext_host_name(ssl, host);
    if (*session != NULL) hawser_openssl_offer_session(ssl, *session);
    int is_open = SSL_connect(ssl) == 1;
    if (is_open && hawser_openssl_result(ssl) == HAWSER_OK) {
        printf("accept\n");
        fprintf(
            stderr, "%s, %s, %s\n", SSL_get_version(ssl), SSL_get_cipher(ssl),
            SSL_session_reused(ssl) ? "resumed" : "full handshake");
        /* Sessions of TLS 1.3 come with the answer. */
        char page[64];
        SSL_write(ssl, "GET / HTTP/1.0\r\n\r\n", 18);
        SSL_read(ssl, page, sizeof page);
        SSL_SESSION_free(*session);
        *session = SSL_get1_session(ssl);
    } else {
        is_open = 0;
        const char *failure = hawser_openssl_failure(ssl);
        printf("reject\n%s%s", failure, failure[0] == 0 ? "" : "\n");
        fprintf(
            stderr, "libssl: %s; %s\n", X509_verify_cert_error_string(SSL_get_verify_result(ssl)),
            ERR_reason_error_string(ERR_peek_last_error()));
        ERR_clear_error();
    }
    SSL_shutdown(ssl);
    SSL_free(ssl);
    close(descriptor);
    return is_open;
}

int main(int argc, char **argv) {
    int place = 1, is_twice = 0;
    for (; place < argc && strncmp(argv[place], "--", 2) == 0; place++) {
        if (strcmp(argv[place], "--twice") == 0) is_twice = 1;
        else if (strcmp(argv[place], "--at") == 0 && place + 1 < argc) judged_at = atoll(argv[++place]);
        else fail(argv[place], "is no option");
    }
    if (argc - place != 4) fail("usage", "client [--at SECONDS] [--twice] TABLE HOST ADDRESS PORT");
    const char *table = argv[place], *host = argv[place + 1], *address = argv[place + 2], *port = argv[place + 3];

    hawser_error error;
    HAWSER_INIT(&error);
    hawser_store store;
    if (hawser_store_open_file(table, NULL, &store, &error) != HAWSER_OK) fail(error.reason, error.message);

    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (context == NULL) fail("SSL_CTX_new", "no memory");
    hawser_openssl_options options;
    HAWSER_INIT(&options);
    if (judged_at != HAWSER_NOW) options.clock = clock_of_options;
    if (hawser_openssl_attach(context, store, &options, &error) != HAWSER_OK) fail(error.reason, error.message);

    SSL_SESSION *session = NULL;
    int is_trusted = visit(context, host, address, port, &session);
    if (is_twice && is_trusted) is_trusted = visit(context, host, address, port, &session);
    SSL_SESSION_free(session);
    SSL_CTX_free(context);
    hawser_store_close(store);
    return is_trusted ? 0 : 1;
}
