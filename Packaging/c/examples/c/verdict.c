/* The verdict of a compiled policy on a chain from a file, as `hawser explain` gives it: `accept`
 * or `reject` in the first line, then `id: sentence` for each violation; with --explain the JSON of
 * the explanation instead.
 *
 *     cc verdict.c $(pkg-config --cflags --libs hawser libcrypto) -o verdict
 *     ./verdict --table policy.table --host api.acme.example --chain chain.pem
 *
 * Options: --port N  --at SECONDS  --tls 0x0304|none  --cipher-suite S  --group S
 * --signature-scheme S  --alpn S  --staple FILE  --sct-list FILE  --ocsp FILE...  --crl FILE...
 * --check NAME=pass|fail...  --assumption TEXT...
 * Evidence is DER. Exit status: 0 accept, 1 reject, 2 could not ask.
 */
#include <hawser.h>

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 256

static void fail(const char *what, const hawser_error *error) {
    fprintf(stderr, "verdict: %s: %s: %s\n", what, error == NULL ? "" : error->reason, error == NULL ? "" : error->message);
    exit(2);
}

static hawser_bytes read_file(const char *path) {
    BIO *file = BIO_new_file(path, "rb");
    size_t capacity = 1 << 20, length = 0;
    unsigned char *data = OPENSSL_malloc(capacity);
    if (file == NULL || data == NULL) fail(path, NULL);
    int count;
    while ((count = BIO_read(file, data + length, (int)(capacity - length))) > 0) {
        length += (size_t)count;
        if (length == capacity && (data = OPENSSL_realloc(data, capacity *= 2)) == NULL) fail(path, NULL);
    }
    BIO_free(file);
    return (hawser_bytes){data, length};
}

static size_t read_chain(const char *path, hawser_bytes *chain) {
    BIO *file = BIO_new_file(path, "rb");
    if (file == NULL) fail(path, NULL);
    size_t count = 0;
    char *name, *header;
    unsigned char *data;
    long length;
    while (count < MOST && PEM_read_bio(file, &name, &header, &data, &length) == 1) {
        chain[count++] = (hawser_bytes){data, (size_t)length};
        OPENSSL_free(name);
        OPENSSL_free(header);
    }
    BIO_free(file);
    return count;
}

static void free_all(const hawser_bytes *octets, size_t count) {
    for (size_t place = 0; place < count; place++) OPENSSL_free((void *)octets[place].data);
}

/* A check of the program: here one that says what its context is. */
struct answer {
    char name[64];
    int passes;
};

static int32_t check(void *context, const hawser_check_subject *subject, char *reason, size_t capacity) {
    const struct answer *answer = context;
    if (subject->path_count == 0) return 0;
    if (answer->passes) return 1;
    snprintf(reason, capacity, "assumed by `--assume %s=fail`", answer->name);
    return 0;
}

/* A text of a verdict in memory of its own. */
static char *text(hawser_verdict verdict, uint32_t which, size_t index) {
    size_t length = 0;
    hawser_verdict_text(verdict, which, index, NULL, 0, &length);
    char *text = malloc(length + 1);
    if (text == NULL || hawser_verdict_text(verdict, which, index, text, length + 1, NULL) != HAWSER_OK)
        fail("a text of the verdict", NULL);
    return text;
}

