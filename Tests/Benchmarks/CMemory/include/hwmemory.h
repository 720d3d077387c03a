#ifndef HWMEMORY_H
#define HWMEMORY_H

#include <stddef.h>

/* Octets that malloc has given out and not taken back. Swift's Glibc module has no malloc.h. */
size_t hwmemory_allocated(void);

#endif
