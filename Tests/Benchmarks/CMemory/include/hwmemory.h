#ifndef HWMEMORY_H
#define HWMEMORY_H

#include <stddef.h>

/* Octets that malloc has given out and not taken back. Only glibc has the question, in malloc.h. */
size_t hwmemory_allocated(void);

#endif
