/* libhawser.so under hostile octets, hostile arguments, and threads that misuse one another's
 * objects. Built with the address sanitizer, as the library must be then: see c-abi-hostile.sh.
 *
 *     hostile TABLE ROUNDS SEED FILE...
 *
 * Every FILE (tables, certificates, CRLs, OCSP responses, lists of timestamps, whatever else) goes
 * to every place where the interface takes octets: as it is, and `ROUNDS` times with octets
 * changed, cut or doubled. What comes back must be one of the results that the header names, and a
 * verdict must have what its numbers say.
 */
#include <hawser.h>

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#define IS_SANITIZED __has_feature(address_sanitizer)
#else
#define IS_SANITIZED 0
#endif
#if IS_SANITIZED
#define STACK ((size_t)1 << 20)
#else
#define STACK ((size_t)1 << 18)
#endif

/* Numbers as objects, whatever they are of. */
#define STORE(value) ((hawser_store){value})
#define VERDICT(value) ((hawser_verdict){value})
#define EVIDENCE(value) ((hawser_evidence){value})
#define DEMANDS(value) ((hawser_demands){value})
#define FETCHER(value) ((hawser_fetcher){value})

/* Options of a store that says nothing of the many tables that it refuses. */
static void hear(void *context, int32_t level, const char *message) { (void)context, (void)level, (void)message; }
static const hawser_store_options quiet = {.size = sizeof quiet, .log = hear};

static unsigned long calls, accepted, rejected, refused;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

static uint64_t state;

/* SplitMix64. */
static uint64_t draw(void) {
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static hawser_bytes read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    /* Exactly as large as it is, so that the sanitizer sees a read past the end. */
    unsigned char *data = malloc(length > 0 ? (size_t)length : 1);
    CHECK(data != NULL && fread(data, 1, (size_t)length, file) == (size_t)length);
    fclose(file);
    return (hawser_bytes){data, (size_t)length};
}

static int32_t counted(int32_t result) {
    CHECK(strcmp(hawser_result_name(result), "HAWSER_E_?") != 0);
    CHECK(result != HAWSER_E_INTERNAL);
    calls++;
    if (result == HAWSER_OK) accepted++;
    else if (result == HAWSER_REJECT) rejected++;
    else refused++;
    return result;
}

/* Reads everything that a verdict has, into buffers of every kind. */
static void read_verdict(hawser_verdict verdict) {
    hawser_outcome outcome;
    HAWSER_INIT(&outcome);
    CHECK(hawser_verdict_outcome(verdict, &outcome) == HAWSER_OK);
    CHECK(outcome.decision == (outcome.violation_count > 0 ? HAWSER_DECISION_REJECT : HAWSER_DECISION_ACCEPT));
    for (uint32_t which = 0; which < 60; which++)
        for (size_t index = 0; index < 4; index++) {
            size_t length = 77;
            int32_t result = hawser_verdict_text(verdict, which, index, NULL, 0, &length);
            CHECK(result == HAWSER_E_SMALL || result == HAWSER_E_RANGE || result == HAWSER_E_ARGUMENT);
            if (result != HAWSER_E_SMALL) continue;
            char *whole = malloc(length + 1), tiny[3];
            CHECK(hawser_verdict_text(verdict, which, index, whole, length + 1, NULL) == HAWSER_OK);
            CHECK(strlen(whole) == length);
            hawser_verdict_text(verdict, which, index, tiny, sizeof tiny, NULL);
            CHECK(strlen(tiny) < sizeof tiny);
            free(whole);
        }
    CHECK(hawser_verdict_text(verdict, 16, 0, NULL, 10, NULL) == HAWSER_E_ARGUMENT);
    CHECK(hawser_verdict_text(verdict, 16, SIZE_MAX, NULL, 0, NULL) == HAWSER_E_RANGE);
}

/* The rules of the table want no evidence, so it asks nobody. */
static hawser_fetcher fetcher;

