#ifndef HWSHIM_H
#define HWSHIM_H

#include <openssl/evp.h>

/* What Swift does not import from libcrypto. The prefix differs from the public C ABI's on purpose:
   an export map that keeps the ABI's names must not keep these. */

/* The selection for EVP_PKEY_fromdata that takes a public key and its parameters: a macro made of
   expressions, which Swift does not import. */
extern const int hwshim_public_key_selection;

#endif
