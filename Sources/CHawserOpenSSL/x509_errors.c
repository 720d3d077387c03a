/* The OpenSSL error that is nearest to each violation, for programs that log SSL_get_verify_result.
 * It is never X509_V_OK. hawser_openssl_failure gives the exact reason why a connection failed. */
#include "hawser_openssl.h"

#include "error_queue.h"
#include "x509_error_table.h"

#include <openssl/x509_vfy.h>
#include <string.h>

int hawser_openssl_x509_error(const char *id) {
    KEEP_ERROR_QUEUE;
    for (size_t place = 0; id != NULL && place < sizeof nearest / sizeof *nearest; place++)
        if (strcmp(id, nearest[place].id) == 0) return nearest[place].error;
    return X509_V_ERR_APPLICATION_VERIFICATION;
}
