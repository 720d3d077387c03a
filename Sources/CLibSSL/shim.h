#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
