#include "hwpeers.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/x509.h>
#include <string.h>

enum { LONGEST = 8 };

/* One signature with its key, in the fastest form that libcrypto has for it. */
struct signature {
    unsigned char *message;
    int message_count;
    const unsigned char *octets;
    int count;
    /* NULL for what hashes its message itself (Ed25519). */
    EVP_MD *digest;
    int is_rsa;
    EVP_PKEY *key;
    /* Set up for the key and the digest. */
    EVP_PKEY_CTX *context;
    /* What the key is made of anew. */
    const char *type;
    OSSL_PARAM *numbers;
    unsigned char raw[32];
    X509 *certificate;
};

struct hwpeers_path {
    struct signature parts[LONGEST];
    size_t count;
    EVP_MD_CTX *digesting;
};

static X509 *parse(const hwpeers_bytes *der) {
    const uint8_t *cursor = der->octets;
    return d2i_X509(NULL, &cursor, (long)der->count);
}

/* The issuer of a certificate among others: named so, and its key verifies. A new reference. */
static X509 *find_issuer(X509 *below, const hwpeers_bytes *list, size_t count) {
    for (size_t place = 0; place < count; place++) {
        X509 *other = parse(&list[place]);
        if (other != NULL && X509_NAME_cmp(X509_get_issuer_name(below), X509_get_subject_name(other)) == 0 &&
            X509_verify(below, X509_get0_pubkey(other)) == 1)
            return other;
        X509_free(other);
    }
    return NULL;
}

static EVP_PKEY_CTX *context_for(const struct signature *part, EVP_PKEY *key) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    if (context != NULL && EVP_PKEY_verify_init(context) == 1 &&
        EVP_PKEY_CTX_set_signature_md(context, part->digest) == 1 &&
        (!part->is_rsa || EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1))
        return context;
    EVP_PKEY_CTX_free(context);
    return NULL;
}

/* The key anew, from its numbers. */
static EVP_PKEY *import(const struct signature *part) {
    if (part->numbers == NULL) return EVP_PKEY_new_raw_public_key_ex(NULL, part->type, NULL, part->raw, sizeof part->raw);
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, part->type, NULL);
    if (context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, part->numbers) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    return key;
}

static OSSL_PARAM *numbers_of(EVP_PKEY *key, int is_rsa) {
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *made = NULL;
    BIGNUM *modulus = NULL, *exponent = NULL;
    char group[64];
    unsigned char point[256];
    size_t count = 0;
    if (builder == NULL) return NULL;
    if (is_rsa) {
        if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &modulus) == 1 &&
            EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent) == 1 &&
            OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus) == 1 &&
            OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) == 1)
            made = OSSL_PARAM_BLD_to_param(builder);
    } else if (EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, group, sizeof group, NULL) == 1 &&
               EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &count) == 1 &&
               OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, group, 0) == 1 &&
               OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, count) == 1) {
        made = OSSL_PARAM_BLD_to_param(builder);
    }
    OSSL_PARAM_BLD_free(builder);
    BN_free(modulus);
    BN_free(exponent);
    return made;
}

/* Takes the certificate over. */
static int prepare(struct signature *part, X509 *certificate, X509 *issuer) {
    const ASN1_BIT_STRING *bits;
    const X509_ALGOR *algorithm;
    int digest = NID_undef, kind = NID_undef;
    size_t raw = sizeof part->raw;
    part->certificate = certificate;
    X509_get0_signature(&bits, &algorithm, certificate);
    part->octets = ASN1_STRING_get0_data(bits);
    part->count = ASN1_STRING_length(bits);
    part->message_count = i2d_re_X509_tbs(certificate, &part->message);
    if (part->message_count <= 0 || OBJ_find_sigid_algs(X509_get_signature_nid(certificate), &digest, &kind) != 1) return 0;
    EVP_PKEY *decoded = X509_get0_pubkey(issuer);
    if (EVP_PKEY_is_a(decoded, "ED25519")) {
        part->type = "ED25519";
        if (EVP_PKEY_get_raw_public_key(decoded, part->raw, &raw) != 1) return 0;
        return (part->key = import(part)) != NULL;
    }
    part->is_rsa = EVP_PKEY_is_a(decoded, "RSA");
    part->type = part->is_rsa ? "RSA" : "EC";
    part->digest = EVP_MD_fetch(NULL, OBJ_nid2sn(digest), NULL);
    part->numbers = numbers_of(decoded, part->is_rsa);
    if (part->digest == NULL || part->numbers == NULL || (part->key = import(part)) == NULL) return 0;
    return (part->context = context_for(part, part->key)) != NULL;
}

