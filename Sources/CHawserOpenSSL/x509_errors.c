/* Violations in the words of OpenSSL, for programs that log SSL_get_verify_result. What a connection failed by
 * is told by hawser_openssl_failure; this is its nearest kin, never X509_V_OK. */
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
