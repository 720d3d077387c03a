/* A client of the drop-in: attached TABLE HOST SERVER PORT DEFAULT. It connects to port SERVER of
 * 127.0.0.1, names PORT to hawser_openssl_set_host unless it is 0, and DEFAULT as `default_port`.
 * Prints `accepted`, or why it was refused. */
#include <arpa/inet.h>
#include <hawser_openssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(int count, char **arguments) {
    if (count != 6) return 64;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[3]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return 2;
    hawser_store_options store_options;
    HAWSER_INIT(&store_options);
    hawser_openssl_options options;
    HAWSER_INIT(&options);
    options.default_port = (uint32_t)atoi(arguments[5]);
    hawser_error error;
    HAWSER_INIT(&error);
    hawser_store store = {0};
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (hawser_store_open_file(arguments[1], &store_options, &store, &error) != HAWSER_OK
        || hawser_openssl_attach(context, store, &options, &error) != HAWSER_OK) {
        puts(error.message);
        return 3;
    }
    SSL *ssl = SSL_new(context);
    SSL_set_tlsext_host_name(ssl, arguments[2]);
    if (atoi(arguments[4]) != 0) hawser_openssl_set_host(ssl, arguments[2], (uint32_t)atoi(arguments[4]));
    SSL_set_fd(ssl, descriptor);
    int is_connected = SSL_connect(ssl) == 1;
    puts(is_connected ? "accepted" : hawser_openssl_failure(ssl));
    return !is_connected;
}