static void judge(hawser_store store, const hawser_request *request) {
    hawser_verdict verdict = {0};
    hawser_error error;
    HAWSER_INIT(&error);
    int explains = draw() % 8 == 0, fetches = draw() % 4 == 0;
    int32_t result = fetches
        ? (explains ? hawser_explain_fetching : hawser_evaluate_fetching)(store, fetcher, request, NULL, &verdict, &error)
        : (explains ? hawser_explain : hawser_evaluate)(store, request, NULL, &verdict, &error);
    counted(result);
    CHECK(error.result == result && (result != HAWSER_OK) == (error.reason[0] != 0));
    CHECK((verdict.number != 0) == (result >= 0));
    if (verdict.number != 0) {
        read_verdict(verdict);
        CHECK(hawser_verdict_free(verdict) == HAWSER_OK);
        CHECK(hawser_verdict_free(verdict) == HAWSER_E_MISUSE);
    }
}

static hawser_request good_request(const hawser_bytes *chain, size_t count) {
    hawser_request request;
    HAWSER_INIT(&request);
    request.host = (hawser_bytes){"www.site.example", 16};
    request.port = 443;
    request.time = 1780315200;
    request.tls = HAWSER_TLS_OBSERVED;
    request.tls_version = 0x0304;
    request.chain = chain;
    request.chain_count = count;
    return request;
}

/* Reads everything that a store and the demands of its rules have. */
static void read_store(hawser_store store, hawser_bytes host) {
    size_t length;
    for (uint32_t which = 0; which < 60; which++)
        for (size_t index = 0; index < 3; index++) {
            int32_t result = hawser_store_text(store, which, index, NULL, 0, &length);
            CHECK(result == HAWSER_E_SMALL || result == HAWSER_E_RANGE || result == HAWSER_E_ARGUMENT);
        }
    hawser_state numbers;
    HAWSER_INIT(&numbers);
    CHECK(hawser_store_state(store, &numbers, NULL) == HAWSER_OK && numbers.size == sizeof numbers);
    hawser_demanded demanded;
    HAWSER_INIT(&demanded);
    hawser_demands demands = {7};
    int32_t result =
        counted(hawser_store_demands(store, host.data, host.length, 443, HAWSER_NOW, &demanded, &demands, NULL));
    CHECK((result == HAWSER_OK) == (demands.number != 0));
    if (demands.number != 0) {
        for (uint32_t which = 0; which < 60; which++) {
            char tiny[2];
            result = hawser_demands_text(demands, which, 0, tiny, sizeof tiny, &length);
            CHECK(strlen(tiny) < sizeof tiny && result != HAWSER_E_MISUSE);
        }
        CHECK(hawser_demands_free(demands) == HAWSER_OK && hawser_demands_free(demands) == HAWSER_E_MISUSE);
    }
    size_t capacity = 0;
    char *text = NULL;
    while ((result = hawser_metrics(&store, 1, text, capacity, &length, NULL)) == HAWSER_E_SMALL)
        text = realloc(text, capacity = length + 1);
    CHECK(result == HAWSER_OK && strlen(text) == length && text[length - 1] == '\n');
    free(text);
}

/* One piece of octets in every place. */
static void everywhere(hawser_store store, hawser_bytes piece, const hawser_bytes *chain, size_t count) {
    hawser_bytes mixed[4] = {piece, count > 0 ? chain[0] : piece, piece, count > 1 ? chain[1] : piece};
    hawser_bytes none = {NULL, 0};
    for (int way = 0; way < 7; way++) {
        hawser_request request = good_request(chain, count);
        switch (way) {
        case 0: request.chain = &piece, request.chain_count = 1; break;
        case 1: request.chain = mixed, request.chain_count = 4; break;
        case 2: request.staple = piece; break;
        case 3: request.sct_list = piece; break;
        case 4: request.ocsp_responses = mixed, request.ocsp_response_count = 3; break;
        case 5: request.crls = mixed, request.crl_count = 2; break;
        case 6: request.host = piece.length == 0 ? none : piece; break;
        }
        judge(store, &request);
    }
    hawser_evidence evidence = {0};
    for (uint32_t kind = 0; kind < 4; kind++) {
        int32_t result = counted(
            hawser_evidence_prepare(kind, store, piece.data, piece.length, mixed, 2, &evidence, NULL));
        CHECK((result == HAWSER_OK) == (evidence.number != 0));
        if (evidence.number == 0) continue;
        hawser_request request = good_request(chain, count);
        request.prepared = &evidence;
        request.prepared_count = 1;
        judge(store, &request);
        CHECK(hawser_evidence_free(evidence) == HAWSER_OK);
        CHECK(counted(hawser_evaluate(store, &request, NULL, NULL, NULL)) == HAWSER_E_MISUSE);
    }
    hawser_store other = {0};
    hawser_store_options options = quiet;
    if (draw() % 2 == 0) options.log_list = piece;
    if (draw() % 8 == 0) options.crlite_directory = "/absent";
    if (draw() % 2 == 0) {
        options.trusted_keys = &piece;
        options.trusted_key_count = 1;
    }
    int32_t result = counted(hawser_store_open(piece.data, piece.length, &options, &other, NULL));
    CHECK((result == HAWSER_OK) == (other.number != 0));
    if (other.number != 0) read_store(other, piece);
    hawser_store_close(other);
    hawser_demands demands = {0};
    result = counted(hawser_store_demands(store, piece.data, piece.length, 443, 0, NULL, &demands, NULL));
    CHECK((result == HAWSER_OK) == (demands.number != 0));
    hawser_demands_free(demands);
}

