/* What a verdict is measured beside: OpenSSL's own verification, and the work that no verdict can
 * do without, on the same libcrypto. Everything is for one thread at a time. */
#ifndef HWPEERS_H
#define HWPEERS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *octets;
    size_t count;
} hwpeers_bytes;

/* A store of trusted roots, parsed once. */
typedef struct hwpeers_store hwpeers_store;

/* NULL where a root does not parse. */
hwpeers_store *hwpeers_store_new(const hwpeers_bytes *roots, size_t count);
void hwpeers_store_free(hwpeers_store *store);

/* X509_verify_cert for a server of a host, judged at a time in seconds since 1970. Parses each
 * certificate sent, and frees the parsed forms. 1 for an accept, 0 for a reject, -1 without
 * memory. */
int hwpeers_verify(hwpeers_store *store, const hwpeers_bytes *chain, size_t count, const char *host, int64_t time);

/* The signatures of a path and the keys that they verify under. */
typedef struct hwpeers_path hwpeers_path;

/* Finds the path of a chain that was sent to one of `roots`, by names and by whether signatures
 * verify; NULL where there is none. */
hwpeers_path *hwpeers_path_new(const hwpeers_bytes *chain, size_t count, const hwpeers_bytes *roots, size_t root_count);
void hwpeers_path_free(hwpeers_path *path);

/* How many signatures the path has: as many as certificates below the anchor. */
size_t hwpeers_path_signatures(const hwpeers_path *path);

/* Verifies the first `count` signatures, the leaf's first, under keys that are prepared. 1 where
 * each verifies. */
int hwpeers_path_verify(hwpeers_path *path, size_t count);

/* Prepares the keys of the first `count` signatures from their numbers, uses each for its signature
 * and frees it, and verifies the others under keys that are prepared. 1 where each verifies. */
int hwpeers_path_verify_importing(hwpeers_path *path, size_t count);

/* SHA-256 of each certificate; a value that depends on all of them, so that no compiler leaves one
 * out. */
unsigned hwpeers_sha256(const hwpeers_bytes *chain, size_t count);

/* Goes over every element of each certificate once, and looks for the host among the names of the
 * first. A value that depends on all of them. */
unsigned hwpeers_walk(const hwpeers_bytes *chain, size_t count, const char *host);

/* CPU time of the process in nanoseconds. */
int64_t hwpeers_cpu_time(void);

#endif
