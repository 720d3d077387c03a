#include "hwmemory.h"

#include <malloc.h>

size_t hwmemory_allocated(void) {
    struct mallinfo2 state = mallinfo2();
    return state.uordblks + state.hblkhd;
}