static hawser_bytes mutated(hawser_bytes piece) {
    size_t capacity = piece.length * 2 + 16, length = piece.length;
    unsigned char *data = malloc(capacity), *exact;
    if (length > 0) memcpy(data, piece.data, length);
    for (uint64_t edits = draw() % 6 + 1; edits > 0 && length > 0; edits--) {
        size_t place = draw() % length;
        switch (draw() % 5) {
        case 0: data[place] ^= (unsigned char)(1u << draw() % 8); break;
        case 1: data[place] = (unsigned char)draw(); break;
        case 2: length = place; break;
        case 3: data[place] = draw() % 2 == 0 ? 0xFF : 0x00; break;
        case 4:
            if (length * 2 <= capacity) {
                memmove(data + length, data, length);
                length *= 2;
            }
            break;
        }
    }
    exact = malloc(length > 0 ? length : 1);
    memcpy(exact, data, length);
    free(data);
    return (hawser_bytes){exact, length};
}

/* Arguments that cannot be. Nothing here may be more than refused. */
static void arguments(hawser_store store, const hawser_bytes *chain, size_t count, hawser_bytes table) {
    static const size_t absurd[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 + 1, (size_t)1 << 40, HAWSER_LIMIT_TABLE + 1u};
    hawser_request request;
    hawser_store other;
    for (size_t place = 0; place < sizeof absurd / sizeof *absurd; place++) {
        size_t length = absurd[place];
        hawser_bytes long_piece = {"x", length};
        for (int field = 0; field < 12; field++) {
            request = good_request(chain, count);
            switch (field) {
            case 0: request.host.length = length; break;
            case 1: request.chain_count = length; break;
            case 2: request.staple = long_piece; break;
            case 3: request.sct_list = long_piece; break;
            case 4: request.ocsp_response_count = length; break;
            case 5: request.crl_count = length; break;
            case 6: request.prepared_count = length; break;
            case 7: request.assumption_count = length; break;
            case 8: request.enforced_policy = long_piece, request.tls = HAWSER_TLS_ENFORCED, request.enforced_rule = "r"; break;
            case 9: request.size = length; break;
            case 10: request.chain = &long_piece, request.chain_count = 1; break;
            case 11: request.time = (int64_t)length; break;
            }
            int32_t result = counted(hawser_evaluate(store, &request, NULL, NULL, NULL));
            CHECK(result != HAWSER_OK);
        }
        CHECK(counted(hawser_store_open("x", length, &quiet, &other, NULL)) < 0 && other.number == 0);
        CHECK(counted(hawser_store_reload(store, "x", length, NULL)) < 0);
        char small[1];
        CHECK(counted(hawser_verdict_text(VERDICT(1), 16, 0, small, length, NULL)) < 0);
        hawser_evidence evidence;
        CHECK(counted(hawser_evidence_prepare(1, STORE(0), "x", length, NULL, 0, &evidence, NULL)) < 0);
        CHECK(counted(hawser_evidence_prepare(1, STORE(0), "x", 1, chain, length, &evidence, NULL)) < 0);
    }
    /* Every number of bits in the scalars of a request. */
    for (int shift = 0; shift < 64; shift++) {
        uint64_t value = (uint64_t)1 << shift;
        for (int sign = 0; sign < 2; sign++) {
            request = good_request(chain, count);
            request.time = sign ? (int64_t)(0 - value) : (int64_t)value;
            judge(store, &request);
            request = good_request(chain, count);
            request.port = (uint32_t)(value - (uint64_t)sign);
            judge(store, &request);
            request = good_request(chain, count);
            request.tls = (uint32_t)(value - (uint64_t)sign);
            request.tls_version = (uint32_t)(value >> 1);
            judge(store, &request);
            hawser_outcome outcome;
            HAWSER_INIT(&outcome);
            CHECK(counted(hawser_evaluate(STORE(value - (uint64_t)sign), &request, &outcome, NULL, NULL)) < 0);
            CHECK(outcome.decision == HAWSER_DECISION_UNDECIDED);
            CHECK(counted(hawser_verdict_free(VERDICT(value))) < 0);
            if (value != store.number) CHECK(counted(hawser_store_close(STORE(value))) < 0);
            CHECK(counted(hawser_evidence_free(EVIDENCE(value))) < 0);
        }
    }
    /* NULL everywhere. */
    CHECK(counted(hawser_evaluate(store, NULL, NULL, NULL, NULL)) < 0);
    CHECK(counted(hawser_explain(store, &request, NULL, NULL, NULL)) < 0);
    CHECK(counted(hawser_store_open(NULL, 0, NULL, &other, NULL)) < 0);
    CHECK(counted(hawser_store_open(table.data, table.length, NULL, NULL, NULL)) < 0);
    CHECK(counted(hawser_store_open_file(NULL, NULL, &other, NULL)) < 0);
    CHECK(counted(hawser_store_snapshot(store, NULL, NULL)) < 0);
    CHECK(counted(hawser_verdict_outcome(VERDICT(1), NULL)) < 0);
    CHECK(counted(hawser_evidence_prepare(1, STORE(0), NULL, 0, NULL, 0, NULL, NULL)) < 0);
    CHECK(hawser_verdict_free(VERDICT(0)) == HAWSER_OK && hawser_store_close(STORE(0)) == HAWSER_OK
        && hawser_evidence_free(EVIDENCE(0)) == HAWSER_OK);
    /* A name without an end: exactly as large as may be read, which the sanitizer watches. */
    char *endless = malloc(HAWSER_LIMIT_NAME + 1);
    memset(endless, 'a', HAWSER_LIMIT_NAME + 1);
    request = good_request(chain, count);
    request.cipher_suite = endless;
    CHECK(counted(hawser_evaluate(store, &request, NULL, NULL, NULL)) == HAWSER_E_LIMIT);
    free(endless);
    /* Structs at every misplaced address. */
    unsigned char *crooked = malloc(sizeof request + 16);
    for (size_t offset = 1; offset < 8; offset++) {
        memcpy(crooked + offset, &request, sizeof request);
        CHECK(counted(hawser_evaluate(store, (hawser_request *)(void *)(crooked + offset), NULL, NULL, NULL)) == HAWSER_E_ARGUMENT);
    }
    free(crooked);
}

