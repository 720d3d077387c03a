/* A program that is compiled against hawser_openssl.h as it is, linked with a hawser_openssl whose
 * structs have a field more (c-abi.sh makes that one): what the program does not have is neither
 * asked of it nor written to it.
 *
 *     versions TABLE
 */
#include <hawser_openssl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEHIND = 32 };

static void need(int condition, const char *what, const char *found) {
    if (condition) return;
    fprintf(stderr, "FAILED: %s: %s\n", what, found);
    exit(1);
}

/* A struct of today's size with octets behind it that are the program's. */
static void *framed(size_t size) {
    unsigned char *frame = malloc(size + BEHIND);
    need(frame != NULL, "memory", "none");
    memset(frame, 0, size);
    memset(frame + size, 0xA5, BEHIND);
    memcpy(frame, &size, sizeof size);
    return frame;
}

static void need_untouched(const void *frame, size_t size, const char *what) {
    for (size_t place = size; place < size + BEHIND; place++)
        need(((const unsigned char *)frame)[place] == 0xA5, what, "the octets behind it were written");
}

int main(int count, char **arguments) {
    need(count == 2, "arguments", "TABLE");
    hawser_store store;
    need(hawser_store_open_file(arguments[1], NULL, &store, NULL) == HAWSER_OK, arguments[1], "not opened");
    hawser_openssl_options *options = framed(sizeof *options);
    hawser_error *error = framed(sizeof *error);

    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    int32_t result = hawser_openssl_attach(context, store, options, error);
    need(result == HAWSER_OK, "options of an older program", error->reason);
    need(error->size == sizeof *error && error->result == HAWSER_OK, "error of an older program", "not filled");
    result = hawser_openssl_attach(context, store, options, error);
    need(result == HAWSER_E_ARGUMENT, "attached twice", "accepted");
    need(strcmp(error->reason, "attached-twice") == 0, "attached twice", error->reason);
    SSL_CTX_free(context);

    const size_t sizes[] = {0, 8, sizeof *options - 1, sizeof *options + 1, (size_t)-1};
    for (size_t place = 0; place < sizeof sizes / sizeof *sizes; place++) {
        context = SSL_CTX_new(TLS_client_method());
        options->size = sizes[place];
        result = hawser_openssl_attach(context, store, options, error);
        need(result == HAWSER_E_ARGUMENT, "a size that no version has", "accepted");
        need(strcmp(error->reason, "struct-size") == 0, "a size that no version has", error->reason);
        SSL_CTX_free(context);
    }

    /* A later program's: a field that the library does not have, asked for and not. */
    hawser_openssl_options *later = calloc(1, sizeof *later + 64);
    later->size = sizeof *later + 64;
    for (int asks = 0; asks < 2; asks++) {
        context = SSL_CTX_new(TLS_client_method());
        ((unsigned char *)later)[sizeof *later + 60] = (unsigned char)asks;
        result = hawser_openssl_attach(context, store, later, error);
        need(result == (asks ? HAWSER_E_ARGUMENT : HAWSER_OK), "options of a later program", error->reason);
        need(!asks || strcmp(error->reason, "struct-newer") == 0, "options of a later program", error->reason);
        SSL_CTX_free(context);
    }
    need_untouched(options, sizeof *options, "options");
    need_untouched(error, sizeof *error, "error");
    free(later), free(options), free(error);
    hawser_store_close(store);
    puts("ok  structs of another version than the library's");
    return 0;
}