int main(int argc, char **argv) {
    const char *table = NULL, *assumptions[MOST];
    int explains = 0;
    hawser_bytes chain[MOST], responses[MOST], lists[MOST];
    hawser_evidence prepared[MOST];
    size_t list_count = 0;
    struct answer answers[MOST];
    hawser_check checks[MOST];
    hawser_store_options options;
    hawser_request request;
    hawser_error error;
    HAWSER_INIT(&options);
    HAWSER_INIT(&request);
    HAWSER_INIT(&error);
    request.port = 443;
    request.time = HAWSER_NOW;
    request.tls = HAWSER_TLS_ASSUMED;
    request.tls_version = 0x0304;
    request.ocsp_responses = responses;
    request.assumptions = assumptions;
    options.checks = checks;

    for (int place = 1; place < argc; place++) {
        const char *option = argv[place];
        if (strcmp(option, "--explain") == 0) {
            explains = 1;
            continue;
        }
        const char *value = place + 1 < argc ? argv[++place] : NULL;
        if (value == NULL || request.assumption_count == MOST || options.check_count == MOST
            || request.ocsp_response_count == MOST || list_count == MOST)
            fail(option, NULL);
        if (strcmp(option, "--table") == 0) table = value;
        else if (strcmp(option, "--host") == 0) request.host = (hawser_bytes){value, strlen(value)};
        else if (strcmp(option, "--port") == 0) request.port = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(option, "--at") == 0) request.time = strtoll(value, NULL, 10);
        else if (strcmp(option, "--chain") == 0) {
            request.chain = chain;
            request.chain_count = read_chain(value, chain);
        } else if (strcmp(option, "--tls") == 0) {
            if (strcmp(value, "none") == 0) request.tls = HAWSER_TLS_CLEARTEXT;
            else request.tls_version = (uint32_t)strtoul(value, NULL, 0);
        } else if (strcmp(option, "--cipher-suite") == 0) request.cipher_suite = value;
        else if (strcmp(option, "--group") == 0) request.group = value;
        else if (strcmp(option, "--signature-scheme") == 0) request.signature_scheme = value;
        else if (strcmp(option, "--alpn") == 0) request.alpn = value;
        else if (strcmp(option, "--staple") == 0) request.staple = read_file(value);
        else if (strcmp(option, "--sct-list") == 0) request.sct_list = read_file(value);
        else if (strcmp(option, "--ocsp") == 0) responses[request.ocsp_response_count++] = read_file(value);
        else if (strcmp(option, "--crl") == 0) lists[list_count++] = read_file(value);
        else if (strcmp(option, "--assumption") == 0) assumptions[request.assumption_count++] = value;
        else if (strcmp(option, "--check") == 0) {
            struct answer *answer = &answers[options.check_count];
            const char *equals = strchr(value, '=');
            if (equals == NULL || (size_t)(equals - value) >= sizeof answer->name) fail(value, NULL);
            snprintf(answer->name, sizeof answer->name, "%.*s", (int)(equals - value), value);
            answer->passes = strcmp(equals, "=pass") == 0;
            checks[options.check_count++] = (hawser_check){answer->name, check, answer};
        } else fail(option, NULL);
    }

    hawser_store store;
    if (hawser_store_open_file(table, &options, &store, &error) != HAWSER_OK) fail("the table", &error);
    /* Read once, as a service would hold them: a large CRL in a request is read for every
     * request. */
    for (size_t place = 0; place < list_count; place++)
        if (hawser_evidence_prepare(
                HAWSER_EVIDENCE_CRL, store, lists[place].data, lists[place].length, request.chain,
                request.chain_count, &prepared[place], &error)
            != HAWSER_OK)
            fail("a CRL", &error);
    request.prepared = prepared;
    request.prepared_count = list_count;

    hawser_outcome outcome;
    hawser_verdict verdict;
    HAWSER_INIT(&outcome);
    int32_t result = (explains ? hawser_explain : hawser_evaluate)(store, &request, &outcome, &verdict, &error);
    if (result != HAWSER_OK && result != HAWSER_REJECT) fail("the request", &error);
    if (explains) {
        char *json = text(verdict, HAWSER_TEXT_EXPLANATION, 0);
        fputs(json, stdout);
        free(json);
    } else {
        puts(result == HAWSER_OK ? "accept" : "reject");
        for (uint32_t index = 0; index < outcome.violation_count; index++) {
            char *id = text(verdict, HAWSER_TEXT_VIOLATION_ID, index);
            char *sentence = text(verdict, HAWSER_TEXT_VIOLATION, index);
            printf("%s: %s\n", id, sentence);
            free(id);
            free(sentence);
        }
    }

    hawser_verdict_free(verdict);
    for (size_t place = 0; place < list_count; place++) hawser_evidence_free(prepared[place]);
    hawser_store_close(store);
    free_all(chain, request.chain_count);
    free_all(responses, request.ocsp_response_count);
    free_all(lists, list_count);
    free_all((const hawser_bytes[]){request.staple, request.sct_list}, 2);
    return result == HAWSER_OK ? 0 : 1;
}