/* The functions beyond verdicts, with arguments that cannot be. */
static void later_arguments(hawser_store store) {
    static const size_t absurd[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 + 1, (size_t)1 << 40, HAWSER_LIMIT_NAME + 1};
    hawser_demands demands;
    hawser_fetcher other;
    hawser_demanded demanded;
    hawser_state numbers;
    hawser_shadow_counts counts;
    hawser_shadow_options shadow;
    hawser_fetcher_options options;
    int32_t descriptor;
    for (size_t place = 0; place < sizeof absurd / sizeof *absurd; place++) {
        size_t length = absurd[place];
        char small[1];
        CHECK(counted(hawser_store_demands(store, "x", length, 443, 0, NULL, &demands, NULL)) < 0 && demands.number == 0);
        CHECK(counted(hawser_demands_text(DEMANDS(1), 48, 0, small, length, NULL)) < 0);
        CHECK(counted(hawser_metrics(NULL, length, NULL, 0, NULL, NULL)) < 0);
        CHECK(counted(hawser_metrics(&store, 1, NULL, length, NULL, NULL)) < 0);
        HAWSER_INIT(&demanded), HAWSER_INIT(&numbers), HAWSER_INIT(&counts), HAWSER_INIT(&shadow), HAWSER_INIT(&options);
        /* A size that a later struct could have would be believed. */
        demanded.size = numbers.size = counts.size = shadow.size = options.size = length > 4096 ? length : 8;
        CHECK(counted(hawser_store_demands(store, "x", 1, 443, 0, &demanded, NULL, NULL)) < 0);
        CHECK(counted(hawser_store_state(store, &numbers, NULL)) < 0);
        CHECK(counted(hawser_store_shadow_counts(store, &counts, NULL)) < 0);
        CHECK(counted(hawser_store_shadow(store, STORE(0), &shadow, NULL)) < 0);
        CHECK(counted(hawser_fetcher_open(&options, &other, NULL)) < 0 && other.number == 0);
        for (int field = 0; field < 5; field++) {
            HAWSER_INIT(&shadow), HAWSER_INIT(&options);
            switch (field) {
            case 0: options.network_count = length; break;
            case 1: options.port_count = length; break;
            case 2: options.timeout = (int64_t)(length | ((size_t)1 << 40)); break;
            case 3: options.exchange_timeout = (int64_t)(length | ((size_t)1 << 40)); break;
            case 4: shadow.seed = (hawser_bytes){"x", length}; break;
            }
            int32_t result = field == 4 ? hawser_store_shadow(store, store, &shadow, NULL)
                                        : hawser_fetcher_open(&options, &other, NULL);
            CHECK(counted(result) < 0);
        }
    }
    hawser_request request = good_request(NULL, 0);
    for (int shift = 0; shift < 64; shift++)
        for (uint64_t sign = 0; sign < 2; sign++) {
            uint64_t value = ((uint64_t)1 << shift) - sign;
            if (value == store.number || value == fetcher.number) continue;
            hawser_store none = STORE(value);
            HAWSER_INIT(&demanded), HAWSER_INIT(&numbers), HAWSER_INIT(&counts);
            CHECK(counted(hawser_store_demands(none, "x", 1, 443, 0, &demanded, &demands, NULL)) == HAWSER_E_MISUSE);
            CHECK(counted(hawser_store_state(none, &numbers, NULL)) == HAWSER_E_MISUSE);
            CHECK(counted(hawser_store_epoch_descriptor(none, &descriptor, NULL)) == HAWSER_E_MISUSE && descriptor == -1);
            CHECK(counted(hawser_store_shadow(none, store, NULL, NULL)) == HAWSER_E_MISUSE);
            CHECK(counted(hawser_store_shadow_counts(none, &counts, NULL)) == HAWSER_E_MISUSE);
            CHECK(counted(hawser_metrics(&none, 1, NULL, 0, NULL, NULL)) == HAWSER_E_MISUSE);
            CHECK(counted(hawser_demands_text(DEMANDS(value), 48, 0, NULL, 0, NULL)) == HAWSER_E_MISUSE);
            CHECK(counted(hawser_evaluate_fetching(store, FETCHER(value), &request, NULL, NULL, NULL)) == HAWSER_E_MISUSE);
            CHECK(counted(hawser_fetcher_prefetch(FETCHER(value), 1, NULL, NULL, NULL)) == HAWSER_E_MISUSE);
            if (value != 0) {
                CHECK(counted(hawser_store_shadow(store, none, NULL, NULL)) == HAWSER_E_MISUSE);
                CHECK(counted(hawser_demands_free(DEMANDS(value))) == HAWSER_E_MISUSE);
                CHECK(counted(hawser_fetcher_close(FETCHER(value))) == HAWSER_E_MISUSE);
            }
            int64_t time = (int64_t)value;
            counted(hawser_store_demands(store, "x", 1, (uint32_t)value, time, &demanded, NULL, NULL));
            HAWSER_INIT(&shadow), HAWSER_INIT(&options);
            shadow.level = (uint32_t)value, options.flags = (uint32_t)value;
            counted(hawser_store_shadow(store, STORE(0), &shadow, NULL));
            if (counted(hawser_fetcher_open(&options, &other, NULL)) == HAWSER_OK) hawser_fetcher_close(other);
        }
    CHECK(counted(hawser_store_demands(store, NULL, 0, 443, 0, NULL, NULL, NULL)) == HAWSER_E_ARGUMENT);
    CHECK(counted(hawser_store_demands(store, NULL, 3, 443, 0, NULL, NULL, NULL)) == HAWSER_E_ARGUMENT);
    CHECK(counted(hawser_store_state(store, NULL, NULL)) == HAWSER_E_ARGUMENT);
    CHECK(counted(hawser_store_epoch_descriptor(store, NULL, NULL)) == HAWSER_E_ARGUMENT);
    CHECK(counted(hawser_store_shadow(store, store, NULL, NULL)) == HAWSER_E_ARGUMENT);
    CHECK(counted(hawser_store_shadow_counts(store, NULL, NULL)) == HAWSER_E_ARGUMENT);
    CHECK(counted(hawser_fetcher_open(NULL, NULL, NULL)) == HAWSER_E_ARGUMENT);
    CHECK(counted(hawser_explain_fetching(store, fetcher, &request, NULL, NULL, NULL)) == HAWSER_E_ARGUMENT);
    CHECK(counted(hawser_evaluate_fetching(store, fetcher, NULL, NULL, NULL, NULL)) == HAWSER_E_ARGUMENT);
    CHECK(hawser_demands_free(DEMANDS(0)) == HAWSER_OK && hawser_fetcher_close(FETCHER(0)) == HAWSER_OK);
    /* Names without an end: exactly as large as may be read. */
    char *endless = malloc(HAWSER_LIMIT_PATH + 1);
    memset(endless, 'a', HAWSER_LIMIT_PATH + 1);
    HAWSER_INIT(&options);
    options.folder = endless;
    CHECK(counted(hawser_fetcher_open(&options, &other, NULL)) == HAWSER_E_LIMIT);
    const char *network = endless + HAWSER_LIMIT_PATH - HAWSER_LIMIT_NAME;
    HAWSER_INIT(&options);
    options.networks = &network, options.network_count = 1;
    CHECK(counted(hawser_fetcher_open(&options, &other, NULL)) == HAWSER_E_LIMIT);
    free(endless);
    uint32_t port = 65536;
    HAWSER_INIT(&options);
    options.ports = &port, options.port_count = 1;
    CHECK(counted(hawser_fetcher_open(&options, &other, NULL)) == HAWSER_E_ARGUMENT);
    int32_t descriptors[HAWSER_LIMIT_DESCRIPTORS + 1];
    for (int place = 0; place <= HAWSER_LIMIT_DESCRIPTORS; place++) {
        int32_t result = counted(hawser_store_epoch_descriptor(store, &descriptors[place], NULL));
        CHECK(result == (place < HAWSER_LIMIT_DESCRIPTORS ? HAWSER_OK : HAWSER_E_LIMIT));
    }
    for (int place = 0; place < HAWSER_LIMIT_DESCRIPTORS; place++) close(descriptors[place]);
}

