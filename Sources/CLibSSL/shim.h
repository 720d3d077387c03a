#ifndef HAWSER_CLIBSSL_SHIM_H
#define HAWSER_CLIBSSL_SHIM_H

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

/* What Swift does not import: function-like macros, and casts of stack types. */

static inline long hwssl_set_server_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, name);
}

static inline long hwssl_request_staple(SSL *ssl) {
    return SSL_set_tlsext_status_type(ssl, TLSEXT_STATUSTYPE_ocsp);
}

static inline long hwssl_staple(SSL *ssl, const unsigned char **response) {
    return SSL_get_tlsext_status_ocsp_resp(ssl, response);
}

static inline int hwssl_set_minimum_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

/* Servers without RFC 5746 are to be judged too, not missed. */
static inline void hwssl_allow_old_servers(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_LEGACY_SERVER_CONNECT);
}

static inline int hwssl_chain_count(const STACK_OF(X509) *chain) { return sk_X509_num(chain); }

static inline X509 *hwssl_chain_item(const STACK_OF(X509) *chain, int index) {
    return sk_X509_value(chain, index);
}

/* The name of the key exchange group of a finished handshake, or NULL. */
static inline const char *hwssl_group_name(SSL *ssl) {
    long id = SSL_get_negotiated_group(ssl);
    return id == NID_undef ? NULL : SSL_group_to_name(ssl, (int)id);
}

/* The hash that the server signed with, or NID_undef. */
static inline int hwssl_peer_signature_hash(SSL *ssl) {
    int hash = NID_undef;
    return SSL_get_peer_signature_nid(ssl, &hash) == 1 ? hash : NID_undef;
}

/* The kind of signature that the server made, or NID_undef. */
static inline int hwssl_peer_signature_type(SSL *ssl) {
    int type = NID_undef;
    return SSL_get_peer_signature_type_nid(ssl, &type) == 1 ? type : NID_undef;
}

/* The type of the key in the server's certificate, or NID_undef. */
static inline int hwssl_peer_key_type(SSL *ssl) {
    X509 *certificate = SSL_get0_peer_certificate(ssl);
    EVP_PKEY *key = certificate == NULL ? NULL : X509_get0_pubkey(certificate);
    return key == NULL ? NID_undef : EVP_PKEY_get_id(key);
}

#endif
