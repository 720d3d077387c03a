#ifndef HWFLAT_H
#define HWFLAT_H

#include <stddef.h>
#include <stdint.h>

/* The bare table that our look-up is measured beside: open addressing with slots of eight octets
 * (32 bits of a hash, and an offset), one pass from right to left over the host that gives the hash
 * of every label suffix, names compared exactly. It knows neither ports nor addresses, and it takes
 * every host for a canonical name. */
struct hwflat;

/* What stands before a pattern's name: nothing, `*.`, `**.`. */
enum { HWFLAT_EXACT = 1, HWFLAT_ONE_LABEL = 2, HWFLAT_ANY_LABELS = 4 };

/* Makes a table of `count` patterns. The names lie end to end in `names`, their lengths, at most
 * 255, in `lengths`; no name stands twice. The rule of a pattern is its index. NULL without
 * memory. */
struct hwflat *hwflat_make(const uint8_t *names, const uint8_t *lengths, const uint8_t *kinds,
                           size_t count);
void hwflat_free(struct hwflat *table);

/* Octets of slots and entries. */
size_t hwflat_size(const struct hwflat *table);

/* The rule of the most specific pattern for a host; -1 where no pattern matches. */
int64_t hwflat_look_up(const struct hwflat *table, const uint8_t *host, size_t count);

/* The sum of the rules of `count` hosts, each with its length. */
int64_t hwflat_look_up_all(const struct hwflat *table, const uint8_t *const *hosts,
                           const size_t *lengths, size_t count);

#endif