/* -------------------------------------------------------------------------------------- threads */

static void told(void *context, const char *kind, const char *json) {
    CHECK(context == (void *)told && strlen(kind) > 0 && json[0] == '{');
}

/* Waits in a loop of its own until the store is closed. */
static void *wait_for_end(void *argument) {
    struct pollfd entry = {(int)(intptr_t)argument, POLLIN, 0};
    char octets[8];
    ssize_t count;
    do {
        CHECK(poll(&entry, 1, 60000) == 1);
        count = read(entry.fd, octets, sizeof octets);
    } while (count != 0);
    close(entry.fd);
    return NULL;
}

/* A store that is closed while threads wait for its epochs. */
static void close_while_waiting(hawser_bytes table) {
    for (int round = 0; round < 20; round++) {
        hawser_store store;
        CHECK(hawser_store_open(table.data, table.length, &quiet, &store, NULL) == HAWSER_OK);
        pthread_t threads[4];
        for (int place = 0; place < 4; place++) {
            int32_t descriptor;
            CHECK(hawser_store_epoch_descriptor(store, &descriptor, NULL) == HAWSER_OK);
            CHECK(pthread_create(&threads[place], NULL, wait_for_end, (void *)(intptr_t)descriptor) == 0);
        }
        CHECK(hawser_store_close(store) == HAWSER_OK);
        for (int place = 0; place < 4; place++) CHECK(pthread_join(threads[place], NULL) == 0);
    }
}

