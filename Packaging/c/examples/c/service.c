/* What a service does beside asking for verdicts: it learns what a rule demands of a connection,
 * compares a candidate, writes receipts, serves metrics, and wakes when another policy has come
 * into force.
 *
 *     cc service.c $(pkg-config --cflags --libs hawser libcrypto) -o service
 *     ./service policy.table next.table api.acme.example chain.pem receipts.jsonl 1780315200 [wait]
 *
 * It prints the demands, the verdict, the condition of its store and the metrics. With `wait` it
 * then waits until another epoch is in force. Exit status: 0 accept, 1 reject, 2 could not ask.
 */
#include <hawser.h>

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static hawser_error error;

/* Goes on after a call that succeeded. */
static void need(int32_t result, const char *what) {
    if (result == HAWSER_OK) return;
    fprintf(stderr, "service: %s: %s: %s\n", what, error.reason, error.message);
    exit(2);
}

/* Texts in memory of their own; NULL where there is none. Demands and verdicts are types apart, so
 * neither can be asked for the other's texts. */
static char *demanded_text(hawser_demands demands, uint32_t which, size_t index) {
    size_t length = 0;
    if (hawser_demands_text(demands, which, index, NULL, 0, &length) != HAWSER_E_SMALL) return NULL;
    char *text = malloc(length + 1);
    if (text != NULL && hawser_demands_text(demands, which, index, text, length + 1, NULL) == HAWSER_OK) return text;
    free(text);
    return NULL;
}

static char *verdict_text(hawser_verdict verdict, uint32_t which) {
    size_t length = 0;
    if (hawser_verdict_text(verdict, which, 0, NULL, 0, &length) != HAWSER_E_SMALL) return NULL;
    char *text = malloc(length + 1);
    if (text != NULL && hawser_verdict_text(verdict, which, 0, text, length + 1, NULL) == HAWSER_OK) return text;
    free(text);
    return NULL;
}

static hawser_store open_store(const char *path, const char *name) {
    hawser_store_options options;
    HAWSER_INIT(&options);
    options.name = name;
    hawser_store store;
    need(hawser_store_open_file(path, &options, &store, &error), path);
    return store;
}

/* What a TLS library is configured by, before it connects. */
static int print_demands(hawser_store store, const char *host, int64_t at) {
    hawser_demanded numbers;
    hawser_demands demands;
    HAWSER_INIT(&numbers);
    int32_t result = hawser_store_demands(store, host, strlen(host), 443, at, &numbers, &demands, &error);
    if (result == HAWSER_REJECT) {
        printf("no rule for %s: nothing to connect for\n", host);
        return 0;
    }
    need(result, "demands");
    char *rule = demanded_text(demands, HAWSER_TEXT_DEMANDED_RULE, 0);
    printf("rule %s: TLS 0x%04x to 0x%04x%s\n", rule, (unsigned)numbers.tls_version_minimum,
        (unsigned)numbers.tls_version_maximum, numbers.staple == HAWSER_STAPLE_UNUSED ? "" : ", asks for a staple");
    free(rule);
    char *suite;
    for (size_t index = 0; (suite = demanded_text(demands, HAWSER_TEXT_DEMANDED_CIPHER_SUITE, index)) != NULL; index++) {
        printf("suite %s\n", suite);
        free(suite);
    }
    need(hawser_demands_free(demands), "demands");
    return 1;
}

static void print_disagreement(void *context, const char *kind, const char *json) {
    fprintf(context, "the candidate is %s: %zu octets of explanation\n", kind, strlen(json));
}

static size_t read_chain(const char *path, hawser_bytes *chain, size_t capacity) {
    BIO *file = BIO_new_file(path, "rb");
    size_t count = 0;
    char *name, *header;
    unsigned char *data;
    long length;
    while (file != NULL && count < capacity && PEM_read_bio(file, &name, &header, &data, &length) == 1) {
        chain[count++] = (hawser_bytes){data, (size_t)length};
        OPENSSL_free(name);
        OPENSSL_free(header);
    }
    BIO_free(file);
    return count;
}

/* Judges, and leaves a receipt that `hawser explain --receipt` replays. */
static int32_t judge(hawser_store store, hawser_fetcher fetcher, const hawser_request *request, FILE *receipts) {
    hawser_outcome outcome;
    hawser_verdict verdict;
    HAWSER_INIT(&outcome);
    int32_t result = hawser_explain_fetching(store, fetcher, request, &outcome, &verdict, &error);
    if (result != HAWSER_REJECT) need(result, "the request");
    puts(result == HAWSER_OK ? "accept" : "reject");
    char *receipt = verdict_text(verdict, HAWSER_TEXT_RECEIPT_WITH_INPUTS);
    fprintf(receipts, "%s\n", receipt);
    free(receipt);
    if (result == HAWSER_REJECT || outcome.reported_count > 0) {
        char *report = verdict_text(verdict, HAWSER_TEXT_REPORT);
        printf("report %s\n", report);
        free(report);
    }
    need(hawser_verdict_free(verdict), "the verdict");
    return result;
}

