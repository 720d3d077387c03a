/* Threads that judge, replace tables, follow a file, close and open, with callbacks, all at once.
 * Built with the thread sanitizer, as the library must be then: see c-abi-soak.sh.
 *
 *     soak SECONDS FOLDER TABLE OTHER-TABLE STRICTER-TABLE HOST AT CERTIFICATE...
 *
 * AT is in seconds since 1970, the certificates are DER, end entity first. The first two tables
 * accept the chain for HOST, the third one refuses it. Files are written in FOLDER.
 */
#define _GNU_SOURCE
#include <hawser.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { most = 8 };

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            _exit(1); \
        } \
    } while (0)

static hawser_bytes tables[3], chain[most];
static const char *host, *folder;
static size_t chain_count;
static int64_t at;
static time_t end;
static hawser_store shared;
static atomic_ulong verdicts, reloads, stores, lines, closes_in_callbacks, epochs_told, disagreements;

static int is_over(void) { return time(NULL) >= end; }

static hawser_bytes read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
    long length = ftell(file);
    rewind(file);
    unsigned char *data = malloc((size_t)length + 1);
    CHECK(data != NULL && fread(data, 1, (size_t)length, file) == (size_t)length);
    fclose(file);
    return (hawser_bytes){data, (size_t)length};
}

static hawser_request asked(void) {
    hawser_request request;
    HAWSER_INIT(&request);
    request.host = (hawser_bytes){host, strlen(host)};
    request.port = 443;
    request.time = at;
    request.chain = chain;
    request.chain_count = chain_count;
    request.tls = HAWSER_TLS_ASSUMED;
    request.tls_version = 0x0304;
    return request;
}

/* What a health page and a TLS configuration ask of the shared store. */
static void look(void) {
    hawser_state state;
    HAWSER_INIT(&state);
    CHECK(hawser_store_state(shared, &state, NULL) == HAWSER_OK && state.installed > 0);
    hawser_demanded numbers;
    HAWSER_INIT(&numbers);
    hawser_demands demands = {0};
    CHECK(hawser_store_demands(shared, host, strlen(host), 443, at, &numbers, &demands, NULL) == HAWSER_OK);
    char text[8192];
    CHECK(hawser_demands_text(demands, HAWSER_TEXT_DEMANDED_RULE, 0, text, sizeof text, NULL) == HAWSER_OK);
    CHECK(hawser_demands_free(demands) == HAWSER_OK);
    int32_t said = hawser_metrics(&shared, 1, text, sizeof text, NULL, NULL);
    CHECK(said == HAWSER_OK || said == HAWSER_E_SMALL);
    hawser_shadow_counts counts;
    HAWSER_INIT(&counts);
    said = hawser_store_shadow_counts(shared, &counts, NULL);
    CHECK(said == HAWSER_OK || said == HAWSER_E_RANGE);
}

/* Judges by the shared store, whose tables all accept. */
static void *judging(void *argument) {
    (void)argument;
    hawser_request request = asked();
    for (unsigned round = 0; !is_over(); round++) {
        hawser_outcome outcome;
        HAWSER_INIT(&outcome);
        hawser_error error;
        HAWSER_INIT(&error);
        hawser_verdict verdict = {0};
        int32_t result = (round % 8 == 0 ? hawser_explain : hawser_evaluate)(shared, &request, &outcome, &verdict, &error);
        CHECK(result == HAWSER_OK && outcome.path_count > 0);
        char text[256];
        int32_t said = hawser_verdict_text(verdict, HAWSER_TEXT_PATH_SUBJECT, 0, text, sizeof text, NULL);
        CHECK(said == HAWSER_OK && text[0] != 0);
        CHECK(hawser_verdict_free(verdict) == HAWSER_OK);
        CHECK(hawser_store_holds(shared, outcome.epoch, host, strlen(host), 443, at, NULL) == HAWSER_OK);
        if (round % 8 == 0) look();
        atomic_fetch_add(&verdicts, 1);
    }
    return NULL;
}

static void disagreed(void *context, const char *kind, const char *json) {
    CHECK(atomic_load((atomic_int *)context) == 0);
    CHECK(strcmp(kind, "stricter") == 0 && strlen(json) > 0);
    atomic_fetch_add(&disagreements, 1);
}