static struct {
    hawser_bytes table, chain[4];
    size_t count;
    /* What all threads use and any thread frees: read and written without order on
     * purpose, as numbers. */
    _Atomic hawser_store stores[4];
    _Atomic hawser_verdict verdicts[8];
    _Atomic hawser_evidence evidence[4];
    _Atomic hawser_demands demands[4];
    _Atomic hawser_fetcher fetchers[2];
    hawser_bytes list;
} shared;

static void *misuse(void *argument) {
    uint64_t seed = (uint64_t)(uintptr_t)argument * 0x9E3779B97F4A7C15u + 1, ok = 0;
    for (int round = 0; round < 1500; round++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t what = seed >> 33;
        _Atomic hawser_store *store = &shared.stores[what % 4];
        _Atomic hawser_verdict *verdict = &shared.verdicts[what / 4 % 8];
        _Atomic hawser_evidence *evidence = &shared.evidence[what / 32 % 4];
        hawser_request request = good_request(shared.chain, shared.count);
        hawser_evidence prepared = *evidence;
        hawser_verdict judged = {0};
        int32_t result;
        char text[64];
        switch (what / 128 % 10) {
        case 0:
            {
                hawser_store made;
                if (hawser_store_open(shared.table.data, shared.table.length, &quiet, &made, NULL) == HAWSER_OK)
                    hawser_store_close(atomic_exchange(store, made));
            }
            break;
        case 1: hawser_store_close(*store); break;
        case 2: hawser_store_reload(*store, shared.table.data, shared.table.length / (1 + what % 2), NULL); break;
        case 3:
            {
                hawser_evidence made;
                if (hawser_evidence_prepare(1, *store, shared.list.data, shared.list.length, NULL, 0, &made, NULL)
                    == HAWSER_OK)
                    hawser_evidence_free(atomic_exchange(evidence, made));
            }
            break;
        case 4: hawser_verdict_free(*verdict); break;
        case 5: hawser_verdict_text(*verdict, 16 + (uint32_t)(what % 20), 0, text, sizeof text, NULL); break;
        case 6: {
            _Atomic hawser_demands *demands = &shared.demands[what / 2048 % 4];
            _Atomic hawser_fetcher *fetching = &shared.fetchers[what / 2048 % 2];
            hawser_demands demanded;
            hawser_fetcher opened;
            int32_t descriptor = -1;
            hawser_shadow_options shadow;
            HAWSER_INIT(&shadow);
            shadow.function = told, shadow.context = (void *)told;
            switch (what / 8192 % 8) {
            case 0:
                if (hawser_store_demands(*store, "www.site.example", 16, 443, 0, NULL, &demanded, NULL) == HAWSER_OK)
                    hawser_demands_free(atomic_exchange(demands, demanded));
                break;
            case 1: hawser_demands_text(*demands, 48 + (uint32_t)(what % 7), 0, text, sizeof text, NULL); break;
            case 2: hawser_demands_free(*demands); break;
            case 3: hawser_metrics((hawser_store[]){*store, shared.stores[0]}, 2, text, sizeof text, NULL, NULL); break;
            case 4:
                if (hawser_store_epoch_descriptor(*store, &descriptor, NULL) == HAWSER_OK) close(descriptor);
                break;
            case 5: hawser_store_shadow(*store, shared.stores[what / 65536 % 4], &shadow, NULL); break;
            case 6: hawser_store_shadow(*store, STORE(0), NULL, NULL); break;
            case 7:
                if (hawser_fetcher_open(NULL, &opened, NULL) == HAWSER_OK)
                    hawser_fetcher_close(atomic_exchange(fetching, opened));
                break;
            }
            break;
        }
        case 7:
            result = hawser_evaluate_fetching(*store, shared.fetchers[what / 2048 % 2], &request, NULL, NULL, NULL);
            CHECK(result == HAWSER_OK || result == HAWSER_E_MISUSE);
            break;
        default:
            if (what % 3 == 0) request.prepared = &prepared, request.prepared_count = 1;
            result = (what % 7 == 0 ? hawser_explain : hawser_evaluate)(*store, &request, NULL, &judged, NULL);
            CHECK(result == HAWSER_OK || result == HAWSER_E_MISUSE);
            if (result == HAWSER_OK) {
                ok++;
                hawser_verdict_free(atomic_exchange(verdict, judged));
            }
        }
    }
    return (void *)(uintptr_t)ok;
}

