#ifndef HAWSER_CRYPTO_H
#define HAWSER_CRYPTO_H

#include <stddef.h>
#include <stdint.h>

#include <openssl/evp.h>

/* Builds a public key from its numbers. NULL when libcrypto refuses them. The caller frees it. */
EVP_PKEY *hwshim_rsa_key(const uint8_t *modulus, size_t modulus_count, const uint8_t *exponent,
                         size_t exponent_count);
EVP_PKEY *hwshim_ec_key(const char *group, const uint8_t *point, size_t point_count);

/* 1 when the signature verifies. `digest` is NULL for Ed25519 and Ed448; `mask` is NULL but for
 * RSASSA-PSS, whose salt length is `salt`. */
int hwshim_verify(EVP_PKEY *key, const EVP_MD *digest, const EVP_MD *mask, int salt,
                  const uint8_t *message, size_t message_count, const uint8_t *signature,
                  size_t signature_count);

#endif
