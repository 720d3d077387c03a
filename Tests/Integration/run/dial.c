/* A TLS client in a library: dial MODE HOST PORT, of which later.c calls `dial`.
 *
 * It connects to 127.0.0.1, verifies nothing, asks for a page, and returns 0 where something came.
 * MODE is how the octets are sent: `whole` by OpenSSL itself; else over memory, by a call of that
 * name, and `pieces` a few octets at a time, `copy` on a copy of the descriptor.
 */
#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static ssize_t part(const char *mode, int descriptor, char *bytes, size_t length) {
    size_t half = length / 2;
    struct iovec parts[3] = {{bytes, half}, {bytes, 0}, {bytes + half, length - half}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 3};
    if (strcmp(mode, "send") == 0) return send(descriptor, bytes, length, MSG_NOSIGNAL);
    if (strcmp(mode, "sendto") == 0) return sendto(descriptor, bytes, length, 0, NULL, 0);
    if (strcmp(mode, "sendmsg") == 0) return sendmsg(descriptor, &message, 0);
    if (strcmp(mode, "writev") == 0) return writev(descriptor, parts, 3);
    return write(descriptor, bytes, strcmp(mode, "pieces") == 0 && length > 7 ? 7 : length);
}

static int flush(const char *mode, int descriptor, BIO *from) {
    char *bytes;
    long length = BIO_get_mem_data(from, &bytes);
    while (length > 0) {
        ssize_t count = part(mode, descriptor, bytes, (size_t)length);
        if (count <= 0) return 0;
        bytes += count;
        length -= count;
    }
    return BIO_reset(from) == 1;
}

int dial(const char *mode, const char *host, const char *port) {
    static const char request[] = "GET / HTTP/1.0\r\n\r\n";
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0), is_whole = strcmp(mode, "whole") == 0, result = 1;
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return 2;
    if (strcmp(mode, "copy") == 0) {
        int copy = dup(descriptor);
        close(descriptor);
        descriptor = copy;
    }
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL *ssl = context == NULL ? NULL : SSL_new(context);
    if (ssl == NULL) return 3;
    SSL_set_tlsext_host_name(ssl, host);
    SSL_set_connect_state(ssl);
    BIO *in = NULL, *out = NULL;
    if (is_whole) {
        SSL_set_fd(ssl, descriptor);
    } else {
        in = BIO_new(BIO_s_mem());
        out = BIO_new(BIO_s_mem());
        BIO_set_mem_eof_return(in, -1);
        SSL_set_bio(ssl, in, out);
    }
    for (int has_asked = 0, tries = 0; tries < 100; tries++) {
        char bytes[4096];
        int count = has_asked ? SSL_read(ssl, bytes, sizeof bytes) : SSL_write(ssl, request, sizeof request - 1);
        if (count > 0 && has_asked) result = 0;
        if (count > 0 && has_asked) break;
        if (count > 0) has_asked = 1;
        else if (is_whole || SSL_get_error(ssl, count) != SSL_ERROR_WANT_READ) break;
        if (is_whole) continue;
        if (!flush(mode, descriptor, out)) break;
        if (count > 0) continue;
        ssize_t received = recv(descriptor, bytes, sizeof bytes, 0);
        if (received <= 0) break;
        BIO_write(in, bytes, (int)received);
    }
    SSL_free(ssl);
    SSL_CTX_free(context);
    close(descriptor);
    return result;
}
