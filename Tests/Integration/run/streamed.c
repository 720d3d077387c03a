/* Asks a proxy for a tunnel by a stream of the C library, and verifies nothing: streamed HOST PORT
 * PROXY */
#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int count, char **arguments) {
    char answer[4096];
    if (count != 4) return 64;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[3]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return 2;
    FILE *stream = fdopen(descriptor, "r+");
    fprintf(stream, "CONNECT %s:%s HTTP/1.1\r\n\r\n", arguments[1], arguments[2]);
    fflush(stream);
    if (recv(descriptor, answer, sizeof answer, 0) <= 0) return 3;
    SSL *ssl = SSL_new(SSL_CTX_new(TLS_client_method()));
    SSL_set_tlsext_host_name(ssl, arguments[1]);
    SSL_set_fd(ssl, descriptor);
    if (SSL_connect(ssl) != 1) return 1;
    SSL_write(ssl, "GET / HTTP/1.0\r\n\r\n", 18);
    return SSL_read(ssl, answer, sizeof answer) > 0 ? 0 : 1;
}