/* Lets the refusing table judge beside the shared store, and stops that again. */
static void compare_for_a_while(void) {
    hawser_store candidate;
    CHECK(hawser_store_open(tables[2].data, tables[2].length, NULL, &candidate, NULL) == HAWSER_OK);
    atomic_int has_ended = 0;
    hawser_shadow_options options;
    HAWSER_INIT(&options);
    options.per_minute = 100000;
    options.function = disagreed;
    options.context = &has_ended;
    CHECK(hawser_store_shadow(shared, candidate, &options, NULL) == HAWSER_OK);
    hawser_request request = asked();
    CHECK(hawser_evaluate(shared, &request, NULL, NULL, NULL) == HAWSER_OK);
    CHECK(hawser_store_shadow(shared, (hawser_store){0}, NULL, NULL) == HAWSER_OK);
    atomic_store(&has_ended, 1);
    CHECK(hawser_store_close(candidate) == HAWSER_OK);
}

/* Replaces the table of the shared store, and looks at it. */
static void *reloading(void *argument) {
    (void)argument;
    uint64_t epoch = 0;
    int32_t descriptor;
    CHECK(hawser_store_epoch_descriptor(shared, &descriptor, NULL) == HAWSER_OK);
    for (unsigned round = 0; !is_over(); round++) {
        if (round % 16 == 0) compare_for_a_while();
        hawser_error error;
        HAWSER_INIT(&error);
        CHECK(hawser_store_reload(shared, tables[round % 2].data, tables[round % 2].length, &error) == HAWSER_OK);
        CHECK(hawser_store_reload(shared, tables[2].data, tables[2].length / 2, &error) == HAWSER_E_TABLE);
        CHECK(hawser_store_confirm(shared, &error) == HAWSER_OK);
        hawser_snapshot snapshot;
        HAWSER_INIT(&snapshot);
        CHECK(hawser_store_snapshot(shared, &snapshot, &error) == HAWSER_OK);
        CHECK(snapshot.epoch >= epoch);
        epoch = snapshot.epoch;
        char text[256];
        hawser_store_text(shared, HAWSER_TEXT_REFUSAL_MESSAGE, 0, text, sizeof text, NULL);
        for (char told[16]; read(descriptor, told, sizeof told) > 0;) atomic_fetch_add(&epochs_told, 1);
        atomic_fetch_add(&reloads, 1);
        usleep(2000);
    }
    close(descriptor);
    return NULL;
}

/* What a store of `opening` gives to its callback. */
struct listener {
    _Atomic hawser_store store;
    atomic_int is_closed, closes_itself;
};

static void heard(void *context, int32_t level, const char *message) {
    struct listener *listener = context;
    (void)level;
    CHECK(strlen(message) > 0);
    CHECK(!atomic_load(&listener->is_closed));
    atomic_fetch_add(&lines, 1);
    hawser_store store = atomic_load(&listener->store);
    if (store.number != 0 && atomic_exchange(&listener->closes_itself, 0)) {
        CHECK(hawser_store_close(store) == HAWSER_OK);
        atomic_fetch_add(&closes_in_callbacks, 1);
    }
}

static int32_t check(void *context, const hawser_check_subject *subject, char *reason, size_t capacity) {
    (void)context, (void)reason, (void)capacity;
    return subject->path_count > 0;
}

static void write_file(const char *path, const char *beside, hawser_bytes octets) {
    FILE *file = fopen(beside, "wb");
    CHECK(file != NULL && fwrite(octets.data, 1, octets.length, file) == octets.length && fclose(file) == 0);
    CHECK(rename(beside, path) == 0);
}

