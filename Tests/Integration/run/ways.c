/* An OpenSSL client that tries each way to a connection that no policy judged: ways HOST PORT. It
 * prints a line for each way: whether the handshake came to an end, or the way is shut before it.
 * The server waits for a request. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static const char *host, *port;

static int dial(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) exit(2);
    return descriptor;
}

static int say_yes(X509_STORE_CTX *store, void *argument) {
    (void)argument;
    X509_STORE_CTX_set_error(store, X509_V_OK);
    return 1;
}
static int always(int ok, X509_STORE_CTX *store) {
    (void)ok, (void)store;
    return 1;
}
static int any_status(SSL *ssl, void *argument) {
    (void)ssl, (void)argument;
    return 1;
}

static SSL *prepared(SSL_CTX *context) {
    SSL *ssl = SSL_new(context);
    if (ssl == NULL) exit(3);
    SSL_set_tlsext_host_name(ssl, host);
    SSL_set_fd(ssl, dial());
    return ssl;
}

static int shaken(SSL *ssl) {
    int result = SSL_connect(ssl) == 1;
    close(SSL_get_fd(ssl));
    SSL_free(ssl);
    return result;
}

static SSL_CTX *client(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (context == NULL) exit(3);
    return context;
}

static int plain(void) { return shaken(prepared(client())); }

static int general(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    return shaken(prepared(context));
}

static int of_library(void) {
    SSL_CTX *context = SSL_CTX_new_ex(NULL, NULL, TLS_client_method());
    return shaken(prepared(context));
}

static int own_verification(void) {
    SSL_CTX *context = client();
    SSL_CTX_set_cert_verify_callback(context, say_yes, NULL);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, always);
    return shaken(prepared(context));
}

static int none_later(void) {
    SSL *ssl = prepared(client());
    SSL_set_verify(ssl, SSL_VERIFY_NONE, always);
    SSL_CTX_set_verify(SSL_get_SSL_CTX(ssl), SSL_VERIFY_NONE, always);
    SSL_CTX_set_cert_verify_callback(SSL_get_SSL_CTX(ssl), say_yes, NULL);
    return shaken(ssl);
}

static int other_status(void) {
    SSL_CTX *context = client();
    SSL_CTX_set_tlsext_status_cb(context, any_status);
    SSL_CTX_set_tlsext_status_arg(context, context);
    SSL *ssl = prepared(context);
    SSL_CTX_set_tlsext_status_cb(context, NULL);
    SSL_set_tlsext_status_type(ssl, -1);
    return shaken(ssl);
}

static int duplicate(void) {
    SSL *ssl = SSL_new(client());
    SSL_set_connect_state(ssl);
    SSL *copy = SSL_dup(ssl);
    SSL_free(ssl);
    if (copy == NULL) return 0;
    SSL_set_tlsext_host_name(copy, host);
    SSL_set_fd(copy, dial());
    int result = SSL_do_handshake(copy) == 1;
    close(SSL_get_fd(copy));
    return result;
}

static int other_context(void) {
    SSL *ssl = prepared(client());
    SSL_CTX *other = SSL_CTX_new(TLS_method());
    SSL_CTX_set_cert_verify_callback(other, say_yes, NULL);
    SSL_set_SSL_CTX(ssl, other);
    return shaken(ssl);
}

static int shut(SSL *ssl) {
    close(SSL_get_fd(ssl));
    SSL_free(ssl);
    return -1;
}

/* -1: the way is shut before the handshake. */
static int of_server(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_set_ssl_version(context, TLS_client_method()) != 1) return -1;
    return shaken(prepared(context));
}

static int method_of_server(void) {
    SSL *ssl = prepared(SSL_CTX_new(TLS_server_method()));
    if (SSL_set_ssl_method(ssl, TLS_client_method()) != 1) return shut(ssl);
    return shaken(ssl);
}

static int context_of_server(void) {
    SSL *ssl = prepared(client());
    SSL_CTX *other = SSL_CTX_new(TLS_server_method());
    SSL_CTX_set_cert_verify_callback(other, say_yes, NULL);
    if (SSL_set_SSL_CTX(ssl, other) == NULL) return shut(ssl);
    return shaken(ssl);
}

static int by_bio(void) {
    BIO *bio = BIO_new_ssl_connect(client());
    SSL *ssl = NULL;
    BIO_get_ssl(bio, &ssl);
    SSL_set_tlsext_host_name(ssl, host);
    BIO_set_conn_hostname(bio, "127.0.0.1");
    BIO_set_conn_port(bio, port);
    int result = BIO_do_handshake(bio) == 1;
    BIO_free_all(bio);
    return result;
}

/* The first call is a write, so the handshake has no call of its own. */
static int by_write(void) {
    SSL *ssl = prepared(client());
    SSL_set_connect_state(ssl);
    int result = SSL_write(ssl, "x", 1) == 1;
    close(SSL_get_fd(ssl));
    SSL_free(ssl);
    return result;
}

static int by_read(void) {
    SSL *ssl = prepared(client());
    SSL_set_connect_state(ssl);
    /* Nothing comes after the handshake: the server waits for a request. */
    struct timeval second = {.tv_sec = 1};
    setsockopt(SSL_get_fd(ssl), SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
    char octet;
    SSL_read(ssl, &octet, 1);
    int result = SSL_is_init_finished(ssl);
    close(SSL_get_fd(ssl));
    SSL_free(ssl);
    return result;
}

static int again(void) {
    SSL *ssl = prepared(client());
    SSL_connect(ssl);
    close(SSL_get_fd(ssl));
    SSL_clear(ssl);
    SSL_set_verify(ssl, SSL_VERIFY_NONE, NULL);
    SSL_set_fd(ssl, dial());
    return shaken(ssl);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        int (*function)(void);
    } ways[] = {
        {"a context of TLS_client_method", plain},
        {"a context of TLS_method", general},
        {"SSL_CTX_new_ex", of_library},
        {"its own verification callbacks", own_verification},
        {"SSL_VERIFY_NONE and a callback after SSL_new", none_later},
        {"another status callback, and no request for a staple", other_status},
        {"SSL_dup", duplicate},
        {"SSL_set_SSL_CTX", other_context},
        {"SSL_set_SSL_CTX with a server's context", context_of_server},
        {"SSL_CTX_set_ssl_version on a server's context", of_server},
        {"SSL_set_ssl_method on a server's connection", method_of_server},
        {"BIO_new_ssl_connect", by_bio},
        {"SSL_write as the first call", by_write},
        {"SSL_read as the first call", by_read},
        {"SSL_clear and a second handshake", again},
    };
    if (count != 3) return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    host = arguments[1];
    port = arguments[2];
    for (size_t place = 0; place < sizeof ways / sizeof *ways; place++) {
        int result = ways[place].function();
        printf("%s: %s\n", ways[place].name, result == 1 ? "connected" : result == 0 ? "refused" : "shut");
        ERR_clear_error();
    }
    return 0;
}
