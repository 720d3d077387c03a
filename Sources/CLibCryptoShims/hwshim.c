#include "hwshim.h"

const int hwshim_public_key_selection = EVP_PKEY_PUBLIC_KEY;