static int verify_under(hwpeers_path *path, const struct signature *part, EVP_PKEY *key, EVP_PKEY_CTX *context) {
    unsigned char value[EVP_MAX_MD_SIZE];
    unsigned int count = 0;
    if (part->digest == NULL) {
        EVP_MD_CTX *whole = EVP_MD_CTX_new();
        int answer = whole != NULL && EVP_DigestVerifyInit(whole, NULL, NULL, NULL, key) == 1 &&
                     EVP_DigestVerify(whole, part->octets, (size_t)part->count, part->message,
                                      (size_t)part->message_count) == 1;
        EVP_MD_CTX_free(whole);
        return answer;
    }
    return EVP_DigestInit_ex2(path->digesting, part->digest, NULL) == 1 &&
           EVP_DigestUpdate(path->digesting, part->message, (size_t)part->message_count) == 1 &&
           EVP_DigestFinal_ex(path->digesting, value, &count) == 1 &&
           EVP_PKEY_verify(context, part->octets, (size_t)part->count, value, count) == 1;
}

int hwpeers_path_verify(hwpeers_path *path, size_t count) {
    int answer = 1;
    for (size_t place = 0; place < count && place < path->count; place++) {
        const struct signature *part = &path->parts[place];
        answer &= verify_under(path, part, part->key, part->context);
    }
    return answer;
}

int hwpeers_path_verify_importing(hwpeers_path *path, size_t count) {
    int answer = 1;
    for (size_t place = 0; place < path->count; place++) {
        const struct signature *part = &path->parts[place];
        if (place >= count) {
            answer &= verify_under(path, part, part->key, part->context);
            continue;
        }
        EVP_PKEY *key = import(part);
        EVP_PKEY_CTX *context = key == NULL || part->digest == NULL ? NULL : context_for(part, key);
        answer &= key != NULL && (part->digest == NULL || context != NULL) && verify_under(path, part, key, context);
        EVP_PKEY_CTX_free(context);
        EVP_PKEY_free(key);
    }
    return answer;
}

hwpeers_path *hwpeers_path_new(const hwpeers_bytes *chain, size_t count, const hwpeers_bytes *roots, size_t root_count) {
    hwpeers_path *path = OPENSSL_zalloc(sizeof *path);
    if (path == NULL || count == 0 || (path->digesting = EVP_MD_CTX_new()) == NULL) return path;
    X509 *certificate = parse(&chain[0]);
    while (certificate != NULL && path->count < LONGEST) {
        X509 *root = find_issuer(certificate, roots, root_count);
        X509 *issuer = root != NULL ? root : find_issuer(certificate, chain + 1, count - 1);
        int is_prepared = issuer != NULL && prepare(&path->parts[path->count++], certificate, issuer);
        if (root != NULL && is_prepared) {
            X509_free(root);
            return path;
        }
        if (root != NULL || !is_prepared) {
            X509_free(issuer);
            break;
        }
        certificate = issuer;
    }
    hwpeers_path_free(path);
    return NULL;
}

void hwpeers_path_free(hwpeers_path *path) {
    if (path == NULL) return;
    for (size_t place = 0; place < path->count; place++) {
        struct signature *part = &path->parts[place];
        OPENSSL_free(part->message);
        EVP_MD_free(part->digest);
        EVP_PKEY_CTX_free(part->context);
        EVP_PKEY_free(part->key);
        OSSL_PARAM_free(part->numbers);
        X509_free(part->certificate);
    }
    EVP_MD_CTX_free(path->digesting);
    OPENSSL_free(path);
}

size_t hwpeers_path_signatures(const hwpeers_path *path) { return path->count; }

unsigned hwpeers_sha256(const hwpeers_bytes *chain, size_t count) {
    static EVP_MD *method;
    static EVP_MD_CTX *context;
    unsigned char value[32];
    unsigned sum = 0;
    if (method == NULL) method = EVP_MD_fetch(NULL, "SHA256", NULL);
    if (context == NULL) context = EVP_MD_CTX_new();
    for (size_t place = 0; place < count; place++) {
        EVP_DigestInit_ex2(context, method, NULL);
        EVP_DigestUpdate(context, chain[place].octets, chain[place].count);
        EVP_DigestFinal_ex(context, value, NULL);
        sum += value[0];
    }
    return sum;
}
