#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hawser_version.h"

#include <link.h>
#include <openssl/crypto.h>
#include <string.h>

/* `Packaging/dist/finish.py` writes these two into a linked file, because a define would compile
 * everything again for each commit. They are volatile: the compiler must not take the zeros that
 * stand here for the value. */
__attribute__((section(".hawser.commit"), used)) static const volatile char commit[64] = {0};
__attribute__((section(".hawser.toolchain"), used)) static const volatile char toolchain[64] = {0};

struct search {
    uintptr_t address;
    const char *file;
};

/* Whether a loaded object contains the address. The executable itself has an empty name. */
static int look(struct dl_phdr_info *object, size_t size, void *context) {
    struct search *search = context;
    (void)size;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || search->address < start) continue;
        if (search->address - start >= part->p_memsz) continue;
        search->file = object->dlpi_name;
        return 1;
    }
    return 0;
}

/* The loader owns the name, and libcrypto is never unloaded. The address belongs to a text, because
 * the address of a function may be a stub in the executable. */
static const char *libcrypto_file(void) {
    struct search search = {(uintptr_t)OpenSSL_version(OPENSSL_VERSION), NULL};
    dl_iterate_phdr(look, &search);
    return search.file ? search.file : "";
}

unsigned char hawser_build_octet(uint32_t fact, size_t place) {
    const char *text = "";
    switch (fact) {
    case HAWSER_BUILD_COMMIT: return place < sizeof commit ? (unsigned char)commit[place] : 0;
    case HAWSER_BUILD_TOOLCHAIN:
        if (toolchain[0]) {
            return place < sizeof toolchain ? (unsigned char)toolchain[place] : 0;
        }
        text = __VERSION__;
        break;
    case HAWSER_BUILD_LIBCRYPTO: text = OpenSSL_version(OPENSSL_VERSION); break;
    case HAWSER_BUILD_LIBCRYPTO_FILE: text = libcrypto_file(); break;
    }
    return place < strlen(text) ? (unsigned char)text[place] : 0;
}