int main(int argc, char **argv) {
    CHECK(argc > 4);
    hawser_bytes table = read_file(argv[1]);
    unsigned long rounds = strtoul(argv[2], NULL, 10);
    state = strtoull(argv[3], NULL, 10);
    printf("seed %s, %lu rounds, %d files\n", argv[3], rounds, argc - 4);
    hawser_store store;
    CHECK(hawser_store_open(table.data, table.length, &quiet, &store, NULL) == HAWSER_OK);

    /* The first two files are the chain that the table accepts, the third a CRL. */
    CHECK(argc > 6);
    hawser_bytes chain[2] = {read_file(argv[4]), read_file(argv[5])}, list = read_file(argv[6]);
    hawser_request request = good_request(chain, 2);
    CHECK(hawser_evaluate(store, &request, NULL, NULL, NULL) == HAWSER_OK);
    CHECK(hawser_fetcher_open(NULL, &fetcher, NULL) == HAWSER_OK);
    read_store(store, request.host);
    arguments(store, chain, 2, table);
    later_arguments(store);
    close_while_waiting(table);

    for (int place = 4; place < argc; place++) {
        hawser_bytes piece = read_file(argv[place]);
        everywhere(store, piece, chain, 2);
        for (unsigned long round = 0; round < rounds; round++) {
            hawser_bytes other = mutated(piece);
            everywhere(store, other, chain, 2);
            free((void *)other.data);
        }
        free((void *)piece.data);
    }
    printf("%lu calls: %lu ok, %lu rejected, %lu refused\n", calls, accepted, rejected, refused);
    CHECK(accepted > 0 && rejected > 0 && refused > 0);

    shared.table = table;
    shared.chain[0] = chain[0], shared.chain[1] = chain[1];
    shared.count = 2;
    shared.list = list;
    pthread_t threads[8];
    uintptr_t judged = 0;
    /* As little as the documentation says is enough; the sanitizer takes several times as much. */
    pthread_attr_t little;
    CHECK(pthread_attr_init(&little) == 0 && pthread_attr_setstacksize(&little, STACK) == 0);
    for (uintptr_t place = 0; place < 8; place++)
        CHECK(pthread_create(&threads[place], &little, misuse, (void *)(place + 1)) == 0);
    for (int place = 0; place < 8; place++) {
        void *ok;
        CHECK(pthread_join(threads[place], &ok) == 0);
        judged += (uintptr_t)ok;
    }
    CHECK(judged > 0);
    for (int place = 0; place < 4; place++) hawser_store_close(shared.stores[place]), hawser_evidence_free(shared.evidence[place]);
    for (int place = 0; place < 8; place++) hawser_verdict_free(shared.verdicts[place]);
    for (int place = 0; place < 4; place++) hawser_demands_free(shared.demands[place]);
    for (int place = 0; place < 2; place++) hawser_fetcher_close(shared.fetchers[place]);
    CHECK(hawser_evaluate(store, &request, NULL, NULL, NULL) == HAWSER_OK);
    printf("8 threads misused one another's objects: %lu verdicts, none wrong\n", (unsigned long)judged);
    hawser_fetcher_close(fetcher);
    hawser_store_close(store);
    free((void *)chain[0].data), free((void *)chain[1].data), free((void *)list.data), free((void *)table.data);
    return 0;
}
