/* Names of TLS parameters, as the IANA registries write them and as policies do. */
#ifndef HAWSER_TLS_NAMES_H
#define HAWSER_TLS_NAMES_H

#include <openssl/ssl.h>

/* The name of the key exchange group, or NULL where the group is not known. */
const char *hawser_tls_group_name(SSL *ssl);

/* The signature scheme of the server's handshake signature, or NULL where the server signed nothing
 * or the scheme is not known yet. */
const char *hawser_tls_signature_scheme(SSL *ssl);

#endif
