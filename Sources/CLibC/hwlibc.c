/* The functions are inline. This file has the compiler read the header by itself. */
#include "hwlibc.h"
