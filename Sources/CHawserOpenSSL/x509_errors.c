/* Violations in the words of OpenSSL, for programs that log SSL_get_verify_result. What a connection failed by
 * is told by hawser_openssl_failure; this is its nearest kin, never X509_V_OK. */
#include "hawser_openssl.h"

#include "error_queue.h"

#include <openssl/x509_vfy.h>
#include <string.h>

static const struct {
    const char *id;
    int error;
} nearest[] = {
    {"issuer-not-found", X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY},
    {"self-signed-leaf", X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT},
    {"anchor-not-trusted", X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN},
    {"anchor-constraint-not-met", X509_V_ERR_CERT_REJECTED},
    {"nothing-presented", X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT},
    {"end-entity-unreadable", X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY},
    {"bad-signature", X509_V_ERR_CERT_SIGNATURE_FAILURE},
    {"unsupported-signature", X509_V_ERR_UNSUPPORTED_SIGNATURE_ALGORITHM},
    {"algorithm-mismatch", X509_V_ERR_SIGNATURE_ALGORITHM_MISMATCH},
    {"expired", X509_V_ERR_CERT_HAS_EXPIRED},
    {"not-yet-valid", X509_V_ERR_CERT_NOT_YET_VALID},
    {"not-a-ca", X509_V_ERR_INVALID_CA},
    {"path-length-exceeded", X509_V_ERR_PATH_LENGTH_EXCEEDED},
    {"too-many-intermediates", X509_V_ERR_CERT_CHAIN_TOO_LONG},
    {"key-usage-missing", X509_V_ERR_KEYUSAGE_NO_CERTSIGN},
    {"purpose-not-allowed", X509_V_ERR_INVALID_PURPOSE},
    {"unknown-critical-extension", X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION},
    {"name-not-permitted", X509_V_ERR_PERMITTED_VIOLATION},
    {"constraint-not-evaluated", X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE},
    {"certificate-policy-not-satisfied", X509_V_ERR_NO_EXPLICIT_POLICY},
    {"key-type-not-allowed", X509_V_ERR_EE_KEY_TOO_SMALL},
    {"key-too-small", X509_V_ERR_EE_KEY_TOO_SMALL},
    {"hash-too-weak", X509_V_ERR_CA_MD_TOO_WEAK},
    {"signature-scheme-not-allowed", X509_V_ERR_CA_MD_TOO_WEAK},
    {"name-mismatch", X509_V_ERR_HOSTNAME_MISMATCH},
    {"revoked", X509_V_ERR_CERT_REVOKED},
    {"revocation-undetermined", X509_V_ERR_OCSP_VERIFY_NEEDED},
    {"staple-missing", X509_V_ERR_OCSP_VERIFY_NEEDED},
    {"transparency-not-met", X509_V_ERR_NO_VALID_SCTS},
    {"log-list-stale", X509_V_ERR_NO_VALID_SCTS},
    {"forbidden-key", X509_V_ERR_CERT_REJECTED},
    {"no-applicable-rule", X509_V_ERR_CERT_UNTRUSTED},
    {"lifetime-too-long", X509_V_ERR_CERT_REJECTED},
};

int hawser_openssl_x509_error(const char *id) {
    KEEP_ERROR_QUEUE;
    for (size_t place = 0; id != NULL && place < sizeof nearest / sizeof *nearest; place++)
        if (strcmp(id, nearest[place].id) == 0) return nearest[place].error;
    return X509_V_ERR_APPLICATION_VERIFICATION;
}