static void print_metrics(const hawser_store *stores, size_t count) {
    size_t capacity = 0, length = 0;
    char *metrics = NULL;
    int32_t result;
    /* The numbers may have grown by the second call. */
    while ((result = hawser_metrics(stores, count, metrics, capacity, &length, &error)) == HAWSER_E_SMALL)
        metrics = realloc(metrics, capacity = length + 1);
    need(result, "metrics");
    fputs(metrics, stdout);
    free(metrics);
}

/* Waits until another epoch than the given one is in force, and says whether a connection of before
 * may stay in its pool. */
static void wait_for_another_epoch(hawser_store store, int32_t descriptor, const hawser_request *request, uint64_t epoch) {
    hawser_snapshot snapshot;
    HAWSER_INIT(&snapshot);
    for (;;) {
        char octets[64];
        ssize_t count;
        while ((count = read(descriptor, octets, sizeof octets)) > 0) {}
        /* 0 octets: somebody closed the store. */
        if (count == 0 || errno != EAGAIN) exit(2);
        need(hawser_store_snapshot(store, &snapshot, &error), "the snapshot");
        if (snapshot.epoch != epoch) break;
        struct pollfd entry = {descriptor, POLLIN, 0};
        if (poll(&entry, 1, 60000) != 1) exit(2);
    }
    int32_t result = hawser_store_holds(
        store, epoch, request->host.data, request->host.length, request->port, request->time, &error);
    if (result != HAWSER_REJECT) need(result, "an open connection");
    printf("epoch %llu: an open connection %s\n", (unsigned long long)snapshot.epoch,
        result == HAWSER_OK ? "may go on" : "is to be closed");
}

int main(int argc, char **argv) {
    if (argc < 7) return 2;
    HAWSER_INIT(&error);
    hawser_store store = open_store(argv[1], "active"), candidate = open_store(argv[2], "candidate");
    hawser_shadow_options shadow;
    HAWSER_INIT(&shadow);
    shadow.function = print_disagreement;
    shadow.context = stdout;
    need(hawser_store_shadow(store, candidate, &shadow, &error), "the shadow");
    int32_t descriptor;
    need(hawser_store_epoch_descriptor(store, &descriptor, &error), "the descriptor");
    /* One for the whole program: it keeps what was fetched. */
    hawser_fetcher fetcher;
    need(hawser_fetcher_open(NULL, &fetcher, &error), "the fetcher");

    hawser_bytes chain[16];
    hawser_request request;
    HAWSER_INIT(&request);
    request.host = (hawser_bytes){argv[3], strlen(argv[3])};
    request.port = 443;
    request.time = strtoll(argv[6], NULL, 10);
    request.tls = HAWSER_TLS_OBSERVED;
    request.tls_version = 0x0304;
    request.chain = chain;
    request.chain_count = read_chain(argv[4], chain, 16);
    int connects = print_demands(store, argv[3], request.time);
    FILE *receipts = fopen(argv[5], "a");
    if (receipts == NULL) return 2;
    int32_t result = judge(store, fetcher, &request, receipts);
    if (fclose(receipts) != 0) return 2;
    if (!connects && result == HAWSER_OK) return 2;

    hawser_state state;
    hawser_shadow_counts counts;
    HAWSER_INIT(&state);
    HAWSER_INIT(&counts);
    need(hawser_store_state(store, &state, &error), "the state");
    need(hawser_store_shadow_counts(store, &counts, &error), "the shadow's counts");
    printf("%llu accepted, %llu rejected, %llu refused; the candidate agrees on %llu\n",
        (unsigned long long)state.accepted, (unsigned long long)state.rejected, (unsigned long long)state.refused,
        (unsigned long long)counts.agreements);
    print_metrics((hawser_store[]){store, candidate}, 2);
    fflush(stdout);
    if (argc > 7) wait_for_another_epoch(store, descriptor, &request, 1);

    need(hawser_fetcher_close(fetcher), "the fetcher");
    need(hawser_store_close(store), "the store");
    need(hawser_store_close(candidate), "the candidate");
    close(descriptor);
    for (size_t place = 0; place < request.chain_count; place++) OPENSSL_free((void *)chain[place].data);
    return result == HAWSER_OK ? 0 : 1;
}
