/* Verdicts a second through the C interface: what verdict-benchmark does through the library,
 * with the same arguments after HANDLES, which is 1 to ask for a verdict's number (and free
 * it) each time.
 *
 *     verdicts HANDLES TABLE HOST TIME COUNT THREADS CERTIFICATE.der...
 */
#include <hawser.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static hawser_store store;
static hawser_request request;
static int32_t first;
static long count;
static int takes_handles;

static void *work(void *argument) {
    (void)argument;
    for (long round = 0; round < count; round++) {
        hawser_verdict verdict = {0};
        if (hawser_evaluate(store, &request, NULL, takes_handles ? &verdict : NULL, NULL) != first) return &first;
        if (verdict.number != 0) hawser_verdict_free(verdict);
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc < 8) return 2;
    takes_handles = atoi(argv[1]);
    count = atol(argv[5]);
    int threads = atoi(argv[6]);
    if (threads < 1 || threads > 64 || argc - 7 > 16) return 2;
    hawser_error error;
    HAWSER_INIT(&error);
    if (hawser_store_open_file(argv[2], NULL, &store, &error) != HAWSER_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    hawser_bytes chain[16];
    for (int place = 7; place < argc; place++) {
        FILE *file = fopen(argv[place], "rb");
        unsigned char *data = malloc(1 << 16);
        if (file == NULL || data == NULL) return 1;
        chain[place - 7] = (hawser_bytes){data, fread(data, 1, 1 << 16, file)};
        fclose(file);
    }
    HAWSER_INIT(&request);
    request.host = (hawser_bytes){argv[3], strlen(argv[3])};
    request.port = 443;
    request.time = atoll(argv[4]);
    request.chain = chain;
    request.chain_count = (size_t)(argc - 7);
    request.tls = HAWSER_TLS_OBSERVED;
    request.tls_version = 0x0304;
    first = hawser_evaluate(store, &request, NULL, NULL, &error);
    if (first < 0) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    struct timespec begin, end;
    pthread_t running[64];
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int place = 0; place < threads; place++) pthread_create(&running[place], NULL, work, NULL);
    for (int place = 0; place < threads; place++) {
        void *differs;
        pthread_join(running[place], &differs);
        if (differs != NULL) return 1;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    printf("%.0f\n", (double)count * threads / seconds);
    hawser_store_close(store);
    return 0;
}
