#include "hwpeers.h"

#include <openssl/err.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <time.h>

struct hwpeers_store {
    X509_STORE *store;
};

hwpeers_store *hwpeers_store_new(const hwpeers_bytes *roots, size_t count) {
    hwpeers_store *made = OPENSSL_zalloc(sizeof *made);
    if (made == NULL || (made->store = X509_STORE_new()) == NULL) return NULL;
    for (size_t place = 0; place < count; place++) {
        const uint8_t *cursor = roots[place].octets;
        X509 *root = d2i_X509(NULL, &cursor, (long)roots[place].count);
        if (root == NULL || X509_STORE_add_cert(made->store, root) != 1) {
            X509_free(root);
            hwpeers_store_free(made);
            return NULL;
        }
        X509_free(root);
    }
    return made;
}

void hwpeers_store_free(hwpeers_store *store) {
    if (store == NULL) return;
    X509_STORE_free(store->store);
    OPENSSL_free(store);
}

/* Verifies parsed certificates. */
static int judge(X509_STORE_CTX *context, X509_STORE *store, X509 *leaf, STACK_OF(X509) *others, const char *host,
                 int64_t time) {
    if (X509_STORE_CTX_init(context, store, leaf, others) != 1) return -1;
    X509_VERIFY_PARAM *terms = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_time(terms, (time_t)time);
    /* A root need not be self-signed, as with us, and one that is trusted ends the path. */
    X509_VERIFY_PARAM_set_flags(terms, X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST);
    X509_VERIFY_PARAM_set_purpose(terms, X509_PURPOSE_SSL_SERVER);
    /* 112 bits: no SHA-1, no RSA below 2048 bits. */
    X509_VERIFY_PARAM_set_auth_level(terms, 2);
    if (X509_VERIFY_PARAM_set1_host(terms, host, 0) != 1) return -1;
    return X509_verify_cert(context) == 1;
}

int hwpeers_verify(hwpeers_store *store, const hwpeers_bytes *chain, size_t count, const char *host, int64_t time) {
    int answer = -1;
    X509 *leaf = NULL;
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    STACK_OF(X509) *others = sk_X509_new_null();
    if (context == NULL || others == NULL) goto done;
    for (size_t place = 0; place < count; place++) {
        const uint8_t *cursor = chain[place].octets;
        X509 *certificate = d2i_X509(NULL, &cursor, (long)chain[place].count);
        if (certificate == NULL) {
            answer = 0;
            goto done;
        }
        if (place == 0) {
            leaf = certificate;
        } else if (sk_X509_push(others, certificate) == 0) {
            X509_free(certificate);
            goto done;
        }
    }
    if (leaf != NULL) answer = judge(context, store->store, leaf, others, host, time);
done:
    X509_STORE_CTX_free(context);
    sk_X509_pop_free(others, X509_free);
    X509_free(leaf);
    if (answer != 1) ERR_clear_error();
    return answer;
}

int64_t hwpeers_cpu_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
