#include "hwpeers.h"

#include <string.h>

/* The element at a position: its tag, and where its content begins and ends. 0 at the end, and for
 * octets that are not DER. */
static int element(const uint8_t *octets, size_t position, size_t end, uint8_t *tag, size_t *begin, size_t *after) {
    if (end - position < 2) return 0;
    *tag = octets[position++];
    size_t length = octets[position++];
    if (length >= 0x80) {
        size_t count = length & 0x7f;
        if (count == 0 || count > 3 || end - position < count) return 0;
        for (length = 0; count > 0; count--) length = length << 8 | octets[position++];
    }
    if (end - position < length) return 0;
    *begin = position;
    *after = position + length;
    return 1;
}

unsigned hwpeers_walk(const hwpeers_bytes *chain, size_t count, const char *host) {
    unsigned found = 0;
    size_t host_count = strlen(host);
    for (size_t place = 0; place < count; place++) {
        const uint8_t *octets = chain[place].octets;
        size_t position = 0, begin = 0, after = 0;
        uint8_t tag = 0;
        /* Constructed elements are entered. An OCTET STRING that holds one SEQUENCE is an
         * extension's, and is entered too. */
        while (element(octets, position, chain[place].count, &tag, &begin, &after)) {
            found++;
            if (place == 0 && tag == 0x82 && after - begin == host_count && memcmp(octets + begin, host, host_count) == 0)
                found += 1000;
            int is_entered = (tag & 0x20) != 0 || (tag == 0x04 && after > begin && octets[begin] == 0x30);
            position = is_entered ? begin : after;
        }
    }
    return found;
}
