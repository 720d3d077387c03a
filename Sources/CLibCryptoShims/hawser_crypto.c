#include "hawser_crypto.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

/* A key of a type from finished parameters. */
static EVP_PKEY *key_from(const char *type, OSSL_PARAM *parameters) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

EVP_PKEY *hwshim_rsa_key(const uint8_t *modulus, size_t modulus_count, const uint8_t *exponent,
                         size_t exponent_count) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = NULL;
    BIGNUM *n = BN_bin2bn(modulus, (int)modulus_count, NULL);
    BIGNUM *e = BN_bin2bn(exponent, (int)exponent_count, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (n != NULL && e != NULL && builder != NULL &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1 &&
        (parameters = OSSL_PARAM_BLD_to_param(builder)) != NULL) {
        key = key_from("RSA", parameters);
    }
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    BN_free(e);
    BN_free(n);
    return key;
}

EVP_PKEY *hwshim_ec_key(const char *group, const uint8_t *point, size_t point_count) {
    OSSL_PARAM parameters[3];
    parameters[0] =
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)group, 0);
    parameters[1] =
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, point_count);
    parameters[2] = OSSL_PARAM_construct_end();
    return key_from("EC", parameters);
}

int hwshim_verify(EVP_PKEY *key, const EVP_MD *digest, const EVP_MD *mask, int salt,
                  const uint8_t *message, size_t message_count, const uint8_t *signature,
                  size_t signature_count) {
    int status = 0;
    EVP_PKEY_CTX *options = NULL;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context == NULL || EVP_DigestVerifyInit(context, &options, digest, NULL, key) != 1) {
        EVP_MD_CTX_free(context);
        return 0;
    }
    if (mask == NULL || (EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1 &&
                         EVP_PKEY_CTX_set_rsa_mgf1_md(options, mask) == 1 &&
                         EVP_PKEY_CTX_set_rsa_pss_saltlen(options, salt) == 1)) {
        status = EVP_DigestVerify(context, signature, signature_count, message, message_count);
    }
    EVP_MD_CTX_free(context);
    return status == 1;
}
