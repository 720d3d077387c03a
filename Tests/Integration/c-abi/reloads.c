/* The memory of a service that goes on being given policies: resident octets after 1,000 reloads
 * beside those after 100.
 *
 *     reloads TABLE OTHER-TABLE HOST AT CERTIFICATE...
 *
 * Both tables accept the chain (DER, end entity first) for HOST at AT, in seconds since 1970.
 * Each reload is followed by verdicts. Prints both figures in KiB and their ratio, and fails above
 * 1.05.
 */
#define _GNU_SOURCE
#include <hawser.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void need(int condition, const char *what, const char *found) {
    if (condition) return;
    fprintf(stderr, "FAILED: %s: %s\n", what, found);
    exit(1);
}

static hawser_bytes read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    need(file != NULL && fseek(file, 0, SEEK_END) == 0, path, "not there");
    long length = ftell(file);
    rewind(file);
    unsigned char *data = malloc((size_t)length + 1);
    need(data != NULL && fread(data, 1, (size_t)length, file) == (size_t)length, path, "not read");
    fclose(file);
    return (hawser_bytes){data, (size_t)length};
}

/* Resident memory in KiB, from /proc/self/statm. */
static long resident(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    need(file != NULL && fscanf(file, "%*d %ld", &pages) == 1, "/proc/self/statm", "not read");
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int count, char **arguments) {
    need(count > 5 && count <= 13, "usage", "reloads TABLE OTHER-TABLE HOST AT CERTIFICATE...");
    hawser_bytes tables[2] = {read_file(arguments[1]), read_file(arguments[2])}, chain[8];
    hawser_request request;
    HAWSER_INIT(&request);
    request.host = (hawser_bytes){arguments[3], strlen(arguments[3])};
    request.port = 443;
    request.time = atoll(arguments[4]);
    request.tls = HAWSER_TLS_ASSUMED;
    request.tls_version = 0x0304;
    request.chain = chain;
    for (int index = 5; index < count; index++) chain[request.chain_count++] = read_file(arguments[index]);
    hawser_error error;
    HAWSER_INIT(&error);
    hawser_store store;
    need(hawser_store_open(tables[0].data, tables[0].length, NULL, &store, &error) == HAWSER_OK, "open", error.message);
    long after_hundred = 0;
    for (int reload = 1; reload <= 1000; reload++) {
        hawser_bytes table = tables[reload % 2];
        need(hawser_store_reload(store, table.data, table.length, &error) == HAWSER_OK, "reload", error.message);
        for (int verdict = 0; verdict < 5; verdict++)
            need(hawser_evaluate(store, &request, NULL, NULL, &error) == HAWSER_OK, "a verdict", error.message);
        if (reload == 100) after_hundred = resident();
    }
    long after_thousand = resident();
    hawser_snapshot snapshot;
    HAWSER_INIT(&snapshot);
    need(hawser_store_snapshot(store, &snapshot, &error) == HAWSER_OK, "snapshot", error.message);
    need(snapshot.epoch == 1001, "the epoch", "the tables say the same");
    need(hawser_store_close(store) == HAWSER_OK, "close", "refused");
    double ratio = (double)after_thousand / (double)after_hundred;
    printf("%ld KiB after 100 reloads, %ld KiB after 1,000: %.3f\n", after_hundred, after_thousand, ratio);
    return ratio <= 1.05 ? 0 : 1;
}
