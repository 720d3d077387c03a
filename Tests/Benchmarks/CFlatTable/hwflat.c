#include "hwflat.h"

#include <stdlib.h>
#include <string.h>

struct slot {
    uint32_t fingerprint;
    uint32_t offset;
};

/* An entry is the length of its name, its kind, its rule (four octets) and its name. */
enum { HEAD = 6 };
#define NONE UINT32_MAX
#define BASIS 0xCBF29CE484222325u
#define PRIME 0x100000001B3u

struct hwflat {
    struct slot *slots;
    uint8_t *entries;
    uint32_t slot_count;
    size_t entry_size;
};

static inline uint32_t finish(uint64_t hash) {
    return (uint32_t)(((hash ^ hash >> 29) * 0x9E3779B97F4A7C15u) >> 32);
}

static inline uint32_t home(uint32_t fingerprint, uint32_t count) {
    return (uint32_t)((uint64_t)fingerprint * count >> 32);
}

struct hwflat *hwflat_make(const uint8_t *names, const uint8_t *lengths, const uint8_t *kinds,
                           size_t count) {
    struct hwflat *table = malloc(sizeof *table);
    size_t octets = 0;
    for (size_t i = 0; i < count; i++) octets += HEAD + lengths[i];
    if (!table) return NULL;
    /* Three quarters of the slots are taken, as in ours. */
    table->slot_count = (uint32_t)(count + count / 3 + 1);
    table->entry_size = octets;
    table->slots = malloc(sizeof(struct slot) * table->slot_count);
    table->entries = malloc(octets + 1);
    if (!table->slots || !table->entries) {
        hwflat_free(table);
        return NULL;
    }
    memset(table->slots, 0xFF, sizeof(struct slot) * table->slot_count);
    size_t end = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = BASIS;
        for (size_t at = lengths[i]; at > 0; at--) hash = (hash ^ names[at - 1]) * PRIME;
        uint32_t fingerprint = finish(hash);
        uint32_t slot = home(fingerprint, table->slot_count);
        while (table->slots[slot].offset != NONE)
            if (++slot == table->slot_count) slot = 0;
        table->slots[slot] = (struct slot){fingerprint, (uint32_t)end};
        uint8_t *entry = table->entries + end;
        uint32_t rule = (uint32_t)i;
        entry[0] = lengths[i];
        entry[1] = kinds[i];
        memcpy(entry + 2, &rule, sizeof rule);
        memcpy(entry + HEAD, names, lengths[i]);
        end += HEAD + lengths[i];
        names += lengths[i];
    }
    return table;
}

void hwflat_free(struct hwflat *table) {
    if (!table) return;
    free(table->slots);
    free(table->entries);
    free(table);
}

size_t hwflat_size(const struct hwflat *table) {
    return sizeof(struct slot) * table->slot_count + table->entry_size;
}

/* The entry of a name; NULL where there is none. */
static inline const uint8_t *find(const struct hwflat *table, uint32_t fingerprint,
                                  const uint8_t *name, size_t count) {
    uint32_t slot = home(fingerprint, table->slot_count);
    while (table->slots[slot].offset != NONE) {
        if (table->slots[slot].fingerprint == fingerprint) {
            const uint8_t *entry = table->entries + table->slots[slot].offset;
            if (entry[0] == count && memcmp(entry + HEAD, name, count) == 0) return entry;
        }
        if (++slot == table->slot_count) slot = 0;
    }
    return NULL;
}

static inline int64_t rule(const uint8_t *entry) {
    uint32_t number;
    memcpy(&number, entry + 2, sizeof number);
    return number;
}

int64_t hwflat_look_up(const struct hwflat *table, const uint8_t *host, size_t count) {
    const uint8_t *dot = memchr(host, '.', count);
    size_t first_dot = dot ? (size_t)(dot - host) : count;
    uint64_t hash = BASIS;
    int64_t best = -1;
    for (size_t at = count; at > 0;) {
        uint8_t octet = host[--at];
        if (octet == '.') {
            const uint8_t *entry = find(table, finish(hash), host + at + 1, count - at - 1);
            int wanted = at == first_dot ? HWFLAT_ONE_LABEL | HWFLAT_ANY_LABELS : HWFLAT_ANY_LABELS;
            if (entry && entry[1] & wanted) best = rule(entry);
        }
        hash = (hash ^ octet) * PRIME;
    }
    const uint8_t *entry = find(table, finish(hash), host, count);
    if (entry && entry[1] & HWFLAT_EXACT) best = rule(entry);
    return best;
}

int64_t hwflat_look_up_all(const struct hwflat *table, const uint8_t *const *hosts,
                           const size_t *lengths, size_t count) {
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += hwflat_look_up(table, hosts[i], lengths[i]);
    return sum;
}