/* Stores that follow a file while it is replaced, and are closed, each third by its callback. */
static void open_and_close(int number, unsigned rounds) {
    char path[512], beside[512];
    snprintf(path, sizeof path, "%s/table-%d", folder, number);
    snprintf(beside, sizeof beside, "%s/beside-%d", folder, number);
    hawser_request request = asked();
    for (unsigned round = 0; round < rounds && !is_over(); round++) {
        write_file(path, beside, tables[0]);
        struct listener *listener = calloc(1, sizeof *listener);
        hawser_check checks[] = {{"soak", check, NULL}};
        hawser_store_options options;
        HAWSER_INIT(&options);
        options.follow = round % 2 == 0 ? HAWSER_FOLLOW_NOTIFIED : HAWSER_FOLLOW_POLLED;
        options.log = heard;
        options.log_context = listener;
        options.checks = checks;
        options.check_count = 1;
        hawser_error error;
        HAWSER_INIT(&error);
        hawser_store store;
        CHECK(hawser_store_open_file(path, &options, &store, &error) == HAWSER_OK);
        atomic_store(&listener->store, store);
        int closes_itself = round % 3 == 0;
        atomic_store(&listener->closes_itself, closes_itself);
        CHECK(hawser_evaluate(store, &request, NULL, NULL, &error) == HAWSER_OK || closes_itself);
        for (int replaced = 1; replaced < 4; replaced++) {
            write_file(path, beside, tables[replaced % 3]);
            /* Half of the tables are noticed by the watch, half read now. */
            if (replaced % 2 == 0) usleep(5000);
            else hawser_store_reload_file(store, &error);
            hawser_evaluate(store, &request, NULL, NULL, &error);
        }
        int32_t closed = hawser_store_close(store);
        CHECK(closed == HAWSER_OK || (closes_itself && closed == HAWSER_E_MISUSE));
        CHECK(hawser_evaluate(store, &request, NULL, NULL, &error) == HAWSER_E_MISUSE);
        /* A store that its callback closed may have callbacks that still come to their end. */
        if (!closes_itself) {
            atomic_store(&listener->is_closed, 1);
            free(listener);
        }
        atomic_fetch_add(&stores, 1);
    }
}

static void *opening(void *argument) {
    open_and_close((int)(intptr_t)argument, -1u);
    return NULL;
}

/* Everything once on one thread. Constants of the library are made at their first use, behind a
 * lock of the Swift runtime that the sanitizer does not see. */
static void warm_up(void) {
    hawser_request request = asked();
    hawser_store refusing;
    CHECK(hawser_store_open(tables[2].data, tables[2].length, NULL, &refusing, NULL) == HAWSER_OK);
    for (int round = 0; round < 2; round++) {
        hawser_store store = round == 0 ? refusing : shared;
        hawser_verdict verdict = {0};
        CHECK(hawser_explain(store, &request, NULL, &verdict, NULL) == (round == 0 ? HAWSER_REJECT : HAWSER_OK));
        char text[256];
        for (uint32_t which = HAWSER_TEXT_VIOLATION; which <= HAWSER_TEXT_EXPLANATION; which++)
            hawser_verdict_text(verdict, which, 0, text, sizeof text, NULL);
        hawser_verdict_free(verdict);
        CHECK(hawser_store_reload(shared, tables[1 - round].data, tables[1 - round].length, NULL) == HAWSER_OK);
        CHECK(hawser_store_holds(shared, 1, host, strlen(host), 443, at, NULL) == HAWSER_OK);
    }
    CHECK(hawser_store_close(refusing) == HAWSER_OK);
    look();
    compare_for_a_while();
    open_and_close(0, 6);
}

int main(int count, char **arguments) {
    CHECK(count > 8 && count - 8 <= most);
    end = time(NULL) + atoll(arguments[1]);
    folder = arguments[2];
    for (int index = 0; index < 3; index++) tables[index] = read_file(arguments[3 + index]);
    host = arguments[6];
    at = atoll(arguments[7]);
    for (int index = 8; index < count; index++) chain[chain_count++] = read_file(arguments[index]);
    hawser_error error;
    HAWSER_INIT(&error);
    CHECK(hawser_store_open(tables[0].data, tables[0].length, NULL, &shared, &error) == HAWSER_OK);
    warm_up();
    pthread_t threads[6];
    pthread_create(&threads[0], NULL, judging, NULL);
    pthread_create(&threads[1], NULL, judging, NULL);
    pthread_create(&threads[2], NULL, reloading, NULL);
    for (intptr_t number = 0; number < 3; number++) pthread_create(&threads[3 + number], NULL, opening, (void *)number);
    for (int index = 0; index < 6; index++) pthread_join(threads[index], NULL);
    CHECK(hawser_store_close(shared) == HAWSER_OK);
    printf(
        "%lu verdicts, %lu disagreements with a shadow, %lu reloads, %lu of them read from a descriptor, %lu stores "
        "opened and closed, %lu of them by their callback, %lu lines of log\n",
        verdicts, disagreements, reloads, epochs_told, stores, closes_in_callbacks, lines);
    CHECK(verdicts > 0 && reloads > 0 && stores > 0 && lines > 0 && disagreements > 0 && epochs_told > 0);
    return 0;
}
