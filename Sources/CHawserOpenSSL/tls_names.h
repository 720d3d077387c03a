/* Names of TLS parameters, as the IANA registries write them and as policies do. */
#ifndef HAWSER_TLS_NAMES_H
#define HAWSER_TLS_NAMES_H

#include <openssl/ssl.h>

/* The key exchange group, or NULL where it is not known. */
const char *hawser_tls_group_name(SSL *ssl);

/* What the server signed its handshake with, or NULL where it signed nothing or it is not known yet. */
const char *hawser_tls_signature_scheme(SSL *ssl);

#endif
