#include "tls_names.h"

#include <openssl/evp.h>
#include <openssl/objects.h>

const char *hawser_tls_group_name(SSL *ssl) {
    long id = SSL_get_negotiated_group(ssl);
    return id == NID_undef ? NULL : SSL_group_to_name(ssl, (int)id);
}

/* libssl 3.0 gives the hash and the kind of key of a signature scheme, but not the scheme itself
 * (RFC 8446 section 4.2.3). Each row has the names for SHA-256, SHA-384, SHA-512 and SHA-1; NULL
 * where no scheme has the combination. */
static const char *const pkcs1[] = {"rsa_pkcs1_sha256", "rsa_pkcs1_sha384", "rsa_pkcs1_sha512", "rsa_pkcs1_sha1"};
static const char *const rsae[] = {"rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384", "rsa_pss_rsae_sha512", NULL};
static const char *const pss[] = {"rsa_pss_pss_sha256", "rsa_pss_pss_sha384", "rsa_pss_pss_sha512", NULL};
static const char *const ecdsa[] = {
    "ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384", "ecdsa_secp521r1_sha512", "ecdsa_sha1"};

static int row(int hash) {
    switch (hash) {
    case NID_sha256: return 0;
    case NID_sha384: return 1;
    case NID_sha512: return 2;
    case NID_sha1: return 3;
    default: return -1;
    }
}

const char *hawser_tls_signature_scheme(SSL *ssl) {
    int type = NID_undef, hash = NID_undef;
    if (SSL_get_peer_signature_type_nid(ssl, &type) != 1) return NULL;
    if (type == EVP_PKEY_ED25519) return "ed25519";
    if (type == EVP_PKEY_ED448) return "ed448";
#ifdef EVP_PKEY_ML_DSA_44 /* OpenSSL 3.5 and later. */
    if (type == EVP_PKEY_ML_DSA_44) return "mldsa44";
    if (type == EVP_PKEY_ML_DSA_65) return "mldsa65";
    if (type == EVP_PKEY_ML_DSA_87) return "mldsa87";
#endif
    if (SSL_get_peer_signature_nid(ssl, &hash) != 1 || row(hash) < 0) return NULL;
    X509 *certificate = SSL_get0_peer_certificate(ssl);
    EVP_PKEY *key = certificate == NULL ? NULL : X509_get0_pubkey(certificate);
    switch (type) {
    case EVP_PKEY_RSA: return pkcs1[row(hash)];
    /* The kind of key decides the scheme: rsaEncryption or id-RSASSA-PSS. */
    case EVP_PKEY_RSA_PSS:
        return key != NULL && EVP_PKEY_get_id(key) == EVP_PKEY_RSA_PSS ? pss[row(hash)] : rsae[row(hash)];
    case EVP_PKEY_EC: return ecdsa[row(hash)];
    default: return NULL;
    }
}
