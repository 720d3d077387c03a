/* Questions to the system that Swift cannot ask, most of them for `hawser run`: functions that the
 * C library declares only for GNU, or with a variable number of arguments. */
#ifndef HAWSER_PROGRAM_START_H
#define HAWSER_PROGRAM_START_H

#include <stddef.h>

#include "unreached.h"

/* How many words the command line has, the program's own name among them. Swift's own list of them
 * is read from /proc/self/cmdline, and is empty where /proc is not mounted. */
int hawser_start_argument_count(void);

/* One of these words; NULL where there is none. */
const char *hawser_start_argument(int index);

/* Makes a sealed file of the octets, in memory, which nobody can change. Its descriptor is
 * inherited by programs. -1 with errno where that fails. */
int hawser_start_seal(const void *bytes, size_t length);

/* Whether the file of a descriptor has capabilities: 1, or 0. */
int hawser_start_has_capabilities(int descriptor);

/* Why a program cannot be reached by a text in its file; NULL where no such text is among the first
 * `limit` octets. */
const char *hawser_start_inside(int descriptor, size_t limit);

/* Why a program that loads a library of this file name cannot be reached; NULL where it may be. A
 * library that does no harm beside libssl.so.3 does not count. */
const char *hawser_start_unreached(const char *library);

/* The machine that programs must be made for: e_machine. */
int hawser_start_machine(void);

/* The number of the first descriptor for the sealed file. */
int hawser_start_descriptor(void);

/* From now on memory of a MiB or more goes back to the system when it is freed. Without this the C
 * library keeps what a process has freed once for parts of that size. For commands that make a few
 * large things. */
void hawser_start_return_large_memory(void);

/* Gives all freed memory back to the system, except on pages that are in use. Call it after many
 * small parts were freed: larger blocks may not fit between the parts that are left. Time is linear
 * in the process's memory. */
void hawser_start_give_memory_back(void);

#endif
